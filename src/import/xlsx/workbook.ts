// Reads a sheet of an Excel workbook (.xlsx) as rows. The archive, the shared strings and the formats are in memory; the
// sheet is a stream.

import type { CsvRow } from '../csv-records.ts'
import { InvalidFile } from '../invalid.ts'
import { fold } from '../columns.ts'
import { builtInFormat, formatOf, type TimeFormat } from './number-formats.ts'
import { readSheet } from './sheet.ts'
import { readText } from './text.ts'
import { XmlParser, type Attributes, type XmlListener } from './xml.ts'
import { listEntries, readEntry, type ZipEntry } from './zip.ts'

const maxArchiveMb = 100
const maxStringsMb = 200
const maxPartMb = 20
const bytesPerMb = 1_000_000

interface Sheet {
  name: string
  isVisible: boolean
  /** The name of its entry. */
  part: string
}

const workbookPart = 'xl/workbook.xml'
const otherDocuments = [
  ['xl/workbook.bin', 'a binary Excel workbook: save it as .xlsx or CSV'],
  ['content.xml', 'an OpenDocument file: save the sheet as .xlsx or CSV'],
] as const

/** `onSheet` is called with a description of the sheet that is read. */
export async function* readWorkbook(
  bytes: AsyncIterable<Uint8Array>,
  wanted: string | undefined,
  onSheet: (sheet: string) => void,
): AsyncGenerator<CsvRow> {
  const archive = await readArchive(bytes)
  const entries = listEntries(archive)
  if (!entries.has(workbookPart)) {
    const other = otherDocuments.find(([part]) => entries.has(part))
    throw new InvalidFile(other?.[1] ?? 'a ZIP archive, not an Excel workbook: unpack it')
  }
  const parts = { archive, entries }
  const { sheets, is1904, stringsPart, stylesPart } = await readStructure(parts)
  const sheet = choose(sheets, wanted)
  onSheet(`sheet "${sheet.name}"${sheets.length > 1 ? ` of ${sheets.length} (see --sheet)` : ''}`)
  const strings = stringsPart === undefined ? [] : await readStrings(parts, stringsPart)
  const formats = stylesPart === undefined ? [] : await readFormats(parts, stylesPart)
  yield* readSheet(sheet.part, readEntry(archive, entryOf(parts, sheet.part)), { strings, formats, is1904 })
}

async function readArchive(bytes: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of bytes) {
    size += chunk.length
    if (size > maxArchiveMb * bytesPerMb)
      throw new InvalidFile(`a workbook or ZIP archive of more than ${maxArchiveMb} MB: save the sheet as CSV`)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

interface Parts {
  archive: Buffer
  entries: ReadonlyMap<string, ZipEntry>
}

function entryOf({ entries }: Parts, part: string): ZipEntry {
  const entry = entries.get(part)
  if (!entry) throw new InvalidFile(`a damaged workbook: it has no ${part}`)
  return entry
}

/** Reads a part that is kept in memory. */
async function readPart(parts: Parts, part: string, maxMb: number, listener: XmlListener): Promise<void> {
  const entry = entryOf(parts, part)
  if (entry.size > maxMb * bytesPerMb)
    throw new InvalidFile(`a workbook whose ${part} has more than ${maxMb} MB: save the sheet as CSV`)
  const parser = new XmlParser(part, listener)
  for await (const text of readText(part, readEntry(parts.archive, entry))) parser.write(text)
  parser.end()
}

/** Which sheets there are, and where. */
async function readStructure(parts: Parts) {
  const targets = new Map<string, { type: string; part: string }>()
  await readPart(parts, 'xl/_rels/workbook.xml.rels', maxPartMb, {
    ...silent,
    open(name, { Id, Type, Target }) {
      if (name !== 'Relationship' || Id === undefined || Target === undefined) return
      const part = Target.startsWith('/') ? Target.slice(1) : `xl/${Target.replace(/^\.\//, '')}`
      targets.set(Id, { type: Type?.split('/').at(-1) ?? '', part })
    },
  })
  const sheets: Sheet[] = []
  let is1904 = false
  await readPart(parts, workbookPart, maxPartMb, {
    ...silent,
    open(name, { id, name: title, state = 'visible', date1904 }) {
      if (name === 'workbookPr') is1904 = isTrue(date1904)
      const target = name === 'sheet' && id !== undefined ? targets.get(id) : undefined
      if (target?.type !== 'worksheet' || title === undefined) return
      sheets.push({ name: title, isVisible: state === 'visible', part: target.part })
    },
  })
  const partOf = (type: string) => [...targets.values()].find((target) => target.type === type)?.part
  return { sheets, is1904, stringsPart: partOf('sharedStrings'), stylesPart: partOf('styles') }
}

const isTrue = (value: string | undefined) => value === '1' || value === 'true'

/** The first sheet, unless one is named. A hidden one must be named. */
function choose(sheets: readonly Sheet[], wanted: string | undefined): Sheet {
  const found = sheets.find(({ name, isVisible }) => (wanted === undefined ? isVisible : fold(name) === fold(wanted)))
  if (found) return found
  const names = sheets.map(({ name }) => `"${name}"`).join(', ')
  if (wanted === undefined) throw new InvalidFile('a workbook without a visible sheet')
  throw new InvalidFile(`a workbook without a sheet "${wanted}": it has ${names}`)
}

async function readStrings(parts: Parts, part: string): Promise<string[]> {
  const strings: string[] = []
  let text = ''
  let isText = false
  let isPhonetic = false
  await readPart(parts, part, maxStringsMb, {
    open(name) {
      if (name === 'si') text = ''
      if (name === 'rPh') isPhonetic = true
      isText = name === 't' && !isPhonetic
    },
    text(piece) {
      if (isText) text += piece
    },
    close(name) {
      isText = false
      if (name === 'rPh') isPhonetic = false
      // Copied, because a part of a text keeps the whole text in memory.
      if (name === 'si') strings.push(Buffer.from(text).toString())
    },
  })
  return strings
}

/** What the numbers in cells of each style are. */
async function readFormats(parts: Parts, part: string): Promise<(TimeFormat | undefined)[]> {
  const custom = new Map<string, TimeFormat | undefined>()
  const formats: (TimeFormat | undefined)[] = []
  /** There are also formats of conditions, and styles that cells do not use directly. */
  let list = ''
  await readPart(parts, part, maxPartMb, {
    ...silent,
    open(name, { numFmtId = '0', formatCode }: Attributes) {
      if (name === 'numFmts' || name === 'cellXfs') list = name
      if (name === 'numFmt' && list === 'numFmts' && formatCode !== undefined)
        custom.set(numFmtId, formatOf(formatCode))
      if (name === 'xf' && list === 'cellXfs')
        formats.push(custom.has(numFmtId) ? custom.get(numFmtId) : builtInFormat(Number(numFmtId)))
    },
    close(name) {
      if (name === list) list = ''
    },
  })
  return formats
}

const silent: XmlListener = { open() {}, close() {}, text() {} }
