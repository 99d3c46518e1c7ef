// The OpenAPI document: made from the routes and from the schemas that check what comes in and describe what goes out.

import { apiPath, routes } from '../routes.ts'
import { version } from '../version.ts'

export function openApi(): object {
  return {
    openapi: '3.1.1',
    info: { title: 'Workgate', version },
    servers: [{ url: apiPath }],
    paths: Object.fromEntries(routes.map(([, path]) => [path.replaceAll(/:(\w+)/g, '{$1}'), {}])),
  }
}
