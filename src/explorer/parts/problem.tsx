// Explains a failed request in the words of the API.

import type { Problem } from '../api/client.ts'

export function ProblemNotice({ problem }: { problem: Problem }) {
  const { title, detail, code, requestId, status } = problem
  const isTemporary = status === 0 || status === 429 || status >= 500
  return (
    <div class="notice problem" role="alert">
      <p>
        <strong>{withPeriod(title)}</strong> {withPeriod(detail) !== withPeriod(title) && detail}
      </p>
      {isTemporary && <p>This page tries again by itself.</p>}
      {(code || requestId) && (
        <p class="small quiet">
          {code} {requestId && <>· Request {requestId}</>}
        </p>
      )}
    </div>
  )
}

const withPeriod = (text: string): string => text.replace(/[.?!]?$/, (end) => end || '.')
