/**
 * Fonts of accounts, registered under a private name for each id while they are drawn with, and some time after: two
 * accounts never see each other's, and fonts that were used once do not stay for ever.
 */
import { failure } from '../../errors.ts'
import type { AccountFont } from '../define.ts'
import { loadCanvas } from './canvas.ts'

interface Held {
  registering: Promise<{ bytes: number; remove(): void }>
  borrowers: number
}

/** By id, the least recently used first. */
const held = new Map<string, Held>()

/** Bytes of fonts that stay registered when nobody draws with them. */
const idleBytesMax = 64 * 1024 * 1024

/** The name under which a canvas knows the font, until `release`. */
export async function borrowFont(font: AccountFont): Promise<{ name: string; release(): void }> {
  const name = `tintype ${font.id}`
  const entry = held.get(font.id) ?? { registering: register(font, name), borrowers: 0 }
  held.delete(font.id)
  held.set(font.id, entry)
  entry.borrowers += 1
  const release = () => {
    entry.borrowers -= 1
    void dropIdle()
  }
  try {
    await entry.registering
  } catch (error) {
    if (held.get(font.id) === entry) held.delete(font.id)
    throw error
  }
  return { name, release }
}

async function register(font: AccountFont, name: string) {
  const [{ GlobalFonts }, bytes] = await Promise.all([loadCanvas(), font.read()])
  const key = GlobalFonts.register(bytes, name)
  if (key === null) throw failure('input_invalid', `The font ${font.id} (${font.family}) could not be read.`)
  return { bytes: bytes.length, remove: () => void GlobalFonts.remove(key) }
}

async function dropIdle(): Promise<void> {
  const idle: { id: string; bytes: number; remove(): void }[] = []
  for (const [id, { registering, borrowers }] of held) {
    const font = borrowers === 0 ? await registering.catch(() => undefined) : undefined
    if (font) idle.push({ id, ...font })
  }
  let bytes = idle.reduce((sum, font) => sum + font.bytes, 0)
  for (const font of idle) {
    if (bytes <= idleBytesMax) break
    // Others had a turn meanwhile.
    if (held.get(font.id)?.borrowers !== 0) continue
    held.delete(font.id)
    font.remove()
    bytes -= font.bytes
  }
}
