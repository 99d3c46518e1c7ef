// Builds Excel workbooks from their XML, and the ZIP archives around them.

import { deflateRawSync, gzipSync } from 'node:zlib'

export interface Parts {
  /** The rows of the sheets, or whole sheets, by name. */
  sheets?: Record<string, string>
  hidden?: string[]
  /** The items of xl/sharedStrings.xml. */
  strings?: string
  /** The codes of formats. Cells of style 1 have the first one, after style 0 without a format. */
  formats?: string[]
  date1904?: boolean
  others?: Record<string, string>
}

const declaration = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
const main = 'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"'
const relationships = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'

export function workbook(parts: Parts, stored = false): Buffer {
  return zip(partsOf(parts), stored)
}

export function partsOf({ sheets = {}, hidden = [], strings, formats = [], date1904, others }: Parts) {
  const names = Object.keys(sheets)
  const targets = names.map((_, n) => ['worksheet', `worksheets/sheet${n + 1}.xml`])
  targets.push(['styles', 'styles.xml'], ...(strings === undefined ? [] : [['sharedStrings', '/xl/sharedStrings.xml']]))
  const files: Record<string, string> = {
    'xl/workbook.xml': `<workbook ${main} xmlns:r="${relationships}"><workbookPr${date1904 ? ' date1904="1"' : ''}/><sheets>${names.map((name, n) => `<sheet name="${name}" sheetId="${n + 7}" r:id="r${n}"${hidden.includes(name) ? ' state="hidden"' : ''}/>`).join('')}</sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': `<Relationships>${targets.map(([type, target], n) => `<Relationship Id="r${n}" Type="${relationships}/${type}" Target="${target}"/>`).join('')}</Relationships>`,
    'xl/styles.xml': `<styleSheet ${main}><numFmts>${formats.map((code, n) => `<numFmt numFmtId="${n + 164}" formatCode="${code}"/>`).join('')}</numFmts><cellStyleXfs><xf numFmtId="14"/></cellStyleXfs><cellXfs><xf numFmtId="0"/>${formats.map((_, n) => `<xf numFmtId="${n + 164}"/>`).join('')}</cellXfs><dxfs><dxf><numFmt numFmtId="164" formatCode="0"/></dxf></dxfs></styleSheet>`,
  }
  if (strings !== undefined) files['xl/sharedStrings.xml'] = `<sst ${main}>${strings}</sst>`
  for (const [n, rows] of Object.values(sheets).entries())
    files[`xl/worksheets/sheet${n + 1}.xml`] = rows.startsWith('<row')
      ? `<worksheet ${main}><sheetData>${rows}</sheetData></worksheet>`
      : rows
  return { ...Object.fromEntries(Object.entries(files).map(([name, xml]) => [name, declaration + xml])), ...others }
}

/** An archive with a list of its files at the end, and nothing that is optional. */
export function zip(files: Record<string, string>, stored = false): Buffer {
  const local: Buffer[] = []
  const directory: Buffer[] = []
  let offset = 0
  for (const [name, text] of Object.entries(files)) {
    const content = Buffer.from(text)
    const data = stored ? content : deflateRawSync(content)
    const common = Buffer.alloc(26)
    common.writeUInt16LE(20, 0)
    common.writeUInt16LE(stored ? 0 : 8, 4)
    // Its checksum is at the end of a file of gzip, too.
    gzipSync(content).subarray(-8, -4).copy(common, 10)
    common.writeUInt32LE(data.length, 14)
    common.writeUInt32LE(content.length, 18)
    common.writeUInt16LE(Buffer.byteLength(name), 22)
    const header = Buffer.concat([Buffer.from('PK\x03\x04', 'latin1'), common, Buffer.from(name), data])
    const position = Buffer.alloc(14)
    position.writeUInt32LE(offset, 10)
    directory.push(Buffer.from('PK\x01\x02\x14\x00', 'latin1'), common, position, Buffer.from(name))
    local.push(header)
    offset += header.length
  }
  const list = Buffer.concat(directory)
  const end = Buffer.alloc(22)
  end.write('PK\x05\x06', 'latin1')
  end.writeUInt16LE(local.length, 8)
  end.writeUInt16LE(local.length, 10)
  end.writeUInt32LE(list.length, 12)
  end.writeUInt32LE(offset, 16)
  return Buffer.concat([...local, list, end])
}

/** A row of inline strings. */
export const textRow = (...values: string[]) =>
  `<row>${values.map((value) => `<c t="inlineStr"><is><t>${value}</t></is></c>`).join('')}</row>`
