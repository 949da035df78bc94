/** Layout of a barcode's bars and characters, and its rendering to pixels. All lengths are in modules. */
import { failure } from '../../../errors.ts'
import type { Pixels } from '../../types.ts'
import type { Color } from '../color.ts'
import type { JobContext } from '../jobs.ts'
import { eachRow } from '../rows.ts'
import { type BarcodeModules, type Kind, names } from './barcode.ts'
import { solidColor } from './fill.ts'

export interface BarcodeLayout {
  width: number
  height: number
  quiet: number
  /** Rows from top to bottom; the first `quiet` modules lie below the top edge. */
  rows: BarcodeModules['rows']
  /** x: centre. */
  labels: { text: string; x: number; baseline: number; size: number }[]
  /** Position above all labels. */
  labelTop: number
}

/** Close to the proportions that GS1 specifies for product codes; for other codes, high enough for a hand scanner. */
export function barModules(kind: Kind): number {
  return isRetail(kind) ? 60 : 40
}

export function layOutBarcode(
  kind: Kind,
  symbol: BarcodeModules,
  { quietZone, withText }: { quietZone: number | undefined; withText: boolean },
): BarcodeLayout {
  const quiet = quietZone ?? quietModules(kind)
  const width = symbol.width + 2 * quiet
  const isMatrix = kind === 'datamatrix' || kind === 'pdf417'
  if (isMatrix || !withText) {
    const rows = isMatrix ? symbol.rows : symbol.rows.slice(0, 1)
    const height = rows.reduce((sum, row) => sum + row.height, 0) + 2 * quiet
    return { width, height, quiet, rows, labels: [], labelTop: height }
  }
  const below = quiet + (symbol.rows[0]?.height ?? 0)
  const labels = isRetail(kind)
    ? digitCells[kind](symbol.text).map((label) => ({ ...label, x: quiet + label.x, baseline: below + 8 }))
    : [{ text: symbol.text, x: width / 2, size: 8, baseline: below + 8 }]
  const outside = kind === 'ean13' ? 10 : kind === 'upca' ? 8 : 0
  if (quiet < outside) {
    throw failure(
      'input_invalid',
      `A quiet zone of ${quiet} modules has no room for the digit next to the bars. ${names[kind]} with text requires at least ${outside}.`,
    )
  }
  return { width, height: below + 9 + quiet, quiet, rows: symbol.rows, labels, labelTop: below }
}

/** Each module is `scale` pixels of one colour, so that every edge is crisp. */
export async function drawBarcode(
  { width, height, quiet, rows }: BarcodeLayout,
  scale: number,
  { color, background }: { color: Color; background: Color },
  context: Pick<JobContext, 'signal'>,
): Promise<Pixels> {
  const channels = color.alpha < 1 || background.alpha < 1 ? 4 : 3
  const image = await solidColor(width * scale, height * scale, background, context, channels)
  const rowBytes = image.width * channels
  const ink = (await solidColor(image.width, 1, color, context, channels)).data
  let top = quiet * scale
  for (const row of rows) {
    const first = top * rowBytes
    for (const { x, width } of row.dark) {
      ink.copy(image.data, first + (quiet + x) * scale * channels, 0, width * scale * channels)
    }
    await eachRow({ width: image.width, height: row.height * scale }, context, (copy) => {
      if (copy > 0) image.data.copyWithin(first + copy * rowBytes, first, first + rowBytes)
    })
    top += row.height * scale
  }
  return image
}

type Retail = 'ean13' | 'ean8' | 'upca'

function isRetail(kind: Kind): kind is Retail {
  return kind === 'ean13' || kind === 'ean8' || kind === 'upca'
}

/** The required quiet zone (GS1 General Specifications, 5.2.3.4; ISO/IEC 15417, 16388), the larger of both sides. */
function quietModules(kind: Kind): number {
  if (isRetail(kind)) return 11
  return kind === 'datamatrix' || kind === 'pdf417' ? 2 : 10
}

/** Each digit is below its seven modules; guards of 3, 5 and 3 modules lie around and between the digits. */
const digitCells: Record<Retail, (text: string) => { text: string; x: number; size: number }[]> = {
  ean13: (text) => [...cells(text.slice(0, 1), -10.5), ...cells(text.slice(1, 7), 3), ...cells(text.slice(7), 50)],
  ean8: (text) => [...cells(text.slice(0, 4), 3), ...cells(text.slice(4), 36)],
  upca: (text) => [
    ...cells(text.slice(0, 1), -8.5, 7.5),
    ...cells(text.slice(1, 6), 10),
    ...cells(text.slice(6, 11), 50),
    ...cells(text.slice(11), 96.5, 7.5),
  ],
}

function cells(digits: string, from: number, size = 10): { text: string; x: number; size: number }[] {
  return Array.from(digits, (text, at) => ({ text, x: from + 7 * at + 3.5, size }))
}
