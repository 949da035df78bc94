/** Files that can't be read are named, with the format to export instead: people know their programs, not this service. */
import type { ImageFormat } from '../../../domain/images/image.ts'
import { type Fault, failure } from '../../../errors.ts'
import { sniff } from './sniff.ts'

const readable: ImageFormat[] = ['png', 'jpeg', 'webp', 'avif', 'gif', 'tiff', 'svg', 'pdf', 'psd']

/** The format of a file, by its first bytes (`sniffBytes`, or all of them). Throws `input_invalid` for others. */
export function knownFormat(head: Buffer): ImageFormat {
  const format = isHtml(head) ? undefined : sniff(head)
  if (format === undefined || isAnother(format, head)) throw unsupported(head)
  return format
}

/** Whether a file with the signature of this format has another one: a RAW photo, or an archive with a PDF in it. */
function isAnother(format: ImageFormat, head: Buffer): boolean {
  if (format === 'tiff') return isCameraRaw(head)
  return format === 'pdf' && signatures.some(([, matches]) => matches(head))
}

/** The name of a format that isn't supported, and what to do instead. */
export interface Unsupported {
  name: string
  instead: string
}

const photo = 'Export the photo as JPEG.'
const picture = 'Export the image as PNG.'
const drawing = 'Export the drawing as SVG or PNG.'
const unpacked = 'Send the file in it: an SVGZ as SVG, without compression.'
const video = 'Export a frame as JPEG, or the clip as an animated WebP or GIF.'

/** Every format that is named. The guide lists them. */
export const unsupportedFormats = {
  heic: { name: 'HEIC', instead: photo },
  raw: { name: 'A RAW photo of a camera', instead: photo },
  jpegXl: { name: 'JPEG XL', instead: photo },
  jpeg2000: { name: 'JPEG 2000', instead: photo },
  bmp: { name: 'BMP', instead: picture },
  ico: { name: 'ICO', instead: picture },
  xcf: { name: 'XCF', instead: picture },
  exr: { name: 'OpenEXR', instead: picture },
  radiance: { name: 'Radiance HDR', instead: picture },
  dds: { name: 'DDS', instead: picture },
  qoi: { name: 'QOI', instead: picture },
  netpbm: { name: 'Netpbm (PPM, PGM, PBM, PAM)', instead: picture },
  postscript: { name: 'EPS or PostScript', instead: drawing },
  figma: { name: 'A Figma file', instead: drawing },
  mp4: { name: 'MP4 or QuickTime video', instead: video },
  webm: { name: 'WebM or Matroska video', instead: video },
  zip: { name: 'A ZIP archive or a document in one', instead: 'Send the image in it.' },
  gzip: { name: 'A compressed file (gzip, SVGZ)', instead: unpacked },
  html: { name: 'An HTML page', instead: 'Check that the URL is the address of the image, not of a page around it.' },
} satisfies Record<string, Unsupported>

type Name = keyof typeof unsupportedFormats

