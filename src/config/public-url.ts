// Validates PUBLIC_URL.

import * as v from 'valibot'
import { readPublicUrl } from '../api/public-url.ts'

export const publicUrl = v.pipe(
  v.string(),
  v.check(
    (value) => value === '' || readPublicUrl(value) !== undefined,
    'must be an http or https address such as https://example.org/workgate, whose path has only letters, digits, ".", "_", "~" and "-"',
  ),
  v.transform((value) => readPublicUrl(value) ?? ''),
)
