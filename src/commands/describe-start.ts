// Describes the started service to a person at a terminal.

import type { LogStyle } from '../runtime/log.ts'
import { createPaint } from '../runtime/text-lines.ts'
import { commit, version } from '../runtime/version.ts'

interface Started {
  url: string
  /** PUBLIC_URL; empty if it is not set. */
  publicUrl: string
  /** The command that creates the first key; undefined if there are keys. */
  createFirstKey: string | undefined
}

export function describeStart({ url, publicUrl, createFirstKey }: Started, style: LogStyle): string {
  const paint = createPaint(style === 'colored text')
  const lines = [
    ['Address', url],
    ['Documentation', `${publicUrl || openUrl(url)}/docs`],
    ...(createFirstKey === undefined ? [] : [['First key', createFirstKey]]),
  ]
  const title = `${paint('bold', `Workgate ${version}`)}${commit === undefined ? '' : paint('dim', ` (commit ${commit})`)}`
  return `\n  ${title}\n\n${lines.map(([name, value]) => `  ${paint('dim', name!.padEnd(14))} ${value}\n`).join('')}\n`
}

/** Browsers cannot open the address that stands for all addresses of the machine. */
const openUrl = (url: string) => url.replace('//0.0.0.0:', '//127.0.0.1:').replace('//[::]:', '//[::1]:')
