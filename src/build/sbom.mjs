// Lists the contents of an executable and of the artifact in it as an SBOM, in the JSON format of CycloneDX 1.5. It is
// generated from the pinned versions and hashes, so it is the same for each build of a commit. `npm sbom` knows neither
// Node nor the renderer, and adds random numbers, the time and the name of the folder.

import { readFileSync } from 'node:fs'
import { nodePackage, postgresPackage } from './targets.mjs'

const readJson = (path) => JSON.parse(readFileSync(path, 'utf8'))

/** Dependencies that only the build uses. `npm start` builds, so they are not development dependencies. */
const buildTools = ['esbuild']

/**
 * @param {string} target a platform of targets.mjs
 * @param {{ hash: string, time: string }} commit
 */
export function createSbom(target, commit) {
  const { name, version, description, license } = readJson('package.json')
  const main = `pkg:generic/${name}@${version}`
  const renderer = describePackage(readJson('src/docs/renderer-package.json'))
  const containers = [renderer, describeNode(target), ...describePostgres(target)]
  const components = [...bundledPackages().map(describePackage), ...containers]
  return {
    bomFormat: 'CycloneDX',
    specVersion: '1.5',
    version: 1,
    metadata: {
      timestamp: commit.time,
      component: {
        'bom-ref': main,
        type: 'application',
        name,
        version,
        description,
        licenses: describeLicense(license),
        purl: main,
        properties: [
          { name: 'workgate:commit', value: commit.hash },
          { name: 'workgate:platform', value: target },
        ],
      },
    },
    components,
    dependencies: [{ ref: main, dependsOn: components.map((component) => component['bom-ref']) }],
    // They contain further software, such as OpenSSL, which their packages do not list.
    compositions: [{ aggregate: 'incomplete', assemblies: containers.map((component) => component['bom-ref']) }],
  }
}

/** The lock file marks packages for one platform as optional. */
function bundledPackages() {
  return Object.entries(readJson('package-lock.json').packages)
    .filter(([path, { dev, optional }]) => path !== '' && !dev && !optional)
    .map(([path, locked]) => ({
      ...locked,
      name: path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length),
    }))
    .filter(({ name }) => !buildTools.includes(name))
}

function describePackage({ name, version, license, integrity }) {
  const purl = `pkg:npm/${name.replace('@', '%40')}@${version}`
  const content = Buffer.from(integrity.slice('sha512-'.length), 'base64').toString('hex')
  return {
    'bom-ref': purl,
    type: 'library',
    name,
    version,
    hashes: [{ alg: 'SHA-512', content }],
    licenses: describeLicense(license),
    purl,
  }
}

/** Vulnerabilities of Node and PostgreSQL are published under their own names, not those of the npm packages. */
function describeNode(target) {
  const found = describePackage({ ...nodePackage(target), license: 'MIT' })
  const cpe = `cpe:2.3:a:nodejs:node.js:${found.version}:*:*:*:*:*:*:*`
  return { ...found, type: 'platform', name: 'node', cpe }
}

function describePostgres(target) {
  const pinned = postgresPackage(target)
  if (!pinned) return []
  // The package 18.4.0-beta.17 contains PostgreSQL 18.4.
  const [version] = /^\d+\.\d+/.exec(pinned.version)
  const cpe = `cpe:2.3:a:postgresql:postgresql:${version}:*:*:*:*:*:*:*`
  const found = describePackage({ ...pinned, license: 'PostgreSQL' })
  return [{ ...found, type: 'application', name: 'postgresql', version, cpe }]
}

function describeLicense(license) {
  return license.includes(' ') ? [{ expression: license }] : [{ license: { id: license } }]
}
