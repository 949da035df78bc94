/** Texts to the bars and modules of barcodes, as bwip-js makes them. */
import { failure } from '../../../errors.ts'

export const kinds = ['code128', 'ean13', 'ean8', 'upca', 'itf14', 'code39', 'datamatrix', 'pdf417'] as const
export type Kind = (typeof kinds)[number]

/** All lengths in modules. */
export interface BarcodeModules {
  width: number
  /** From the top down; one that is as high as all bars, or a row of modules. Each is a list of dark stretches. */
  rows: { height: number; dark: { x: number; width: number }[] }[]
  /** What a reader reads, check digit and all. */
  text: string
}

/** Guard bars of EAN and UPC reach so far (in modules) between the digits, when there are digits (GS1, 5.2.1.4). */
export const guardModules = 5

/** `barHeight` in modules; a code of two dimensions has its own. Throws `input_invalid` with the library's reason. */
export async function encodeBarcode(kind: Kind, text: string, barHeight: number): Promise<BarcodeModules> {
  const [found] = await encoded(kind, text)
  if (found === undefined) throw failure('input_invalid', `There is no ${names[kind]} of this text.`)
  if ('pixs' in found) return { ...matrix(found), text }
  const { sbs, bhs, txt } = found
  const tallest = Math.max(...bhs)
  const bars = barsOf(sbs)
  const guards = bars.filter((_, at) => (bhs[at] ?? 0) === tallest)
  const width = sbs.reduce((sum, modules) => sum + modules, 0)
  const rows = [{ height: barHeight, dark: bars }]
  if (guards.length < bars.length) rows.push({ height: guardModules, dark: guards })
  return { width, rows, text: (txt ?? []).map(([part]) => part).join('') }
}

/** As the names are written. */
export const names: Record<Kind, string> = {
  code128: 'Code 128',
  ean13: 'EAN-13',
  ean8: 'EAN-8',
  upca: 'UPC-A',
  itf14: 'ITF-14',
  code39: 'Code 39',
  datamatrix: 'Data Matrix',
  pdf417: 'PDF417',
}

/** Of those that end with one: digits with it. */
const lengths: Partial<Record<Kind, number>> = { ean13: 13, ean8: 8, upca: 12, itf14: 14 }

async function encoded(kind: Kind, text: string) {
  const length = lengths[kind]
  // The library takes more: a UPC-E, and a second code beside the first.
  if (length !== undefined && (!/^\d+$/.test(text) || text.length < length - 1 || text.length > length)) {
    throw failure(
      'input_invalid',
      `${names[kind]} takes ${length - 1} digits, or ${length} with the check digit, not ${JSON.stringify(text.slice(0, 40))}.`,
    )
  }
  const isAscii = /^[\0-\x7f]*$/.test(text)
  if (!isAscii && kind === 'code128') {
    throw failure('input_invalid', `${names[kind]} takes ASCII characters only; Data Matrix and PDF417 take all.`)
  }
  // Loaded with the first code. What the types call `raw` is a member of the default export.
  const { default: bwip } = await import('bwip-js/node')
  // Says that the bytes are UTF-8 (ECI 26), which readers otherwise guess.
  const marked = isAscii ? { text } : { text: `^ECI000026${text.replaceAll('^', '^^')}`, parsefnc: true }
  try {
    return bwip.raw({ bcid: kind, includetext: true, ...marked }) as (Linear | Matrix)[]
  } catch (cause) {
    throw failure('input_invalid', `${names[kind]} cannot hold this text: ${reasonOf(cause, kind, text)}.`, { cause })
  }
}

/** What the library gives, as far as it is used. */
interface Linear {
  /** Widths of bars and spaces, a bar first. */
  sbs: number[]
  /** Heights of the bars. */
  bhs: number[]
  txt?: [string, ...unknown[]][]
}

interface Matrix {
  /** 1 for a dark module, row by row. */
  pixs: number[]
  /** Modules of a row. */
  pixx: number
  /** Height of all rows; those of PDF417 are 3 high each. */
  pixy: number
}

/** Its messages are `bwipp.ean13badCheckDigit#6915: Incorrect EAN-13 check digit provided`. */
function reasonOf(cause: unknown, kind: Kind, text: string): string {
  const said = cause instanceof Error ? cause.message.replace(/^bwipp\.\S+: /, '') : 'it is refused'
  if (text.length !== lengths[kind]) return said
  return `its check digit would be ${checkDigit(text.slice(0, -1))}, not ${text.at(-1)}`
}

/** GS1 General Specifications, 7.9: weights 3 and 1 in turn, 3 for the last digit before it. */
function checkDigit(digits: string): number {
  const sum = [...digits].toReversed().reduce((sum, digit, at) => sum + Number(digit) * (at % 2 === 0 ? 3 : 1), 0)
  return (10 - (sum % 10)) % 10
}

function barsOf(sbs: number[]): { x: number; width: number }[] {
  const bars: { x: number; width: number }[] = []
  let x = 0
  for (const [at, width] of sbs.entries()) {
    if (at % 2 === 0) bars.push({ x, width })
    x += width
  }
  return bars
}

function matrix({ pixs, pixx, pixy }: Matrix): Omit<BarcodeModules, 'text'> {
  const count = pixs.length / pixx
  const rows = Array.from({ length: count }, (_, y) => {
    const dark: { x: number; width: number }[] = []
    for (let x = 0; x < pixx; x += 1) if (pixs[y * pixx + x] === 1) dark.push({ x, width: 1 })
    return { height: pixy / count, dark }
  })
  return { width: pixx, rows }
}
