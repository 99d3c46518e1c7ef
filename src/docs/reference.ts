// Renders the reference page: the common header, with the renderer below it.

import { headerStyle, renderHeader, renderScripts } from './header.ts'
import script from './reference.client.js'
import style from './reference.css'
import html from './reference.html'

export const referenceScript = script
export const referenceStyle = headerStyle + style

export function renderReferencePage(rendererPath: string): string {
  return html
    .replace('{{renderer}}', rendererPath.slice(1))
    .replace('{{scripts}}', renderScripts('docs/', 'header', 'reference'))
    .replace('{{header}}', renderHeader('Reference', '', 'reference'))
}
