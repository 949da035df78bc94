/** A hostile file: its kind, the ways in which it reaches the service, and how that ends. */

/**
 * `upload` and `url`: an image, as an upload and as the source of a workflow, which the service downloads. `verify`: a file whose Content
 * Credentials are verified. `font`: an upload of a font. `svg`, `html`, `css`, `cube`, `data` and `text`: the text of a workflow parameter.
 * `csv` and `ndjson`: rows of a batch.
 */
export type Way =
  | 'upload'
  | 'url'
  | 'verify'
  | 'font'
  | 'svg'
  | 'html'
  | 'css'
  | 'cube'
  | 'data'
  | 'text'
  | 'csv'
  | 'ndjson'

export interface HostileFile {
  kind: string
  /** The fault, in words. */
  fault: string
  ways: Way[]
  make(): Buffer | string | Promise<Buffer | string>
  /** `either`: some decoders read it, so it may also be accepted. */
  ends: 'refused' | 'either'
}

export type Row = [fault: string, make: HostileFile['make'], ends?: HostileFile['ends']]

export function rowsOf(kind: string, ways: Way[], rows: Row[]): HostileFile[] {
  return rows.map(([fault, make, ends = 'refused']) => ({ kind, fault, ways, make, ends }))
}

export const images: Way[] = ['upload', 'url']

export function u16(...values: number[]): Buffer {
  const bytes = Buffer.alloc(values.length * 2)
  for (const [at, value] of values.entries()) bytes.writeUInt16BE(value & 0xffff, at * 2)
  return bytes
}

export function u32(...values: number[]): Buffer {
  const bytes = Buffer.alloc(values.length * 4)
  for (const [at, value] of values.entries()) bytes.writeUInt32BE(value >>> 0, at * 4)
  return bytes
}

export function times(count: number, part: Buffer): Buffer {
  return Buffer.alloc(part.length * count, part)
}
