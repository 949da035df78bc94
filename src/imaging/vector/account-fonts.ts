/**
 * Registers fonts of accounts under a private name for each id while texts use them, and for some time after.
 * Accounts never see each other's fonts, and unused fonts are removed.
 */
import { createHash } from 'node:crypto'
import { createBoundedCache } from '../../bounded-cache.ts'
import { failure } from '../../errors.ts'
import { limits } from '../../limits.ts'
import type { AccountFont } from '../types.ts'
import { loadCanvas } from './canvas.ts'

interface LoadedFont {
  registering: Promise<Registered>
  borrowers: number
}

interface Registered {
  bytes: number
  remove(): void
}

/** Fonts in use, by id. */
const loaded = new Map<string, LoadedFont>()

/** Registered fonts that are not in use, by id. */
const idle = createBoundedCache<Registered>(
  { bytesMax: limits.idleFontsBytesMax, accountBytesMax: limits.idleFontsAccountBytesMax },
  ({ remove }) => remove(),
)

/** The name of the font on a canvas, until `release`. */
export async function borrowFont(font: AccountFont): Promise<{ name: string; release(): void }> {
  const { id, accountId } = font
  const name = `tintype ${id}`
  const entry: LoadedFont = loaded.get(id) ?? { registering: registered(font, name), borrowers: 0 }
  loaded.set(id, entry)
  entry.borrowers += 1
  try {
    const ready = await entry.registering
    return {
      name,
      release() {
        entry.borrowers -= 1
        if (entry.borrowers > 0) return
        loaded.delete(id)
        idle.set(id, ready, { accountId, bytes: ready.bytes })
      },
    }
  } catch (error) {
    if (loaded.get(id) === entry) loaded.delete(id)
    throw error
  }
}

function registered(font: AccountFont, name: string): Promise<Registered> {
  const known = idle.take(font.id)
  return known ? Promise.resolve(known) : register(font, name)
}

async function register(font: AccountFont, name: string): Promise<Registered> {
  const [{ GlobalFonts }, bytes] = await Promise.all([loadCanvas(), font.read()])
  const key = GlobalFonts.register(ownCopy(bytes, font.id), name)
  if (key === null) throw failure('input_invalid', `Font "${font.id}" (${font.family}) can't be read. Upload it again.`)
  return { bytes: bytes.length, remove: () => void GlobalFonts.remove(key) }
}

/**
 * Skia identifies fonts by a hash of their header, and removes all fonts with the same hash: also another account's
 * upload of the same file, or a bundled font. So each registration gets four unique bytes where no code reads them:
 * in TTF and OTF the checksum of the first table (OpenType 1.9, "Table directory"), in WOFF2 the version of the font
 * (WOFF2, 4.1).
 */
function ownCopy(bytes: Buffer, id: string): Buffer {
  const copy = Buffer.from(bytes)
  const at = bytes.toString('latin1', 0, 4) === 'wOF2' ? 24 : 16
  if (copy.length >= at + 4) createHash('sha256').update(id).digest().copy(copy, at, 0, 4)
  return copy
}
