/** Parses the text entries of an archive. Throws `damaged` for unexpected content. */
import { refusal } from '../../errors.ts'
import type { Row } from '../database/exported-tables.ts'
import { type ArchiveEntry, damaged, formatVersion, type Manifest, manifestName, sha256 } from './archive.ts'

/** An export ends its files after 1 MiB, and a row has some MiB at most. */
const textBytesMax = 67_108_864

export async function textOf({ name, bytes, content }: ArchiveEntry): Promise<{ text: string; sha256: string }> {
  if (bytes > textBytesMax) throw damaged(`${name} is too large`)
  const chunks: Uint8Array[] = []
  for await (const chunk of content) chunks.push(chunk)
  const all = Buffer.concat(chunks)
  return { text: all.toString(), sha256: sha256().update(all).digest('hex') }
}

export async function manifestOf(entry: ArchiveEntry): Promise<Manifest & { sha256: string }> {
  if (entry.name !== manifestName) throw damaged(`it starts with ${entry.name} instead of ${manifestName}`)
  const { text, sha256 } = await textOf(entry)
  const manifest = jsonOf<Partial<Manifest>>(manifestName, text)
  if (manifest.format !== 'tintype-archive') throw damaged(`${manifestName} does not describe an archive of Tintype`)
  if (manifest.formatVersion !== formatVersion) {
    throw refusal(
      `The archive was written by release ${manifest.version}, in a format that this release does not support. Import it with that release.`,
    )
  }
  const migrations = manifest.migrations ?? []
  if (migrations.length === 0) throw damaged(`${manifestName} names no migrations`)
  return { ...(manifest as Manifest), migrations, sha256 }
}

export function jsonOf<Value extends object>(name: string, text: string): Value {
  try {
    const value: unknown = JSON.parse(text)
    if (typeof value === 'object' && value !== null) return value as Value
  } catch {
    // The message of the parser quotes the content.
    throw damaged(`${name} is not JSON`)
  }
  throw damaged(`${name} is not a JSON object`)
}

export function rowsOf(name: string, text: string): Row[] {
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => jsonOf<Row>(name, line))
}
