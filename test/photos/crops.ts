/** Crops of the labelled photos by several strategies, and the share of the labelled subjects that they keep. */
import { readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { imageFromBytes } from '../../src/imaging/raster/image.ts'
import { contextFor } from '../../src/imaging/raster/test-images.ts'
import type { ImageValue } from '../../src/imaging/types.ts'
import { smartCrop } from '../../src/operations/geometry/smart-crop.ts'

/** Left, top, right and bottom, as shares of the image. */
export type Box = [number, number, number, number]

export interface Labels {
  /** The constants of the measure of salience were chosen without this photo. */
  heldOut?: boolean
  /** Objects that a crop should keep. */
  subjects: Box[]
  /** Heads of animals and people, if they are large enough to matter. */
  heads?: Box[]
  /** Faces from the eyebrows to the chin. */
  faces?: Box[]
}

export const labels: Record<string, Labels> = JSON.parse(readFileSync(new URL('labels.json', import.meta.url), 'utf8'))

export const sizes = [
  { name: '1:1', width: 240, height: 240 },
  { name: '16:9', width: 320, height: 180 },
  { name: '9:16', width: 180, height: 320 },
  { name: '3:1', width: 360, height: 120 },
] as const

const context = contextFor({ secondsLeft: () => 120 })

/** The area that a strategy selects. */
export async function areaOf(
  photo: string,
  params: { width: number; height: number; strategy?: string; margin?: number; focus?: { x: number; y: number } },
): Promise<Box> {
  const image = await open(photo)
  const { x, y, areaWidth, areaHeight } = (await smartCrop.run({ image }, params as never, context)) as unknown as {
    x: number
    y: number
    areaWidth: number
    areaHeight: number
  }
  return [x / image.width, y / image.height, (x + areaWidth) / image.width, (y + areaHeight) / image.height]
}

const opened = new Map<string, Promise<ImageValue>>()

/** Decodes each photo once. */
function open(photo: string): Promise<ImageValue> {
  const image = opened.get(photo) ?? read(photo)
  opened.set(photo, image)
  return image
}

async function read(photo: string): Promise<ImageValue> {
  return imageFromBytes(await readFile(new URL(photo, import.meta.url)), context)
}

export function areaOfBox([left, top, right, bottom]: Box): number {
  return Math.max(0, right - left) * Math.max(0, bottom - top)
}

/** Mean share of the boxes that is inside the area. */
export function keptShare(boxes: readonly Box[], area: Box): number {
  return mean(boxes.map((box) => areaOfBox(overlap(box, area)) / areaOfBox(box)))
}

export function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length
}

function overlap(a: Box, b: Box): Box {
  return [Math.max(a[0], b[0]), Math.max(a[1], b[1]), Math.min(a[2], b[2]), Math.min(a[3], b[3])]
}

const strategies = {
  subject: { strategy: 'subject' },
  attention: { strategy: 'attention' },
  centre: { focus: { x: 0.5, y: 0.5 } },
}

export type StrategyName = keyof typeof strategies

export interface Row {
  photo: string
  heldOut: boolean
  size: string
  /** Share of the subjects. */
  kept: Record<StrategyName, number>
  /** Share of the heads; absent without labelled heads. */
  heads?: Record<StrategyName, number>
}

/** A row for each photo and size. */
export async function measurePhotos(): Promise<Row[]> {
  const rows: Row[] = []
  for (const [photo, { subjects, heads, heldOut = false }] of Object.entries(labels)) {
    for (const { name, ...size } of sizes) {
      const areas = new Map<string, Box>()
      for (const [strategy, params] of Object.entries(strategies)) {
        areas.set(strategy, await areaOf(photo, { ...size, ...params }))
      }
      const keptOf = (boxes: readonly Box[]) =>
        Object.fromEntries([...areas].map(([strategy, area]) => [strategy, keptShare(boxes, area)])) as Row['kept']
      rows.push({ photo, heldOut, size: name, kept: keptOf(subjects), ...(heads && { heads: keptOf(heads) }) })
    }
  }
  return rows
}

/** The means of each photo and of each group as text. */
export function tableOf(rows: readonly Row[]): string {
  const names = Object.keys(strategies) as StrategyName[]
  const groups: [name: string, of: (row: Row) => boolean][] = [
    ...Object.keys(labels).map((photo): [string, (row: Row) => boolean] => [photo, (row) => row.photo === photo]),
    ...sizes.map(({ name }): [string, (row: Row) => boolean] => [name, ({ size }) => size === name]),
    ['seen', ({ heldOut }) => !heldOut],
    ['held out', ({ heldOut }) => heldOut],
    ['all', () => true],
  ]
  const cells = (values: readonly Record<StrategyName, number>[]) =>
    names.map((name) => (values.length > 0 ? mean(values.map((each) => each[name])).toFixed(3) : '-').padStart(10))
  const lines = groups.map(([name, of]) => {
    const part = rows.filter(of)
    return [
      name.padEnd(18),
      ...cells(part.map(({ kept }) => kept)),
      ' |',
      ...cells(part.flatMap(({ heads }) => heads ?? [])),
    ]
  })
  const head = names.map((name) => name.padStart(10))
  return [['subjects, heads'.padEnd(18), ...head, ' |', ...head], ...lines].map((line) => line.join('')).join('\n')
}
