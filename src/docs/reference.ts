// The page of the reference: the renderer below a header that leads to the guides.

import { guides } from './guides.ts'
import script from './reference.client.js'
import html from './reference.html'
import style from './reference.css'

export const referenceScript = script
export const referenceStyle = style

export function referencePage(rendererPath: string): string {
  const links = guides.map(({ slug, title }) => `<a href="/docs/${slug}">${title}</a>`).join('\n        ')
  return html.replaceAll('{{renderer}}', rendererPath).replace('{{guides}}', links)
}
