// The query parameter that selects an own field of tasks, whose sums the figures are instead of numbers of tasks.

import * as v from 'valibot'
import { invalid } from '../../api/problems/problem.ts'
import { described } from '../../api/responses/response-schemas.ts'
import { fieldNamePattern, fieldNameRule } from '../../api/input/object-names.ts'

export const measureEntry = {
  measure: described(
    v.optional(v.pipe(v.string(), v.regex(fieldNamePattern, fieldNameRule), v.examples(['storyPoints']))),
    'The name of an own field of tasks with the type `number`. The figures are its sums instead of numbers of tasks.',
  ),
}

export const notANumber = () =>
  invalid({ in: 'query', name: 'measure', message: 'is not an own field of this project with the type number' })
