/** A hostile file: its kind, the ways in which it reaches the service, and how that ends. */

/**
 * `upload` and `url`: an image, as an upload and as the source of a workflow, which the service downloads. `verify`: a file whose Content
 * Credentials are verified. `font`: an upload of a font. `svg`, `html`, `css`, `cube`, `data` and `text`: the text of a workflow parameter.
 * `csv` and `ndjson`: rows of a batch.
 */
export type Way = 'upload' | 'url' | 'verify' | 'font' | 'csv' | 'ndjson' | ParameterWay
export type ParameterWay = 'svg' | 'html' | 'css' | 'cube' | 'data' | 'text'

export interface HostileFile {
  kind: string
  /** The fault, in words. */
  fault: string
  ways: Way[]
  make: Make
  /** Some decoders read it, so it may also be accepted. */
  mayPass: boolean
}

type Make = () => Buffer | string | Promise<Buffer | string>

/** Files that are refused, and files that some decoders read, by their fault. */
export function filesOf(
  kind: string,
  ways: Way[],
  refused: Record<string, Make>,
  either: Record<string, Make> = {},
): HostileFile[] {
  const rows = (makes: Record<string, Make>, mayPass: boolean) =>
    Object.entries(makes).map(([fault, make]) => ({ kind, fault, ways, make, mayPass }))
  return [...rows(refused, false), ...rows(either, true)]
}

export const images: Way[] = ['upload', 'url']

export const times = (count: number, part: Buffer) => Buffer.alloc(part.length * count, part)
export const hex = (text: string) => Buffer.from(text, 'hex')
