// The page of the reference: the renderer below the header that the guides have too.

import mark from './favicon.svg'
import { guides } from './guides.ts'
import script from './reference.client.js'
import html from './reference.html'
import style from './reference.css'

export const referenceScript = script
export const referenceStyle = style

export function referencePage(rendererPath: string): string {
  const first = guides[0]?.slug ?? ''
  return html.replaceAll('{{renderer}}', rendererPath).replaceAll('{{guide}}', first).replace('{{mark}}', mark)
}
