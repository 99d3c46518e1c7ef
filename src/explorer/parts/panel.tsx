// A part of a view with a heading, what it shows, and the request that returned it.

import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { apiAddress } from '../api/client.ts'
import type { Read } from '../api/use-read.ts'
import { ProblemNotice } from './problem.tsx'
import { Skeleton } from './skeleton.tsx'

interface PanelProps<Body> {
  title: string
  /** The content is shown as soon as there is a response. */
  read: Read<Body>
  class?: string
  /** The lines of the skeleton. */
  lines?: number
  /** The numbers of a chart, which can be shown instead of it. */
  table?: (body: Body) => ComponentChildren
  children: (body: Body) => ComponentChildren
}

export function Panel<Body>({ title, read, lines = 4, table, children, class: name = '' }: PanelProps<Body>) {
  const [isTableShown, showTable] = useState(false)
  const [isRequestShown, showRequest] = useState(false)
  const show = table && isTableShown ? table : children
  return (
    <section class={`panel ${name}`}>
      <header>
        <h2>{title}</h2>
        <span class="buttons">
          {table && (
            <button type="button" class="plain" aria-pressed={isTableShown} onClick={() => showTable(!isTableShown)}>
              Table
            </button>
          )}
          <button
            type="button"
            class="plain"
            aria-expanded={isRequestShown}
            onClick={() => showRequest(!isRequestShown)}
          >
            Request
          </button>
        </span>
      </header>
      {isRequestShown && <Request path={read.path} />}
      {read.problem && <ProblemNotice problem={read.problem} />}
      {read.body === undefined ? !read.problem && <Skeleton lines={lines} /> : show(read.body)}
    </section>
  )
}

const curlOf = (path: string): string => `curl -H "Authorization: Bearer $WORKGATE_KEY" "${apiAddress(path)}"`

export function Request({ path }: { path: string }) {
  const [isCopied, setCopied] = useState(false)
  const curl = curlOf(path)
  async function copy() {
    await navigator.clipboard.writeText(curl)
    setCopied(true)
  }
  return (
    <div class="request">
      <pre tabIndex={0}>{curl}</pre>
      {/* Pages that are not served by HTTPS or from this machine may not write to the clipboard. */}
      {window.isSecureContext && (
        <button type="button" class="plain" onClick={copy}>
          {isCopied ? 'Copied' : 'Copy'}
        </button>
      )}
    </div>
  )
}
