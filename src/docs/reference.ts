// Renders the page of the reference: the header of all pages, and the renderer below it.

import { headerStyle, renderHeader } from './header.ts'
import script from './reference.client.js'
import style from './reference.css'
import html from './reference.html'

export const referenceScript = script
export const referenceStyle = headerStyle + style

export function renderReferencePage(rendererPath: string): string {
  return html.replace('{{renderer}}', rendererPath).replace('{{header}}', renderHeader('Reference', 'reference'))
}