/** Magic numbers from the specification of each format, or from the `file` command. */
const signatures: [Name, (head: Buffer) => boolean][] = [
  ['html', isHtml],
  ['heic', (head) => isBoxOf(head, /^(heic|heix|heim|heis|hevc|hevx|hevm|hevs|mif1|msf1)$/)],
  ['raw', (head) => isBoxOf(head, /^crx $/) || isCameraRaw(head)],
  ['raw', (head) => startsWith(head, 'FUJIFILMCCD-RAW', 'IIRO', 'IIRS', 'IIU\0', 'MMOR', '\0MRM', 'FOVb')],
  ['jpegXl', (head) => startsWith(head, '\xff\x0a', '\0\0\0\x0cJXL ')],
  ['jpeg2000', (head) => startsWith(head, '\0\0\0\x0cjP  ', '\xff\x4f\xff\x51')],
  ['bmp', isBmp],
  ['ico', (head) => startsWith(head, '\0\0\x01\0', '\0\0\x02\0') && head.length > 22 && head.readUInt16LE(4) > 0],
  ['xcf', (head) => startsWith(head, 'gimp xcf ')],
  ['exr', (head) => startsWith(head, '\x76\x2f\x31\x01')],
  ['radiance', (head) => startsWith(head, '#?RADIANCE\n', '#?RGBE\n')],
  ['dds', (head) => startsWith(head, 'DDS ')],
  ['qoi', (head) => startsWith(head, 'qoif')],
  ['netpbm', (head) => /^P[1-7]\s/.test(text(head, 0, 3))],
  ['postscript', (head) => startsWith(head, '%!PS', '\xc5\xd0\xd3\xc6')],
  ['figma', (head) => startsWith(head, 'fig-kiwi')],
  ['mp4', (head) => isBoxOf(head, /^(isom|iso\d|mp4[12]|avc1|qt {2}|M4[AV] |3g[p2].|dash|MSNV)$/)],
  ['webm', (head) => startsWith(head, '\x1a\x45\xdf\xa3')],
  ['gzip', (head) => startsWith(head, '\x1f\x8b')],
  ['zip', (head) => startsWith(head, 'PK\x03\x04', 'PK\x05\x06')],
]

function unsupported(head: Buffer): Fault {
  const [name] = signatures.find(([, matches]) => matches(head)) ?? []
  if (name === undefined)
    return failure('input_invalid', `The file is not an image in a supported format (${readable.join(', ')}).`)
  const { name: title, instead } = unsupportedFormats[name]
  return failure('input_invalid', `${title} is not supported. ${instead}`)
}

/**
 * Whether a file is HTML, also one with a drawing in it. A page in place of an image is the usual response of a wrong
 * URL.
 */
function isHtml(head: Buffer): boolean {
  return /^(\xef\xbb\xbf)?\s{0,100}<(!doctype html|html)[\s>]/i.test(text(head, 0, 200))
}

/** An ISO media file (14496-12) whose major brand matches. */
function isBoxOf(head: Buffer, brand: RegExp): boolean {
  return text(head, 4, 8) === 'ftyp' && brand.test(text(head, 8, 12))
}

/** TIFF tags. */
const newSubfileType = 254
const subIfds = 330
const dngVersion = 50_706

/**
 * RAW photos of most cameras (CR2, NEF, ARW, DNG, PEF) are TIFF files. The first directory has a small preview then: read as TIFF,
 * an execution would use this without a warning. Canon marks its files, the others have the photo in a directory below the first.
 */
function isCameraRaw(head: Buffer): boolean {
  const order = text(head, 0, 2)
  if (head.length < 16 || (order !== 'II' && order !== 'MM')) return false
  if (text(head, 8, 10) === 'CR') return true
  const isLittle = order === 'II'
  const read16 = (at: number) => (isLittle ? head.readUInt16LE(at) : head.readUInt16BE(at))
  const read32 = (at: number) => (isLittle ? head.readUInt32LE(at) : head.readUInt32BE(at))
  const directory = read32(4)
  if (read16(2) !== 42 || directory + 2 > head.length) return false
  const tags = new Map<number, number>()
  const end = Math.min(directory + 2 + 12 * read16(directory), head.length)
  for (let at = directory + 2; at + 12 <= end; at += 12) tags.set(read16(at), read32(at + 8))
  const isPreview = ((tags.get(newSubfileType) ?? 0) & 1) === 1
  return tags.has(dngVersion) || (isPreview && tags.has(subIfds))
}

/** The reserved bytes are 0, and the header after them has one of the sizes that programs write. */
function isBmp(head: Buffer): boolean {
  if (!startsWith(head, 'BM') || head.length < 18) return false
  return head.readUInt32LE(6) === 0 && [12, 40, 56, 64, 108, 124].includes(head.readUInt32LE(14))
}

function startsWith(head: Buffer, ...signatures: string[]): boolean {
  return signatures.some((signature) => text(head, 0, signature.length) === signature)
}

function text(head: Buffer, start: number, end: number): string {
  return head.toString('latin1', start, end)
}
