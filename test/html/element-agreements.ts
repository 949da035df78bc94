/**
 * Compares the frames of elements with pixels: paints one element over with a plain colour, or an image with another one, and finds the pixels that
 * change.
 */
import assert from 'node:assert/strict'
import { type DefaultTreeAdapterTypes, defaultTreeAdapter, parse, serialize } from 'parse5'
import type { Frame } from '../../shared/frames.ts'
import { imageFromPixels, pixelsOf } from '../../src/imaging/raster/image.ts'
import type { ImageValue, Pixels } from '../../src/imaging/types.ts'
import { html } from '../../src/operations/text/html.ts'
import { context } from '../golden/render.ts'
import { boundsOfChange, boundsOfFrame, overlapOf } from '../harness/frame-pixels.ts'
import type { Card } from './card.ts'

/** How the frames of the elements of a card agree with its pixels. */
export async function elementAgreements(
  card: Card,
  images: ImageValue[],
): Promise<{ frame: Frame; overlap: number }[]> {
  const { frames } = await draw(card, images)
  const found = []
  for (const frame of frames.filter(({ id }) => id !== 'size')) {
    const [plain, painted] = await Promise.all(
      [plainStyle, `${plainStyle}${paintStyle}`].map((style) => draw(withStyle(card, frame.id, style), images)),
    )
    if (plain === undefined || painted === undefined) continue
    const change = await boundsOfChange(plain.pixels, painted.pixels, context)
    const expected = boundsOfFrame(frame, plain.pixels)
    // Outside of the image, or covered.
    if (expected === undefined || change === undefined) continue
    const overlap = overlapOf(expected, change)
    found.push({ frame, overlap })
  }
  return found
}

async function draw(card: Card, images: ImageValue[]): Promise<{ pixels: Pixels; frames: Frame[] }> {
  const { html: markup, css, width, height } = card
  const plain = imageFromPixels({ data: Buffer.from([255, 0, 255]), width: 1, height: 1, channels: 3 })
  const params = { html: markup, css, width, ...(height !== undefined && { height }), scale: 1, missingGlyphs: 'warn' }
  const { image, drawn = [] } = await html.run({ images: [...images, plain] } as never, params as never, {
    ...context,
    wires: { images: [...card.images, 'plain'] },
  })
  assert.ok(image)
  return { pixels: await pixelsOf(image, context), frames: drawn }
}

type Element = DefaultTreeAdapterTypes.Element

/** Styles without effects that paint outside of the box, or not all of it. */
const plainStyle =
  'box-shadow:none;filter:none;border-radius:0;mask-image:none;opacity:1;background-clip:border-box;object-fit:fill;z-index:9;'
const paintStyle = 'background-color:#f0f;background-image:none;border-color:#f0f;'

/** The card with this style of an element. An image that is painted over is another image. */
function withStyle(card: Card, id: string, style: string): Card {
  const document = parse(card.html)
  const element = elementOf(document, id)
  const set = (name: string, value: string) => {
    const attr = element.attrs.find((each) => each.name === name)
    if (attr) attr.value = value
    else element.attrs.push({ name, value })
  }
  const own = element.attrs.find(({ name }) => name === 'style')?.value ?? ''
  set('style', `${own};${style}`)
  if (element.tagName === 'img' && style.endsWith(paintStyle)) set('src', 'node:plain')
  return { ...card, html: serialize(document) }
}

function elementOf(document: DefaultTreeAdapterTypes.Document, id: string): Element {
  const [, name, number = '1'] = /^([^-]+)-?(\d*)$/.exec(id) ?? []
  const found: Element[] = []
  const waiting: DefaultTreeAdapterTypes.ParentNode[] = [document]
  for (let node = waiting.pop(); node; node = waiting.pop()) {
    if (defaultTreeAdapter.isElementNode(node)) {
      const own = node.attrs.find((attr) => attr.name === 'id')?.value
      if (id.startsWith('#') ? `#${own}` === id : node.tagName === name) found.push(node)
    }
    waiting.push(...node.childNodes.filter((child) => 'childNodes' in child).reverse())
  }
  return found[(id.startsWith('#') ? 1 : Number(number || '1')) - 1] ?? assert.fail(id)
}
