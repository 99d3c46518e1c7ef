// The settings of a session that decide how PostgreSQL plans its statements.

/**
 * A custom plan is made for the values of the parameters, each time. A generic plan is made once for each connection, which
 * saves most of the time of a short statement, but is right only if the best plan is the same for all values.
 */
export type Plans = 'custom' | 'generic'

// A generic plan reads indexes in their order, which is right for a large project even if most projects are small.
const plansSettings = (plans: Plans) => {
  const others = plans === 'generic' ? 'off' : 'on'
  return {
    plan_cache_mode: `force_${plans}_plan`,
    enable_sort: others,
    enable_seqscan: others,
    enable_bitmapscan: others,
  }
}

export const planSettings = (plans: Plans) => ({
  ...plansSettings(plans),
  jit: 'off',
  // Starting parallel workers takes longer than these statements should.
  max_parallel_workers_per_gather: '0',
})

/**
 * PostgreSQL keeps a generic plan until it analyzes a table, which can be minutes after the table has grown. A plan made
 * for empty tables may read all rows of a project to find one.
 */
const maxPlanAgeMs = 2_000

/** Tracks which plans a session makes. */
export function trackPlans(initial: Plans, maxAgeMs = maxPlanAgeMs) {
  let current = initial
  let plannedAt = performance.now()

  return {
    get current() {
      return current
    },
    /** Returns the text to run before a statement that needs such plans, or nothing. */
    use(plans: Plans): string {
      const now = performance.now()
      const isOld = plans === 'generic' && now - plannedAt > maxAgeMs
      if (isOld) plannedAt = now
      const changed = plans === current ? [] : Object.entries(plansSettings(plans))
      current = plans
      const statements = changed.map(([name, value]) => `set ${name} = ${value}`)
      return [...statements, ...(isOld ? ['discard plans'] : [])].join(';')
    },
  }
}
