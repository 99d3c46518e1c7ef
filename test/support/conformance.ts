// Checks every response against the OpenAPI document. A response that does not conform fails the test that sent the
// request, whatever the test itself checks.

import { createRequire } from 'node:module'
import { join } from 'node:path'
import type { ValidateFunction } from 'ajv'
import { apiPath } from '../../src/api/router.ts'
import { run } from './environment.ts'
import type { Reply } from './workgate.ts'

/** An operation, without the validators of its responses. */
export interface Operation {
  id: string
  method: string
  path: string
  codes: Record<string, string[]>
}

export const nameOfCheck = (operationId: string, status: number | string) => `${operationId}${status}`

/** The file in the folder of the built tests that compile-validators.ts generates. */
export const validatorsFile = 'validators.cjs'
let compiled: Record<string, ValidateFunction> & { operations: Operation[] }

/** Returns the reply if it is as documented or its path is outside the API, and throws otherwise. */
export function conforming(method: string, target: string, reply: Reply): Reply {
  const { pathname } = new URL(`http://workgate${target}`)
  if (!pathname.startsWith(`${apiPath}/`)) return reply
  // A path with ".." or "#" belongs to no operation.
  const isPlain = target.split('?')[0] === pathname
  if (reply.text === '' && (method === 'HEAD' || reply.status === 204 || reply.status === 304)) return reply
  compiled ??= createRequire(import.meta.url)(join(run().built, validatorsFile))
  const operation = isPlain ? operationOf(method, pathname.slice(apiPath.length)) : undefined
  const faults = reply.status < 400 ? faultsOfSuccess(operation, reply) : faultsOfProblem(operation, reply)
  if (faults.length === 0) return reply
  throw new Error(
    `the response to ${method} ${target} with status ${reply.status} is not as documented for ` +
      `${operation?.id ?? 'any operation'}:\n${faults.slice(0, 10).join('\n')}\n${reply.text.slice(0, 2_000)}`,
  )
}

/** The document lists a literal path before a path that has a parameter in its place. */
function operationOf(method: string, path: string): Operation | undefined {
  const wanted = method === 'HEAD' ? 'GET' : method
  return compiled.operations.find(
    (operation) =>
      operation.method === wanted && new RegExp(`^${operation.path.replaceAll(/\{\w+\}/g, '[^/]+')}/*$`).test(path),
  )
}

function faultsOfSuccess(operation: Operation | undefined, { status, headers, body }: Reply): string[] {
  const check = operation && compiled[nameOfCheck(operation.id, status)]
  if (!check) return [`no documented response with ${status}`]
  if (headers['content-type'] !== 'application/json') return [`the content type ${headers['content-type']}`]
  return faultsIn(body, check)
}

function faultsOfProblem(operation: Operation | undefined, { status, headers, body }: Reply): string[] {
  if (headers['content-type'] !== 'application/problem+json') return [`the content type ${headers['content-type']}`]
  if (operation && !operation.codes[status]?.includes(body.code)) return [`${status} with the code ${body.code}`]
  return faultsIn(body, compiled['problem']!)
}

function faultsIn(body: unknown, check: ValidateFunction): string[] {
  if (check(body)) return []
  return check.errors!.map(({ instancePath, message, params }) => {
    const found = instancePath
      .split('/')
      .slice(1)
      .reduce<any>((value, step) => value?.[step], body)
    return `${instancePath || '/'} ${message} ${JSON.stringify(params)}: ${JSON.stringify(found)?.slice(0, 200)}`
  })
}
