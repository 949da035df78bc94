/** Encodes text as bars and modules with bwip-js. */
import { failure } from '../../../errors.ts'

export const kinds = ['code128', 'ean13', 'ean8', 'upca', 'itf14', 'code39', 'datamatrix', 'pdf417'] as const
export type Kind = (typeof kinds)[number]

/** All lengths in modules. */
export interface BarcodeModules {
  width: number
  /**
   * Rows from top to bottom: one row for bars, or one for each row of modules. Each row is a list of dark stretches.
   */
  rows: { height: number; dark: { x: number; width: number }[] }[]
  /** The encoded text, including the check digit. */
  text: string
}

/**
 * Length in modules by which the guard bars of EAN and UPC extend between the digits, if digits are drawn (GS1,
 * 5.2.1.4).
 */
export const guardModules = 5

/**
 * `barHeight` is in modules; two-dimensional codes have their own. Throws `input_invalid` with the reason of the
 * library.
 */
export async function encodeBarcode(kind: Kind, text: string, barHeight: number): Promise<BarcodeModules> {
  const [found] = await encoded(kind, text)
  if (found === undefined)
    throw failure(
      'input_invalid',
      `${JSON.stringify(text.slice(0, 40))} can't be encoded as ${names[kind]}. Change the text, or choose another kind.`,
    )
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

/** Display names. */
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

/** Lengths of codes with a check digit: the number of digits including it. */
const lengths: Partial<Record<Kind, number>> = { ean13: 13, ean8: 8, upca: 12, itf14: 14 }

async function encoded(kind: Kind, text: string) {
  const length = lengths[kind]
  // The library accepts more: UPC-E, and a second code next to the first.
  if (length !== undefined && (!/^\d+$/.test(text) || text.length < length - 1 || text.length > length)) {
    throw failure(
      'input_invalid',
      `${names[kind]} requires ${length - 1} digits, or ${length} with the check digit, not ${JSON.stringify(text.slice(0, 40))}.`,
    )
  }
  const isAscii = /^[\0-\x7f]*$/.test(text)
  if (!isAscii && kind === 'code128') {
    throw failure(
      'input_invalid',
      `${names[kind]} supports ASCII characters only. Use Data Matrix or PDF417 for other characters.`,
    )
  }
  // Loaded with the first code. `raw` in the types is a member of the default export.
  const { default: bwip } = await import('bwip-js/node')
  // Marks the bytes as UTF-8 (ECI 26); otherwise readers guess.
  const marked = isAscii ? { text } : { text: `^ECI000026${text.replaceAll('^', '^^')}`, parsefnc: true }
  try {
    return bwip.raw({ bcid: kind, includetext: true, ...marked }) as (Linear | Matrix)[]
  } catch (cause) {
    throw failure(
      'input_invalid',
      `${JSON.stringify(text.slice(0, 40))} can't be encoded as ${names[kind]}: ${reasonOf(cause, kind, text)}.`,
      { cause },
    )
  }
}

/** The part of the library's result that is used. */
interface Linear {
  /** Widths of bars and spaces, starting with a bar. */
  sbs: number[]
  /** Heights of the bars. */
  bhs: number[]
  txt?: [string, ...unknown[]][]
}

interface Matrix {
  /** 1 for a dark module, in row order. */
  pixs: number[]
  /** Modules per row. */
  pixx: number
  /** Height of all rows; rows of PDF417 are 3 modules high. */
  pixy: number
}

/** Messages of the library look like `bwipp.ean13badCheckDigit#6915: Incorrect EAN-13 check digit provided`. */
function reasonOf(cause: unknown, kind: Kind, text: string): string {
  const reason = cause instanceof Error ? cause.message.replace(/^bwipp\.\S+: /, '') : 'the text is not supported'
  if (text.length !== lengths[kind]) return reason
  return `its check digit would be ${checkDigit(text.slice(0, -1))}, not ${text.at(-1)}`
}

/** GS1 General Specifications, 7.9: alternating weights 3 and 1, with 3 for the last digit before the check digit. */
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
