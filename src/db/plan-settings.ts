// The settings of a session that decide how PostgreSQL plans its statements.

export type Plans = 'force_custom_plan' | 'force_generic_plan'

export const planSettings = (plans: Plans) => ({
  // By default, PostgreSQL may run a statement with a plan that was made for other filters; see test/ci/plans.
  plan_cache_mode: plans,
  jit: 'off',
  // Starting parallel workers takes longer than these statements should.
  max_parallel_workers_per_gather: '0',
})
