// Creates the OpenAPI document for the address under which a client reaches the service.

import { createRepresentation, type Representation } from '../api/responses/representation.ts'
import { openApi } from './openapi.ts'

// Requests through proxies can name any address, and each document takes half a megabyte.
const maxDocuments = 8

/** In descriptions, in servers, and in the examples of problem types and of headers. */
const links = /(?<=\]\(|"(?:url|type|example)":")(?=\/(?:docs|api)\b)/g

export function createOpenApiPages(headers: Record<string, string>): (publicUrl: string) => Representation {
  const documents = new Map<string, Representation>()
  let text: string | undefined

  function create(publicUrl: string): Representation {
    text ??= JSON.stringify(openApi())
    const body = text.replaceAll(links, publicUrl).replaceAll('"url":"/"', `"url":"${publicUrl || '/'}"`)
    return createRepresentation({ status: 200, headers, body })
  }

  return (publicUrl) => {
    const known = documents.get(publicUrl)
    if (known) return known
    const created = create(publicUrl)
    if (documents.size === maxDocuments) documents.delete(documents.keys().next().value!)
    documents.set(publicUrl, created)
    return created
  }
}
