// Validates a setting that has a few possible values or is empty.

import * as v from 'valibot'

export const optionalChoice = <const Name extends string>(...names: Name[]) =>
  v.pipe(
    v.picklist(['', ...names], `must be ${names.join(', ')} or empty`),
    v.transform((value) => (value || undefined) as Name | undefined),
  )
