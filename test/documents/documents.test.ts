/** PDF and PSD files that other programs wrote, next to how other programs draw them. The README lists the programs. */
import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { test } from 'node:test'
import { imageFromBytes, pixelsOf } from '../../src/imaging/raster/image.ts'
import { inspect } from '../../src/imaging/raster/read/inspect.ts'
import { loadSharp } from '../../src/imaging/raster/sharp.ts'
import { isFault } from '../../src/imaging/raster/test-faults.ts'
import { contextFor, testProcesses } from '../../src/imaging/raster/test-images.ts'
import type { ImageValue } from '../../src/imaging/types.ts'

const folder = new URL('./', import.meta.url)
const context = contextFor()
/** Resolution of the drawings of Poppler. */
const dpi = 50

const pages: [file: string, page: number, drawing: string][] = [
  ['cairo.pdf', 1, 'cairo.png'],
  ['ghostscript.pdf', 1, 'ghostscript.png'],
  ['ghostscript.pdf', 2, 'ghostscript-page-2.png'],
  ['inkscape.pdf', 1, 'inkscape.png'],
  ['libreoffice.pdf', 1, 'libreoffice.png'],
  ['owner-password.pdf', 1, 'ghostscript.png'],
  ['qpdf-rotated.pdf', 1, 'qpdf-rotated.png'],
  ['reportlab.pdf', 1, 'reportlab.png'],
]

for (const [file, number, drawing] of pages) {
  test(`page ${number} of ${file} looks like in Poppler`, async () => {
    const warnings: string[] = []
    const warn = (warning: string) => warnings.push(warning)
    const image = await imageFromBytes(await bytesOf(file), contextFor({ warn }), { number, dpi })
    assert.deepEqual(warnings, [])
    // The substitutes of missing fonts, and the inks of CMYK, differ a little.
    assert.ok((await difference(image, drawing)) < 4)
  })
}

test('a PDF that needs a password is rejected', async () => {
  const image = imageFromBytes(await bytesOf('user-password.pdf'), context)
  await assert.rejects(image, isFault('input_invalid', /protected by a password\. Export it without a password/))
})

const composites: [file: string, drawing: string, tolerance: number][] = [
  ['gimp.psd', 'gimp.png', 1],
  ['imagemagick-16-bit.psb', 'imagemagick.png', 1],
  // ImageMagick converts without profiles.
  ['imagemagick-cmyk.psd', 'imagemagick.png', 12],
  ['imagemagick-rgb.psd', 'imagemagick.png', 1],
]

for (const [file, drawing, tolerance] of composites) {
  test(`the composite of ${file} is the image that was saved`, async () => {
    const image = await imageFromBytes(await bytesOf(file), context)
    assert.ok((await difference(image, drawing)) < tolerance)
    const { width, height } = image
    const facts = await inspect(new URL(file, folder).pathname, { processes: testProcesses, pixelsMax: 1e6 })
    assert.deepEqual(facts, { format: 'psd', width, height })
  })
}

function bytesOf(file: string): Promise<Buffer> {
  return readFile(new URL(file, folder))
}

/** The mean difference of the channels, 0 to 255, on grey and slightly blurred. */
async function difference(image: ImageValue, file: string): Promise<number> {
  const sharp = await loadSharp()
  const { data, width, height, channels } = await pixelsOf(image, context)
  const [is, expected] = await Promise.all([
    blurred(sharp(data, { raw: { width, height, channels } })),
    blurred(sharp(await bytesOf(file))),
  ])
  assert.deepEqual([is.info.width, is.info.height], [expected.info.width, expected.info.height])
  let sum = 0
  for (let at = 0; at < is.data.length; at += 1) sum += Math.abs((is.data[at] ?? 0) - (expected.data[at] ?? 0))
  return sum / is.data.length
}

function blurred(image: import('sharp').Sharp) {
  return image
    .flatten({ background: '#808080' })
    .toColourspace('srgb')
    .blur(1.5)
    .raw()
    .toBuffer({ resolveWithObject: true })
}
