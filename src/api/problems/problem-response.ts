// Turns errors into responses, all in the same format: application/problem+json (RFC 9457).

import { DatabaseUnavailable } from '../../db/errors.ts'
import { Problem, problems, unavailable } from './problem.ts'
import type { ApiResponse } from '../responses/response.ts'

/** Turns any error into the problem that the client gets. The cause goes only to the log. */
export function asProblem(error: unknown): Problem {
  if (error instanceof Problem) return error
  if (error instanceof DatabaseUnavailable) {
    return unavailable('The database is temporarily unavailable. Try again in a moment.', error)
  }
  return new Problem('INTERNAL', 'The cause is in the service log, under this request id.', { cause: error })
}

/** The type is a link below the public URL. */
export function problemResponse(problem: Problem, requestId: string, publicUrl = ''): ApiResponse {
  const { status, code, detail, faults, existing, externalUrl, deletion, reason } = problem
  const body = {
    type: `${publicUrl}/docs/errors#${code}`,
    title: problems[code][1],
    status,
    code,
    detail,
    requestId,
    ...(existing !== undefined && { existing: publicUrl + existing }),
    ...(externalUrl !== undefined && { externalUrl }),
    ...(deletion && { deletion }),
    ...(reason !== undefined && { reason }),
    ...(faults.length > 0 && { errors: faults }),
  }
  return {
    status,
    headers: { ...problem.headers, 'content-type': 'application/problem+json', 'cache-control': 'no-store' },
    body: JSON.stringify(body),
  }
}
