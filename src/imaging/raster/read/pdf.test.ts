import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type PageOptions, pdfOf, pdfOfColors, pdfPage, streamOf } from '../../../../test/harness/pdfs.ts'
import { until } from '../../../../test/harness/wait.ts'
import { Fault } from '../../../errors.ts'
import { limits } from '../../../limits.ts'
import { imageFromBytes, pixelsOf } from '../image.ts'
import { enlargeToAtLeast } from '../shape/enlarge.ts'
import { isFault } from '../test-faults.ts'
import { contextFor, pixelAt, testProcesses, withFile } from '../test-images.ts'
import { imageToRender, thumbnailRendition } from '../write/shrink.ts'
import { inspect } from './inspect.ts'

const context = contextFor()
const red = '1 0 0 rg 0 0 36 18 re f'

/** A quarter of the page is red: the lower left. */
async function drawn(options: PageOptions = {}, content = red) {
  const image = await imageFromBytes(pdfPage(content, options), context)
  return { image, pixels: await pixelsOf(image, context) }
}

test('draws the page on white at 150 dpi, with its origin at the bottom', async () => {
  const { image, pixels } = await drawn()
  assert.deepEqual([image.format, image.width, image.height, image.hasAlpha], ['pdf', 150, 75, false])
  assert.deepEqual(pixelAt(pixels, 10, 70), [255, 0, 0])
  assert.deepEqual(pixelAt(pixels, 10, 10), [255, 255, 255])
})

test('draws a page at another resolution, with whole pixels', async () => {
  const image = await imageFromBytes(pdfPage(red, { box: '[0 0 100 50.3]' }), context, { number: 1, dpi: 300 })
  assert.deepEqual([image.width, image.height], [417, 210])
})

test('draws the requested page, and names a missing one', async () => {
  const file = pdfOfColors('1 0 0', '0 1 0')
  const image = await imageFromBytes(file, context, { number: 2, dpi: 72 })
  assert.deepEqual(pixelAt(await pixelsOf(image, context), 5, 5), [0, 255, 0])
  const third = imageFromBytes(file, context, { number: 3, dpi: 72 })
  await assert.rejects(third, isFault('input_invalid', /^The PDF has no page 3: it has 2 pages\.$/))
})

test('a page other than the first one of another image is an error', async () => {
  const drawing = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>')
  const image = imageFromBytes(drawing, context, { number: 2, dpi: 72 })
  await assert.rejects(image, isFault('input_invalid', /no page 2: only a PDF has several pages, and it is an? svg/i))
})

test('crops and rotates as the page says', async () => {
  const { image, pixels } = await drawn({ more: '/Rotate 90/CropBox[0 0 72 18]' })
  assert.deepEqual([image.width, image.height], [38, 150])
  assert.deepEqual(pixelAt(pixels, 5, 5), [255, 0, 0])
  assert.deepEqual(pixelAt(pixels, 5, 140), [255, 255, 255])
})

test('is drawn again when it is enlarged, and at the size of a thumbnail', async () => {
  const { image } = await drawn({}, '0 0 36 36 re f')
  const large = await enlargeToAtLeast(image, { width: 1_500, height: 750 }, 'cubic', context)
  assert.deepEqual([large.width, large.height], [1_500, 750])
  const pixels = await pixelsOf(large, context)
  // A sharp edge: interpolation would make it grey.
  assert.deepEqual(
    [pixelAt(pixels, 749, 9), pixelAt(pixels, 750, 9)],
    [
      [0, 0, 0],
      [255, 255, 255],
    ],
  )
  const small = await imageToRender(pdfPage(red), { width: 72, height: 36 }, thumbnailRendition, context)
  assert.deepEqual([small.width, small.height], [512, 256])
})

test('draws annotations, and the values of form fields', async () => {
  const appearance = (color: string) =>
    streamOf(`${color} rg 0 0 20 20 re f`, '/Type/XObject/Subtype/Form/BBox[0 0 20 20]')
  const { pixels } = await drawn({
    more: '/Annots[5 0 R 7 0 R]',
    catalog: '/AcroForm<</Fields[7 0 R]>>',
    objects: [
      '<</Type/Annot/Subtype/Stamp/Rect[0 0 20 20]/F 4/AP<</N 6 0 R>>>>',
      appearance('0 0 1'),
      '<</Type/Annot/Subtype/Widget/FT/Tx/T(a)/V(b)/Rect[40 0 60 20]/F 4/AP<</N 8 0 R>>>>',
      appearance('0 1 0'),
    ],
  })
  assert.deepEqual(pixelAt(pixels, 10, 60), [0, 0, 255])
  assert.deepEqual(pixelAt(pixels, 100, 60), [0, 255, 0])
})

