// Every answer is what the document says: no more, no less, and nothing else. What is not so fails the test that asked,
// whatever that looks at.

import { createRequire } from 'node:module'
import type { ValidateFunction } from 'ajv'
import { apiPath } from '../../src/api/router.ts'
import { run } from './environment.ts'
import type { Reply } from './workgate.ts'

/** What is known of an operation beside the checks of its answers. */
export interface Operation {
  id: string
  method: string
  path: string
  codes: Record<string, string[]>
}

export const nameOfCheck = (operation: Operation, status: number | string) => `${operation.id}${status}`

/** Made by compile-answers.ts. */
let compiled: Record<string, ValidateFunction> & { operations: Operation[] }

/** The reply to a request, if it is as documented or not of the API. */
export function conforming(method: string, target: string, reply: Reply): Reply {
  const { pathname } = new URL(`http://workgate${target}`)
  if (!pathname.startsWith(`${apiPath}/`)) return reply
  // With "..", or a "#", it is no path of any operation.
  const isPlain = target.split('?')[0] === pathname
  if (reply.text === '' && (method === 'HEAD' || reply.status === 204 || reply.status === 304)) return reply
  compiled ??= createRequire(import.meta.url)(run().answers)
  const operation = isPlain ? operationOf(method, pathname.slice(apiPath.length)) : undefined
  const faults = reply.status < 400 ? faultsOfAnswer(operation, reply) : faultsOfProblem(operation, reply)
  if (faults.length === 0) return reply
  throw new Error(
    `${method} ${target} was answered with ${reply.status} and what is not documented of ` +
      `${operation?.id ?? 'any operation'}:\n${faults.slice(0, 10).join('\n')}\n${reply.text.slice(0, 2_000)}`,
  )
}

/** A path that says more stands before one that has a parameter there. */
function operationOf(method: string, path: string): Operation | undefined {
  const wanted = method === 'HEAD' ? 'GET' : method
  return compiled.operations.find(
    (operation) =>
      operation.method === wanted && new RegExp(`^${operation.path.replaceAll(/\{\w+\}/g, '[^/]+')}/*$`).test(path),
  )
}

function faultsOfAnswer(operation: Operation | undefined, { status, headers, body }: Reply): string[] {
  const check = operation && compiled[nameOfCheck(operation, status)]
  if (!check) return [`no answer with ${status}`]
  if (headers['content-type'] !== 'application/json') return [`the type ${headers['content-type']}`]
  return faultsIn(body, check)
}

function faultsOfProblem(operation: Operation | undefined, { status, headers, body }: Reply): string[] {
  if (headers['content-type'] !== 'application/problem+json') return [`the type ${headers['content-type']}`]
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
