/**
 * Usage: node scripts/operation-pictures.ts. Also run by `npm run golden -- --update`.
 *
 * Writes the pictures of operations that the console's palette shows: golden images, side by side in one file.
 */
import { writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import sharp from 'sharp'
import { fileOf, goldens } from '../test/golden/render.ts'

/** Pixels of a picture, for screens with two of them in a CSS pixel. */
export const side = 72
const columns = 10
const folder = new URL('../console/src/ui/', import.meta.url)
export const sprite = new URL('operation-pictures.avif', folder)
export const list = new URL('operation-pictures.json', folder)

/** Examples that show an operation better than its first one. */
const chosen: Record<string, string> = {
  adjust: 'strong colours',
  chart: 'a donut',
  extend: 'mirrored',
  flip: 'vertical',
  grain: 'coarse',
  levels: 'faded',
  mask: 'a hole',
  median: 'like a painting',
  sharpen: 'strong',
  shape: 'a star',
  text: 'alone',
  vignette: 'a white frame',
  watermark: 'a text all over',
}

/** Operations whose golden image is a fake provider's, or an unchanged input. */
const without = new Set([
  ...['generate', 'edit', 'inpaint'],
  ...['choose', 'describe', 'info', 'judge', 'palette', 'phash', 'similarity'],
])

/** The name of the golden image of each operation with a picture, in the order of the file. */
export function picturesOfOperations(): Map<string, string> {
  const pictures = new Map<string, string>()
  for (const { operation, example, name } of goldens()) {
    if (without.has(operation.id)) continue
    if (chosen[operation.id] === example.name || !pictures.has(operation.id)) pictures.set(operation.id, name)
  }
  return pictures
}

/** A golden image as a picture. Strips of frames show the first one. */
export async function pictureOf(name: string): Promise<Buffer> {
  const image = sharp(fileURLToPath(fileOf(name)))
  const { width = 1, height = 1 } = await image.metadata()
  const shown = height > width * 1.9 ? image.extract({ left: 0, top: 0, width, height: width }) : image
  return shown.resize(side, side, { fit: 'cover' }).ensureAlpha().raw().toBuffer()
}

export async function writeOperationPictures(): Promise<void> {
  const pictures = [...picturesOfOperations()]
  const images = await Promise.all(pictures.map(([, name]) => pictureOf(name)))
  const rows = Math.ceil(images.length / columns)
  const sheet = sharp({
    create: { width: columns * side, height: rows * side, channels: 4, background: '#0000' },
  }).composite(
    images.map((input, index) => ({
      input,
      raw: { width: side, height: side, channels: 4 },
      left: (index % columns) * side,
      top: Math.floor(index / columns) * side,
    })),
  )
  await writeFile(sprite, await sheet.avif({ quality: 62, effort: 6 }).toBuffer())
  await writeFile(list, `${JSON.stringify({ columns, rows, operations: pictures.map(([id]) => id) }, null, 2)}\n`)
}

if (import.meta.main) await writeOperationPictures()
