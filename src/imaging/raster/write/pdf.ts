/** PDF documents with an image on each page. */
import type { Origin } from '../../../domain/images/origin.ts'
import type { OutputEncoding } from '../../../domain/workflows/output.ts'
import type { PdfSettings } from '../../../domain/workflows/outputs.ts'
import type { PageLayout } from '../../../domain/workflows/page-layout.ts'
import type { ImageValue } from '../../types.ts'
import { type ImageContext, imageFromPixels, pixelsOf, sharpOf, toPixels } from '../image.ts'
import { chunksOf } from '../read/png-chunks.ts'
import { markedXmp } from '../xmp.ts'
import { encodeAuto } from './encode-auto.ts'
import { scaleToWidth } from './scale.ts'

export interface EncodedPage {
  page: PageLayout
  bytes: Buffer
  /** A PNG is opaque, with 8 bits per channel. */
  format: 'jpeg' | 'png'
  width: number
  height: number
}

/** Defaults for print: text stays sharp. */
const defaults = { quality: 90, chroma: '4:4:4' } as const

/** The first frame on white paper, no larger than the density of the page needs. */
export async function encodePage(
  image: ImageValue,
  page: PageLayout,
  { quality = defaults.quality, chroma = defaults.chroma, lossless = false }: PdfSettings,
  context: ImageContext,
): Promise<EncodedPage> {
  const { animation: _animation, gainMap: _gainMap, ...still } = image
  const scaled = await scaleToWidth(still, Math.min(image.width, page.imagePixels), context)
  if (!lossless) return { page, ...(await encodeAs(scaled, { format: 'jpeg', quality, chroma })) }
  const pixels = await pixelsOf(scaled, context)
  const opaque = pixels.channels === 4 ? await flattened() : pixels
  return { page, ...(await encodeAs({ ...still, ...imageFromPixels(opaque) }, { format: 'png', effort: 'high' })) }

  async function flattened() {
    return toPixels(context, (await sharpOf(pixels)).flatten({ background: 'white' }))
  }

  async function encodeAs(value: ImageValue, settings: OutputEncoding) {
    const { bytes, width, height } = await encodeAuto(value, settings, context)
    return { bytes, format: settings.format as EncodedPage['format'], width, height }
  }
}

/** The same pages give the same bytes: the document has no date. `origin`: marks it as made by an AI model. */
export async function bindPages(pages: readonly EncodedPage[], origin: Origin | undefined): Promise<Buffer> {
  const {
    PDFDocument,
    PDFName,
    PDFRawStream,
    drawObject,
    popGraphicsState,
    pushGraphicsState,
    concatTransformationMatrix,
  } = await import('@cantoo/pdf-lib')
  const pdf = await PDFDocument.create({ updateMetadata: false })
  pdf.setProducer('Tintype')
  const { context, catalog } = pdf
  if (origin) {
    const xmp = Buffer.from(markedXmp(undefined, origin))
    const dict = context.obj({ Type: 'Metadata', Subtype: 'XML', Length: xmp.length })
    catalog.set(PDFName.of('Metadata'), context.register(PDFRawStream.of(dict, xmp)))
  }
  for (const encoded of pages) {
    const { x, y, width, height } = encoded.page.image
    const page = pdf.addPage([encoded.page.width, encoded.page.height])
    const { dict, contents } = imageStream(encoded)
    const image = context.register(PDFRawStream.of(context.obj(dict), contents))
    page.node.setXObject(PDFName.of('Image'), image)
    page.pushOperators(
      pushGraphicsState(),
      concatTransformationMatrix(width, 0, 0, height, x, y),
      drawObject('Image'),
      popGraphicsState(),
    )
  }
  const { buffer, byteOffset, length } = await pdf.save({ addDefaultPage: false, updateFieldAppearances: false })
  return Buffer.from(buffer, byteOffset, length)
}

/** The bytes are copied as they are: PDF has the compression of JPEG, and that of PNG with its row filters (ISO 32000-1, 7.4.4.4). */
function imageStream({ bytes, format, width, height }: EncodedPage) {
  const common = {
    Type: 'XObject',
    Subtype: 'Image',
    Width: width,
    Height: height,
    BitsPerComponent: 8,
  }
  if (format === 'jpeg') {
    const dict = { ...common, ColorSpace: 'DeviceRGB', Filter: 'DCTDecode', Length: bytes.length }
    return { dict, contents: bytes }
  }
  const chunks = [...chunksOf(bytes)]
  const contents = Buffer.concat(chunks.flatMap(({ type, data }) => (type === 'IDAT' ? [data] : [])))
  const header = chunks.find(({ type }) => type === 'IHDR')?.data
  const isGrey = header?.[9] === 0
  const parameters = { Predictor: 15, Colors: isGrey ? 1 : 3, BitsPerComponent: 8, Columns: width }
  const dict = {
    ...common,
    ColorSpace: isGrey ? 'DeviceGray' : 'DeviceRGB',
    Filter: 'FlateDecode',
    DecodeParms: parameters,
    Length: contents.length,
  }
  return { dict, contents }
}
