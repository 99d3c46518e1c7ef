// Formats findings: one sentence for each check, and advice if something is wrong.

import { escapeText } from '../../runtime/escape-text.ts'
import type { CheckName } from './checks.ts'

export interface Finding {
  check: CheckName
  state: 'ok' | 'warning' | 'fault'
  finding: string
  advice: string | null
}

/** Warning: the service works, but not well or not for long. Fault: it does not work, or may lose data. */
export const ok = (check: CheckName, finding: string): Finding => ({ check, state: 'ok', finding, advice: null })
export const warning = (check: CheckName, finding: string, advice: string): Finding => ({ check, state: 'warning', finding, advice }) // prettier-ignore
export const fault = (check: CheckName, finding: string, advice: string): Finding => ({ check, state: 'fault', finding, advice }) // prettier-ignore

export function formatFinding({ check, state, finding, advice }: Finding): string {
  const line = `${state.padEnd(8)} ${check.padEnd(12)} ${escapeText(finding)}`
  return advice === null ? line : `${line}\n${' '.repeat(22)}${escapeText(advice)}`
}

const maxNames = 10

/** Lists the first names, and counts the others. */
export function formatNames(names: readonly string[]): string {
  const more = names.length - maxNames
  return names.slice(0, maxNames).join(', ') + (more > 0 ? ` and ${more} more` : '')
}

export const formatCount = (count: number, noun: string) => `${count} ${noun}${count === 1 ? '' : 's'}`
