/** Fonts for tests. */
import { readFileSync } from 'node:fs'

export const ttf = readFileSync(new URL('../fonts/OCRB7.ttf', import.meta.resolve('bwip-js')))

/** The same font with one glyph for all characters: a line back and forth between `points` points (OpenType 1.9, glyf). */
export function withOutline(points: number): Buffer {
  const record = (tag: string) => ttf.indexOf(tag, 12, 'latin1') + 8
  const offsetOf = (tag: string) => ttf.readUInt32BE(record(tag))
  const head = Buffer.alloc(14)
  for (const [at, value] of [1, 0, 0, 700, 700, points - 1].entries()) head.writeInt16BE(value, at * 2)
  // The flag "on the curve", and how often it repeats.
  const flags = Array.from({ length: Math.ceil(points / 256) }, (_, i) => [
    9,
    Math.min(256, points - i * 256) - 1,
  ]).flat()
  const deltas = (step: number) => {
    const bytes = Buffer.alloc(points * 2)
    const at = (i: number) => (i < 0 ? 0 : (i * step) % 700)
    for (let i = 0; i < points; i += 1) bytes.writeInt16BE(at(i) - at(i - 1), i * 2)
    return bytes
  }
  const outline = Buffer.concat([head, Buffer.from(flags), deltas(367), deltas(487)])
  const glyf = Buffer.concat([outline, Buffer.alloc(-outline.length & 3)])
  const loca = Buffer.alloc((ttf.readUInt16BE(offsetOf('maxp') + 4) + 1) * 4)
  for (let at = 4; at < loca.length; at += 8) loca.writeUInt32BE(glyf.length, at)
  const start = ttf.length + (-ttf.length & 3)
  const copy = Buffer.concat([ttf, Buffer.alloc(start - ttf.length), glyf, loca])
  copy.writeInt16BE(1, offsetOf('head') + 50)
  for (const [tag, offset, { length }] of [
    ['glyf', start, glyf],
    ['loca', start + glyf.length, loca],
  ] as const) {
    copy.writeUInt32BE(offset, record(tag))
    copy.writeUInt32BE(length, record(tag) + 4)
  }
  return copy
}
