/** Draws HTML with CSS to pixels: collects the images and fonts that it names, and reports missing characters. */
import type { Frame } from '../../../shared/frames.ts'
import { failure } from '../../errors.ts'
import { limits } from '../../limits.ts'
import { toRgba } from '../raster/channels.ts'
import { pixelsOf } from '../raster/image.ts'
import { coveringSize, scaleTo } from '../raster/shape/scaled.ts'
import { checkSize } from '../raster/size.ts'
import type { ImageValue, ImagingContext, Pixels } from '../types.ts'
import { familyNamed } from '../vector/families.ts'
import { type MissingGlyphsPolicy, reportMissing } from '../vector/missing-glyphs.ts'
import { warnOfControls, withoutControls } from '../vector/prepare-text.ts'
import { drawInProcess } from './html-processes.ts'
import type { HtmlJob, JobFont, JobImage } from './messages.ts'
import { sentence } from './problem.ts'

export interface HtmlDocument {
  html: string
  css: string
  width: number
  height: number | undefined
  scale: number
  background: string | undefined
  missingGlyphs: MissingGlyphsPolicy
  /** The images of each connected node. */
  images: ReadonlyMap<string, readonly ImageValue[]>
}

/** `frames`: the boxes of elements. */
export async function renderHtml(
  document: HtmlDocument,
  context: ImagingContext,
): Promise<{ pixels: Pixels; frames: Frame[] }> {
  const { width, height, scale, background } = document
  warnOfControls(`${document.html}${document.css}`, context)
  const html = withoutControls(document.html).toWellFormed()
  const css = withoutControls(document.css)
    .toWellFormed()
    .replaceAll(/[\v\u0085]/g, ' ')
  const pixelsMax = Math.min(context.pixelsMax, limits.htmlPixelsMax)
  checkSize(Math.round(width * scale), Math.round((height ?? 1) * scale), pixelsMax)
  const [images, fonts] = await Promise.all([namedImages(document, context), namedFonts(document, context)])
  const job: HtmlJob = {
    html,
    css,
    width,
    height,
    scale,
    background,
    pixelsMax,
    sidePixelsMax: limits.sidePixelsMax,
    images,
    fonts,
  }
  const reply = await drawInProcess(job, context)
  if ('problems' in reply) {
    const [first] = reply.problems
    const more = reply.problems.length > 1 ? ` (and ${reply.problems.length - 1} more)` : ''
    throw failure(
      'input_invalid',
      `The param ${first?.param} has a mistake${more}: ${first ? sentence(first.problem) : ''}`,
    )
  }
  if ('refused' in reply)
    throw failure('input_invalid', `The HTML can't be drawn: ${reply.refused} Change the HTML or the CSS.`, {
      cause: reply.refused,
    })
  if (reply.data === undefined) {
    checkSize(reply.width, reply.height, pixelsMax)
    throw failure('limit_exceeded', `The HTML is ${reply.width} x ${reply.height} pixels large, more than the maximum.`)
  }
  reportMissing(reply.missing, document.missingGlyphs, context)
  const data = Buffer.from(reply.data.buffer, reply.data.byteOffset, reply.data.byteLength)
  const pixels: Pixels = { data, width: reply.width, height: reply.height, channels: 4 }
  return { pixels, frames: reply.frames }
}

/** Names are known only by their text: the renderer's process parses the document. */
async function namedImages(
  { html, css, width, height, scale, images }: HtmlDocument,
  context: ImagingContext,
): Promise<JobImage[]> {
  const named = new Map<string, ImageValue>()
  const unused = new Map<string, ImageValue>()
  for (const [node, list] of images) {
    for (const [index, image] of list.entries()) {
      const name = index === 0 ? node : `${node}/${index}`
      ;(isNamed(`node:${name}`, html) || isNamed(`node:${name}`, css) ? named : unused).set(name, image)
    }
  }
  const canvas = { width: Math.ceil(width * scale), height: Math.ceil((height ?? 1) * scale) }
  const used = [...named].map(async ([name, image]) => {
    const { data, width, height } = await toRgba(await fitted(image, canvas, context), context)
    return { name, width, height, data }
  })
  // The document is checked against all names.
  const empty = [...unused.keys()].map((name) => ({ name, width: 1, height: 1, data: Buffer.alloc(4) }))
  return [...(await Promise.all(used)), ...empty]
}

function isNamed(reference: string, text: string): boolean {
  return text.includes(reference)
}

/** No document shows more pixels than the canvas has, and shrinking here is faster than in the renderer. */
async function fitted(
  image: ImageValue,
  canvas: { width: number; height: number },
  context: ImagingContext,
): Promise<Pixels> {
  const covering = coveringSize(image, canvas)
  return covering.width < image.width ? scaleTo(image, covering, context) : pixelsOf(image, context)
}

/** The fonts of the account whose families are in the text. Packaged families have priority, as in the operation `text`. */
async function namedFonts({ html, css }: HtmlDocument, context: ImagingContext): Promise<JobFont[]> {
  const text = `${html}\n${css}`.toLowerCase()
  if (!text.includes('--') && !text.includes('font-family')) return []
  const all = (await context.fonts?.()) ?? []
  const named = all.filter(({ family }) => text.includes(family.toLowerCase()) && familyNamed(family) === undefined)
  const fonts: JobFont[] = []
  let total = 0
  for (const font of named.toSorted((a, b) => (a.id < b.id ? -1 : 1))) {
    const [bytes, characters] = await Promise.all([font.read(), font.characters()])
    total += bytes.length
    if (total > limits.htmlFontBytesMax)
      throw failure(
        'limit_exceeded',
        `The uploaded fonts that the CSS names have more than ${limits.htmlFontBytesMax} bytes together, the maximum. Name fewer families.`,
      )
    const { id, family, weightMin, weightMax, italic } = font
    fonts.push({ id, family, weightMin, weightMax, italic, bytes, characters })
  }
  return fonts
}
