/**
 * Compares the frames of elements with the pixels that change when an element is removed. `visibility: hidden` removes it: the layout stays. Elements
 * whose pixels aren't those of their box are painted over with a plain colour first.
 */
import assert from 'node:assert/strict'
import { type DefaultTreeAdapterTypes, defaultTreeAdapter, parse, serialize } from 'parse5'
import type { Frame } from '../../shared/frames.ts'
import { imageFromPixels, pixelsOf } from '../../src/imaging/raster/image.ts'
import { intersection, type Rectangle } from '../../src/imaging/raster/region.ts'
import type { ImageValue, Pixels } from '../../src/imaging/types.ts'
import { html } from '../../src/operations/text/html.ts'
import { context } from '../golden/render.ts'
import { boundsOfChange, boundsOfFrame, overlapOf } from '../harness/frame-pixels.ts'
import type { Card } from './card.ts'

/**
 * removed: the pixels that change are those of the box. Otherwise the element is painted over before it is removed, without the others, because it shows no pixel
 * (`unpainted`) or not all of its box (`inside`): a text without background, an image that is covered or has a clip path. An element that paints outside of its box, such
 * as a shadow or the marker of an item, isn't removed, but painted over with two colours (`beyond`).
 */
export type Measure = 'removed' | 'unpainted' | 'inside' | 'beyond'

export interface ElementAgreement {
  frame: Frame
  measure: Measure
  /** Intersection over union of the frame and the change. */
  overlap: number
}

/** How the frames of the elements of a card agree with its pixels. */
export async function elementAgreements(card: Card, images: ImageValue[]): Promise<ElementAgreement[]> {
  const normal = await draw({ ...card, scale: 1 }, images)
  const found: ElementAgreement[] = []
  let large: typeof normal | undefined
  for (const frame of normal.frames.filter(({ id }) => id !== 'size')) {
    const scale = isExact(frame) || isLarge(frame) ? 1 : 4
    if (scale > 1) large ??= await draw({ ...card, scale }, images)
    const drawn = scale > 1 && large ? large : normal
    const agreement = await agreementOf({ ...card, scale }, frame.id, { images, drawn })
    if (agreement) found.push(agreement)
  }
  return found
}

async function agreementOf(
  card: ScaledCard,
  id: string,
  { images, drawn }: { images: ImageValue[]; drawn: { pixels: Pixels; frames: Frame[] } },
): Promise<ElementAgreement | undefined> {
  const { pixels, frames } = drawn
  const frame = frames.find((each) => each.id === id) ?? assert.fail(id)
  const area = boundsOfFrame(frame, pixels)
  // Outside of the image.
  if (area === undefined) return undefined
  const removed = await draw(withStyle(card, id, removedStyle), images)
  const { measure, change } = measureOf(area, await boundsOfChange(pixels, removed.pixels, context))
  const own = measure === 'removed' ? change : await changeOfPainted(card, id, { images, measure })
  return { frame, measure, overlap: own ? overlapOf(area, own) : 0 }
}

/** Whether its edges are whole pixels. Others cover less than a pixel, as do the corners of a box that is rotated: too much of a small element. */
function isExact({ points, rotation, kind }: Frame): boolean {
  return !rotation && kind !== 'quad' && points.flat().every((edge) => Math.abs(edge - Math.round(edge)) < 0.01)
}

/** A pixel more at an edge is less than what makes an element wrong. */
function isLarge(frame: Frame): boolean {
  const { width = 0, height = 0 } = boundsOfFrame(frame, { width: 10_000, height: 10_000 }) ?? {}
  return Math.min(width, height) > 100
}

interface ScaledCard extends Card {
  scale: number
}

export const agreement = 0.98

function measureOf(area: Rectangle, change: Rectangle | undefined): { measure: Measure; change?: Rectangle } {
  if (change === undefined) return { measure: 'unpainted' }
  if (overlapOf(area, change) >= agreement) return { measure: 'removed', change }
  const common = intersection(area, change)
  return { measure: common && overlapOf(common, change) >= agreement ? 'inside' : 'beyond' }
}

async function changeOfPainted(
  card: ScaledCard,
  id: string,
  { images, measure }: { images: ImageValue[]; measure: Measure },
) {
  const alone = { ...card, css: `${card.css} *{visibility:hidden!important}` }
  const before = paintedStyle('magenta')
  const after = measure === 'beyond' ? paintedStyle('lime') : `${before}${removedStyle}`
  const [one, other] = await Promise.all([before, after].map((style) => draw(withStyle(alone, id, style), images)))
  return one && other && boundsOfChange(one.pixels, other.pixels, context)
}

async function draw(card: ScaledCard, images: ImageValue[]): Promise<{ pixels: Pixels; frames: Frame[] }> {
  const { html: markup, css, width, height, scale } = card
  const params = { html: markup, css, width, ...(height !== undefined && { height }), scale, missingGlyphs: 'warn' }
  const { image, drawn = [] } = await html.run(
    { images: [...images, ...colors.map(plainImage)] } as never,
    params as never,
    {
      ...context,
      pixelsMax: 4e7,
      wires: { images: [...card.images, ...colors] },
    },
  )
  assert.ok(image)
  return { pixels: await pixelsOf(image, context), frames: drawn }
}

const colors = ['magenta', 'lime'] as const
type Color = (typeof colors)[number]

function plainImage(color: Color): ImageValue {
  const data = Buffer.from(color === 'lime' ? [0, 255, 0] : [255, 0, 255])
  return imageFromPixels({ data, width: 1, height: 1, channels: 3 })
}

type Element = DefaultTreeAdapterTypes.Element

const removedStyle = 'visibility:hidden!important;'

/** Paints all of the box, without effects outside of it. Changes no layout. The element is visible also if nothing else is. */
function paintedStyle(color: Color): string {
  return `${plainStyle}visibility:visible!important;background-color:${color};border-color:${color};`
}

const plainStyle =
  'box-shadow:none;filter:none;border-radius:0;mask-image:none;clip-path:none;opacity:1;background-clip:border-box;background-image:none;object-fit:fill;'

/** The card with this style of an element. An image that is painted over is a plain image, and a shadow of the elements around is none of its pixels. */
function withStyle(card: ScaledCard, id: string, style: string): ScaledCard {
  const document = parse(card.html)
  const element = elementOf(document, id)
  addStyle(element, style)
  const color = colors.find((each) => style.startsWith(paintedStyle(each)))
  if (color) {
    if (element.tagName === 'img') set(element, 'src', `node:${color}`)
    for (let { parentNode } = element; parentNode && 'attrs' in parentNode; { parentNode } = parentNode)
      addStyle(parentNode, 'filter:none')
  }
  return { ...card, html: serialize(document) }
}

function addStyle(element: Element, style: string): void {
  set(element, 'style', `${element.attrs.find(({ name }) => name === 'style')?.value ?? ''};${style}`)
}

function set({ attrs }: Element, name: string, value: string): void {
  const attr = attrs.find((each) => each.name === name)
  if (attr) attr.value = value
  else attrs.push({ name, value })
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
