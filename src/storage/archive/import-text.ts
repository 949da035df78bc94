/** The entries of an archive that are text, taken for damaged where they are not as expected. */
import { failure } from '../../errors.ts'
import type { Row } from '../database/exported-tables.ts'
import { type ArchiveEntry, damaged, formatVersion, type Manifest, manifestName, sha256 } from './archive.ts'

/** An export ends its files at 1 MiB, and a row of ours has a few. */
const textBytesMax = 67_108_864

export async function textOf({ name, bytes, content }: ArchiveEntry): Promise<{ text: string; sha256: string }> {
  if (bytes > textBytesMax) throw damaged(`${name} is too large`)
  const chunks: Uint8Array[] = []
  for await (const chunk of content) chunks.push(chunk)
  const all = Buffer.concat(chunks)
  return { text: all.toString(), sha256: sha256().update(all).digest('hex') }
}

export async function manifestOf(entry: ArchiveEntry): Promise<Manifest & { sha256: string }> {
  if (entry.name !== manifestName) throw damaged(`it begins with ${entry.name}, not with ${manifestName}`)
  const { text, sha256 } = await textOf(entry)
  const manifest = jsonOf<Partial<Manifest>>(manifestName, text)
  if (manifest.format !== 'tintype-archive') throw damaged(`${manifestName} does not tell of an archive of Tintype`)
  if (manifest.formatVersion !== formatVersion) {
    throw failure(
      'input_invalid',
      `The archive was written by another release (${manifest.version}), in a format that this one does not know.`,
    )
  }
  const migrations = manifest.migrations ?? []
  if (migrations.length === 0) throw damaged(`${manifestName} tells no migrations`)
  return { ...(manifest as Manifest), migrations, sha256 }
}

export function jsonOf<Value extends object>(name: string, text: string): Value {
  try {
    const value: unknown = JSON.parse(text)
    if (typeof value === 'object' && value !== null) return value as Value
  } catch {
    // What the parser says quotes the content.
    throw damaged(`${name} is no JSON`)
  }
  throw damaged(`${name} is no JSON object`)
}

export function rowsOf(name: string, text: string): Row[] {
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => jsonOf<Row>(name, line))
}
