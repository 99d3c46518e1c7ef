// Reads the rows of a sheet of a workbook. They end with their last cell that is not empty.

import type { CsvRow } from '../csv-records.ts'
import { InvalidFile } from '../invalid.ts'
import type { CellKind } from '../row.ts'
import { numberText, timeText } from './cell-numbers.ts'
import type { TimeFormat } from './number-formats.ts'
import { readText, unescapeText } from './text.ts'
import { XmlParser, type Attributes } from './xml.ts'

export interface SheetContext {
  /** Shared by the cells, which have their indexes. */
  strings: readonly string[]
  /** By the style of the cell. */
  formats: readonly (TimeFormat | undefined)[]
  /** Whether days are counted from 1904. */
  is1904: boolean
}

interface SheetRow {
  values: string[]
  kinds: CellKind[]
  line: number
}

const maxColumns = 16_384

export async function* readSheet(
  part: string,
  bytes: AsyncIterable<Uint8Array>,
  context: SheetContext,
): AsyncGenerator<CsvRow> {
  const rows = new RowReader(context)
  const parser = new XmlParser(part, rows)
  for await (const text of readText(part, bytes)) {
    parser.write(text)
    for (const { values, kinds, line } of rows.take())
      yield { values: Array.from(values, (value) => value ?? ''), kinds, line }
  }
  parser.end()
}

class RowReader {
  readonly #context: SheetContext
  /** Complete rows that are not empty. Cells that are missing are holes in their values. */
  #rows: SheetRow[] = []
  #row: SheetRow = { values: [], kinds: [], line: 0 }
  #isInRows = false
  #column = -1
  #cell: Attributes = {}
  #text = ''
  #isText = false
  #isPhonetic = false

  constructor(context: SheetContext) {
    this.#context = context
  }

  take(): SheetRow[] {
    const rows = this.#rows
    this.#rows = []
    return rows
  }

  open(name: string, attributes: Attributes): void {
    if (name === 'sheetData') this.#isInRows = true
    if (!this.#isInRows) return
    if (name === 'row') {
      this.#row = { values: [], kinds: [], line: attributes['r'] ? Number(attributes['r']) : this.#row.line + 1 }
      this.#column = -1
    } else if (name === 'c') {
      const { r: reference } = attributes
      this.#column = reference === undefined ? this.#column + 1 : columnOf(reference)
      if (!(this.#column >= 0 && this.#column < maxColumns)) throw this.#damaged()
      this.#cell = attributes
      this.#text = ''
    } else if (name === 'rPh') this.#isPhonetic = true
    this.#isText = name === (this.#cell['t'] === 'inlineStr' ? 't' : 'v') && !this.#isPhonetic
  }

  text(text: string): void {
    if (this.#isText) this.#text += text
  }

  close(name: string): void {
    this.#isText = false
    if (name === 'sheetData') this.#isInRows = false
    else if (name === 'rPh') this.#isPhonetic = false
    else if (name === 'c' && this.#isInRows) this.#addCell()
    else if (name === 'row' && this.#isInRows && this.#row.values.length > 0) this.#rows.push(this.#row)
  }

  #addCell(): void {
    if (this.#text === '') return
    const [value, kind] = this.#read(this.#text)
    if (value.trim() === '') return
    this.#row.values[this.#column] = value
    if (kind) this.#row.kinds[this.#column] = kind
  }

  /** The text of the cell, and what it is. */
  #read(text: string): [string, CellKind?] {
    const { strings, formats, is1904 } = this.#context
    const { t: type = 'n', s: style = '0' } = this.#cell
    if (type === 's') {
      const shared = strings[Number(text)]
      if (shared === undefined) throw this.#damaged()
      return [unescapeText(shared)]
    }
    if (type === 'b') return [text.trim() === '1' ? 'TRUE' : 'FALSE']
    if (type === 'e') return [text, 'error']
    if (type === 'd') return [text]
    if (type !== 'n') return [unescapeText(text)]
    const number = numberText(text)
    if (number === undefined) throw this.#damaged()
    const format = formats[Number(style)]
    const time = format && timeText(Number(text), format, is1904)
    return time === undefined ? [number, 'number'] : [time]
  }

  #damaged() {
    return new InvalidFile(`a damaged workbook: a cell in row ${this.#row.line} of the sheet cannot be read`)
  }
}

/** Returns 27 for AB7. */
function columnOf(reference: string): number {
  const [, letters] = /^([A-Z]{1,3})\d+$/.exec(reference) ?? []
  return [...(letters ?? '')].reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0) - 1
}
