// The numbers behind a chart. The table scrolls in itself, so that the page never becomes wider.

import type { ComponentChildren } from 'preact'

interface FigureTableProps {
  /** The titles of columns of text. */
  texts: string[]
  /** The titles of the columns of numbers, which follow. */
  numbers: string[]
  /** The rows. */
  children: ComponentChildren
}

export function FigureTable({ texts, numbers, children }: FigureTableProps) {
  return (
    <div class="scrolling" tabIndex={0} role="group" aria-label="Table">
      <table>
        <thead>
          <tr>
            {texts.map((title) => (
              <th key={title} scope="col">
                {title}
              </th>
            ))}
            {numbers.map((title) => (
              <th key={title} scope="col" class="n">
                {title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>{children}</tbody>
      </table>
    </div>
  )
}
