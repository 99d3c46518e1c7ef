// The choice between a plan for the values of a request and one for all values is right for every list of a project.

import { before, describe, test } from 'node:test'
import { listsOfProject, planChecks, rowsOf } from './plan-choice.ts'
import { planSuite } from './plan-suite.ts'

const databases = [
  ['many projects', await planSuite(rowsOf(1_000, 'some'))],
  ['few projects, whose rows are alike', await planSuite(rowsOf(2, 'none'))],
] as const

for (const [place, { explainPage }] of databases)
  for (const [name, list, values] of listsOfProject)
    describe(`plans of ${name}, with ${place}`, () => {
      const { tests, warmUp } = planChecks(explainPage, list, values)
      before(warmUp)
      for (const [claim, check] of tests) test(claim, async () => void (await check()))
    })
