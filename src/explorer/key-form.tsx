// Asks for a key.

import { useEffect, useRef, useState } from 'preact/hooks'
import type { Problem } from './api/client.ts'
import { ProblemNotice } from './parts/problem.tsx'

interface KeyFormProps {
  /** Why the service did not accept the last key. */
  refusal: Problem | undefined
  onOpen(key: string, isRemembered: boolean): void
}

export function KeyForm({ refusal, onOpen }: KeyFormProps) {
  const [key, setKey] = useState('')
  const [isRemembered, setRemembered] = useState(false)
  const field = useRef<HTMLInputElement>(null)
  useEffect(() => field.current!.focus(), [refusal])
  function open(event: Event) {
    event.preventDefault()
    if (key.trim() !== '') onOpen(key.trim(), isRemembered)
  }
  return (
    <form class="key-form" onSubmit={open}>
      <h1>See your projects</h1>
      <p>An API key opens every project that it can read. This page only reads.</p>
      {refusal && <ProblemNotice problem={refusal} />}
      <label for="key">API key</label>
      <div class="field">
        <input
          id="key"
          type="password"
          value={key}
          onInput={(event) => setKey(event.currentTarget.value)}
          placeholder="wg_…"
          autocomplete="off"
          autocapitalize="off"
          spellcheck={false}
          ref={field}
        />
        <button type="submit">Open</button>
      </div>
      <label class="check">
        <input
          type="checkbox"
          checked={isRemembered}
          onChange={(event) => setRemembered(event.currentTarget.checked)}
        />
        Keep the key until this tab is closed
      </label>
      <p class="small quiet">
        Otherwise, the key is forgotten when the page is reloaded. It is sent only to this service, and never becomes
        part of an address.
      </p>
      <p class="small quiet">
        No key yet? On the server, run{' '}
        <code>
          workgate keys create NAME <span class="whole">--all-projects</span> <span class="whole">--operations ''</span>
        </code>{' '}
        for one that only reads. See <a href="docs/keys">Keys</a>.
      </p>
    </form>
  )
}
