// The pages beside the reference, as HTML.

export interface Guide {
  /** Its path is /docs/<slug>. */
  slug: string
  title: string
}

export const guides: readonly Guide[] = []

/** The whole page. */
export function guidePage(_guide: Guide): string {
  return ''
}

/** Served as /docs/style.css. */
export const guideStyle = ''