/** The page shows `codes` in this font. */
async function warningsOf(font: string, codes: string, objects: string[] = []): Promise<string[]> {
  const warnings: string[] = []
  const bytes = pdfPage(`BT /F 12 Tf 5 10 Td ${codes} Tj ET`, { resources: `/Font<</F ${font}>>`, objects })
  await imageFromBytes(bytes, contextFor({ warn: (warning) => warnings.push(warning) }))
  return warnings
}

test('warns about letters in a font that neither the file nor Tintype has', async () => {
  const cjk = '<</Type/Font/Subtype/Type0/BaseFont/KozMinPro-Regular/Encoding/UniJIS-UTF16-H/DescendantFonts[5 0 R]>>'
  const descendant =
    '<</Type/Font/Subtype/CIDFontType0/BaseFont/KozMinPro-Regular/CIDSystemInfo<</Registry(Adobe)/Ordering(Japan1)/Supplement 4>>/FontDescriptor 6 0 R>>'
  const descriptor = '<</Type/FontDescriptor/FontName/KozMinPro-Regular/Flags 4/ItalicAngle 0/Ascent 800/Descent -200>>'
  const [warning = '', ...more] = await warningsOf(cjk, '<65E5672C>', [descendant, descriptor])
  assert.match(warning, /^Page 1 of the PDF has text in fonts that the file doesn't contain \(KozMinPro-Regular\)/)
  assert.deepEqual(more, [])
})

test('doesn’t warn about the standard fonts, which Tintype has', async () => {
  for (const font of ['Helvetica', 'Times-Roman', 'Courier', 'Arial,Bold']) {
    const dictionary = `<</Type/Font/Subtype/Type1/BaseFont/${font}/Encoding/WinAnsiEncoding>>`
    assert.deepEqual(await warningsOf(dictionary, '(Gr\\374\\337e \\200 \\223x\\224 \\225)'), [])
  }
  assert.deepEqual(await warningsOf('<</Type/Font/Subtype/Type1/BaseFont/Symbol>>', '(abc)'), [])
})

const refused: [string, Buffer, RegExp][] = [
  ['only its first bytes', Buffer.from('%PDF-1.7\n'), /^"file": The PDF is corrupt/],
  ['a missing end', pdfPage(red).subarray(0, 90), /corrupt/],
  ['no pages', pdfOf(['<</Type/Catalog/Pages 2 0 R>>', '<</Type/Pages/Kids[]/Count 0>>']), /has no pages/],
  [
    'pages that contain themselves',
    pdfOf(['<</Type/Catalog/Pages 2 0 R>>', '<</Type/Pages/Kids[2 0 R]/Count 9>>']),
    /no pages|corrupt/,
  ],
  ['a page of 5 x 5 m', pdfPage(red, { box: '[0 0 14400 14400]' }), /30000 x 30000 pixels; the maximum is 16384/],
  ['a page with too many pixels', pdfPage(red, { box: '[0 0 7000 7000]' }), /pixels; the maximum is 100000000/],
]

for (const [name, bytes, message] of refused) {
  test(`rejects a PDF with ${name}`, async () => {
    await assert.rejects(
      withFile(bytes, (file) => inspect(file, { processes: testProcesses, pixelsMax: limits.imagePixelsMax })),
      (error: unknown) => {
        assert.ok(error instanceof Fault && error.code === 'invalid_request', String(error))
        assert.match(error.message, message)
        assert.doesNotMatch(error.message, /wasm|malloc|pdfium/i)
        return true
      },
    )
  })
}

test('scripts do not run', async () => {
  const script = '/OpenAction<</S/JavaScript/JS(while \\(true\\) {})>>'
  const { pixels } = await drawn({ catalog: script, more: '/AA<</O<</S/JavaScript/JS(app.alert\\(1\\))>>>>' })
  assert.deepEqual(pixelAt(pixels, 10, 70), [255, 0, 0])
})

test('stops when the execution ends, and releases its memory when its process has ended', async () => {
  const controller = new AbortController()
  const forms = Array.from({ length: 30 }, (_, at) =>
    streamOf(
      at < 29 ? '/F Do '.repeat(9) : red,
      `/Type/XObject/Subtype/Form/BBox[0 0 72 36]/Resources<</XObject<</F ${at + 6} 0 R>>>>`,
    ),
  )
  const endless = pdfPage('/F Do', { resources: '/XObject<</F 5 0 R>>', objects: forms })
  let held = 0
  const reserve = async (bytes: number) => {
    held += bytes
    return () => {
      held -= bytes
    }
  }
  const work = imageFromBytes(endless, contextFor({ signal: controller.signal, reserve }))
  const started = await Promise.race([work, until('a process that draws', () => held > 0 || undefined)])
  assert.equal(started, true)
  controller.abort()
  await assert.rejects(work, isFault('cancelled'))
  await until('the end of the process', () => held === 0 || undefined)
})
