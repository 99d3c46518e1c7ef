// Formats findings: one sentence about each check, and advice if something is wrong.

export interface Finding {
  check: string
  state: 'ok' | 'warning' | 'fault'
  finding: string
  advice: string | null
}

/** Warning: it works, but not well, or not for long. Fault: it does not work, or may lose data. */
export const ok = (check: string, finding: string): Finding => ({ check, state: 'ok', finding, advice: null })
export const warning = (check: string, finding: string, advice: string): Finding => ({ check, state: 'warning', finding, advice }) // prettier-ignore
export const fault = (check: string, finding: string, advice: string): Finding => ({ check, state: 'fault', finding, advice }) // prettier-ignore

export function formatFinding({ check, state, finding, advice }: Finding): string {
  const line = `${state.padEnd(8)} ${check.padEnd(12)} ${finding}`
  return advice === null ? line : `${line}\n${' '.repeat(22)}${advice}`
}

const maxNames = 10

/** Cuts off long lists. */
export function formatNames(names: readonly string[]): string {
  const more = names.length - maxNames
  return names.slice(0, maxNames).join(', ') + (more > 0 ? ` and ${more} more` : '')
}

export const formatCount = (count: number, noun: string) => `${count} ${noun}${count === 1 ? '' : 's'}`
