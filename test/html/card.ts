/** The cards in the folders `cards` and `frame-cards`: HTML documents with their style sheet, and a comment with their size, images and data. */
import { readdirSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { parseTemplate } from '../../shared/template/template.ts'
import { imageFromBytes, pixelsOf } from '../../src/imaging/raster/image.ts'
import type { Pixels } from '../../src/imaging/types.ts'
import { html } from '../../src/operations/text/html.ts'
import { context } from '../golden/render.ts'

export interface Card {
  html: string
  css: string
  width: number
  height?: number
  /** Names in `sampleOf`. */
  images: string[]
}

interface Head {
  width: number
  height?: number
  images?: string[]
  /** Values of the templates. */
  data?: Record<string, unknown>
  cssData?: Record<string, unknown>
}

const folder = new URL('./cards/', import.meta.url)
/** Cards without a golden image, for frames only: no threshold was chosen with them. */
const frameFolder = new URL('./frame-cards/', import.meta.url)

export const cardNames = namesIn(folder)
export const frameCardNames = namesIn(frameFolder)

function namesIn(from: URL): string[] {
  return readdirSync(from)
    .filter((name) => name.endsWith('.liquid'))
    .map((name) => name.slice(0, -7))
    .sort()
}

export function goldenOf(name: string): URL {
  return new URL(`${name}.png`, folder)
}

const samples: Record<string, string> = { photo: 'coffee.jpg', face: 'portrait.jpg' }

export function sampleOf(name: string): URL {
  return new URL(`../../examples/samples/${samples[name]}`, import.meta.url)
}

/** Loads a card with rendered templates. */
export async function loadCard(name: string): Promise<Card> {
  const { head, markup, css } = await sourceOf(name)
  const { data = {}, cssData = {}, images = [], ...size } = head
  const budget = () => ({ unitsLeft: 1_000_000, processorMs: () => 0 })
  return {
    html: String(parseTemplate(markup, 'html').evaluate(data, budget())),
    css: String(parseTemplate(css, 'css').evaluate(cssData, budget())),
    images,
    ...size,
  }
}

export async function sourceOf(name: string): Promise<{ head: Head; markup: string; css: string }> {
  const file = new URL(`${name}.liquid`, frameCardNames.includes(name) ? frameFolder : folder)
  const text = await readFile(file, 'utf8')
  const [, head = '{}', css = '', markup = ''] = /^<!-- (.*) -->\n<style>\n(.*?)\n<\/style>\n(.*)$/s.exec(text) ?? []
  return { head: JSON.parse(head) as Head, markup, css }
}

export async function renderCard({ html: markup, css, width, height, images }: Card): Promise<Pixels> {
  const loaded = await Promise.all(images.map(async (name) => imageFromBytes(await readFile(sampleOf(name)), context)))
  const params = { html: markup, css, width, ...(height !== undefined && { height }), scale: 1, missingGlyphs: 'error' }
  const { image } = await html.run({ images: loaded } as never, params as never, { ...context, wires: { images } })
  if (image === undefined) throw new Error('no image')
  return pixelsOf(image, context)
}
