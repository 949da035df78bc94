import type { ImageFormat } from '../../../domain/images/image.ts'
import { limits } from '../../../limits.ts'
import { brandsOf } from './avif-boxes.ts'
import { rootOf, textOf } from './xml-text.ts'

/** Number of bytes from the start of a file that `sniff` reads: comments of any length may come before the root of an SVG. */
export const sniffBytes = limits.svgBytesMax

/** Detects the format from the bytes. Names and content types are ignored. */
export function sniff(bytes: Buffer): ImageFormat | undefined {
  for (const [format, matches] of signatures) if (matches(bytes)) return format
  return undefined
}

/** Formats in the order of their checks; SVG and PDF last, because other bytes may precede their signature. */
const signatures: [ImageFormat, (bytes: Buffer) => boolean][] = [
  ['jpeg', (bytes) => starts(bytes, [0xff, 0xd8, 0xff])],
  ['png', (bytes) => starts(bytes, [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])],
  ['gif', (bytes) => /^GIF8[79]a/.test(ascii(bytes, 0, 6))],
  ['webp', (bytes) => ascii(bytes, 0, 4) === 'RIFF' && ascii(bytes, 8, 12) === 'WEBP'],
  ['tiff', (bytes) => ['II*\0', 'MM\0*', 'II+\0', 'MM\0+'].includes(ascii(bytes, 0, 4))],
  ['avif', (bytes) => brandsOf(bytes).some((brand) => /^avi[fs]$/.test(brand))],
  ['psd', (bytes) => ascii(bytes, 0, 4) === '8BPS'],
  ['svg', (bytes) => /^([\w.-]+:)?svg$/i.test(rootOf(textOf(bytes.subarray(0, sniffBytes))) ?? '')],
  // Programs write other bytes before it, up to 1,024 (PDF 1.7, Annex H).
  ['pdf', (bytes) => ascii(bytes, 0, 1_024).includes('%PDF-')],
]

function starts(bytes: Buffer, signature: number[]): boolean {
  return signature.every((byte, at) => bytes[at] === byte)
}

function ascii(bytes: Buffer, start: number, end: number): string {
  return bytes.toString('latin1', start, end)
}
