// What the doctor says: one sentence about each thing, and what to do where it is not as it should be.

export interface Finding {
  check: string
  state: 'ok' | 'warning' | 'fault'
  finding: string
  advice: string | null
}

/** Warning: it works, but not for long or not as well as it could. Fault: it does not work, or may lose something. */
export const ok = (check: string, finding: string): Finding => ({ check, state: 'ok', finding, advice: null })
export const warning = (check: string, finding: string, advice: string): Finding => ({ check, state: 'warning', finding, advice }) // prettier-ignore
export const fault = (check: string, finding: string, advice: string): Finding => ({ check, state: 'fault', finding, advice }) // prettier-ignore

export function lineOf({ check, state, finding, advice }: Finding): string {
  const line = `${state.padEnd(8)} ${check.padEnd(12)} ${finding}`
  return advice === null ? line : `${line}\n${' '.repeat(22)}${advice}`
}

const maxNames = 10

/** As many as can be read. */
export function listOf(names: readonly string[]): string {
  const more = names.length - maxNames
  return names.slice(0, maxNames).join(', ') + (more > 0 ? ` and ${more} more` : '')
}

export const counted = (count: number, what: string) => `${count} ${what}${count === 1 ? '' : 's'}`
