// The page of the reference: the renderer below the bar that the guides have too.

import { header, headerStyle } from './header.ts'
import script from './reference.client.js'
import style from './reference.css'
import html from './reference.html'

export const referenceScript = script
export const referenceStyle = headerStyle + style

export function referencePage(rendererPath: string): string {
  return html.replace('{{renderer}}', rendererPath).replace('{{header}}', header('Reference', 'reference'))
}
