/**
 * Fonts of accounts, registered under a private name for each id while they are drawn with, and some time after: two
 * accounts never see each other's, and fonts that were used once do not stay for ever.
 */
import { createHash } from 'node:crypto'
import { failure } from '../../errors.ts'
import type { AccountFont } from '../define.ts'
import { loadCanvas } from './canvas.ts'

interface Held {
  registering: Promise<Registered>
  /** Once it is. */
  registered?: Registered
  borrowers: number
}

interface Registered {
  bytes: number
  remove(): void
}

/** By id, the least recently used first. */
const held = new Map<string, Held>()

/** Bytes of fonts that stay registered when nobody draws with them. */
const idleBytesMax = 64 * 1024 * 1024

/** The name under which a canvas knows the font, until `release`. */
export async function borrowFont(font: AccountFont): Promise<{ name: string; release(): void }> {
  const name = `tintype ${font.id}`
  const entry: Held = held.get(font.id) ?? { registering: register(font, name), borrowers: 0 }
  held.delete(font.id)
  held.set(font.id, entry)
  entry.borrowers += 1
  try {
    entry.registered = await entry.registering
  } catch (error) {
    if (held.get(font.id) === entry) held.delete(font.id)
    throw error
  }
  return {
    name,
    release() {
      entry.borrowers -= 1
      dropIdle()
    },
  }
}

async function register(font: AccountFont, name: string): Promise<Registered> {
  const [{ GlobalFonts }, bytes] = await Promise.all([loadCanvas(), font.read()])
  const key = GlobalFonts.register(ownCopy(bytes, font.id), name)
  if (key === null) throw failure('input_invalid', `The font ${font.id} (${font.family}) could not be read.`)
  return { bytes: bytes.length, remove: () => void GlobalFonts.remove(key) }
}

function dropIdle(): void {
  const idle = [...held].flatMap(([id, { registered, borrowers }]) =>
    registered && borrowers === 0 ? [{ id, ...registered }] : [],
  )
  let bytes = idle.reduce((sum, font) => sum + font.bytes, 0)
  for (const font of idle) {
    if (bytes <= idleBytesMax) break
    held.delete(font.id)
    font.remove()
    bytes -= font.bytes
  }
}

/**
 * Skia tells fonts apart by a hash of their head, and takes away all that have the same at once: also another account's
 * upload of the same file, or a font that ships with the project. So each gets four bytes of its own where nobody reads
 * them: in TTF and OTF the checksum of the first table (OpenType 1.9, "Table directory"), in WOFF2 the version of the
 * font (WOFF2, 4.1).
 */
function ownCopy(bytes: Buffer, id: string): Buffer {
  const copy = Buffer.from(bytes)
  const at = bytes.toString('latin1', 0, 4) === 'wOF2' ? 24 : 16
  if (copy.length >= at + 4) createHash('sha256').update(id).digest().copy(copy, at, 0, 4)
  return copy
}
