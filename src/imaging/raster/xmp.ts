/**
 * The digital source type of an image in XMP (ISO 16684-1): the mark that says that an AI model made it. The property is
 * `Iptc4xmpExt:DigitalSourceType` of the IPTC Photo Metadata Standard 2023.1.
 */
import { SaxesParser, type SaxesTagNS } from 'saxes'
import type { ImageFormat } from '../../domain/images/image.ts'
import { aiSourceTypes, digitalSourceTypes, type Origin, originOfSourceType } from '../../domain/images/origin.ts'
import type { OutputFormat } from '../../domain/workflows/output.ts'
import { type Chunk, chunk, chunksOf, pngSignature } from './read/png-chunks.ts'
import type { Metadata } from './sharp.ts'

const rdf = 'http://www.w3.org/1999/02/22-rdf-syntax-ns#'
const iptc = 'http://iptc.org/std/Iptc4xmpExt/2008-02-29/'
const property = 'DigitalSourceType'

/** Packets of files are rarely larger than some kilobytes. */
const searchedBytes = 1_048_576

/** The origin that the XMP of a file states. sharp reads the XMP of all formats except GIF and PDF, whose `bytes` are searched. */
export function originOfFile(
  format: ImageFormat,
  { xmp }: Pick<Metadata, 'xmp'>,
  bytes: Buffer = Buffer.alloc(0),
): Origin | undefined {
  const packet = format === 'gif' ? xmpInGif(bytes) : format === 'pdf' ? xmpInPdf(bytes) : xmp
  return packet && originInXmp(packet)
}

/** The origin that a packet states: the first source type that means AI, in any property, as a URI or only its name. */
export function originInXmp(xmp: Buffer): Origin | undefined {
  const text = withoutZeros(xmp.subarray(0, searchedBytes)).toString('latin1')
  const [type] = text.match(aiSourceType) ?? []
  return type === undefined ? undefined : originOfSourceType(type)
}

/** The zeros of UTF-16. A loop, because to replace each in a text takes a hundred times as long. */
function withoutZeros(bytes: Buffer): Buffer {
  const kept = Buffer.alloc(bytes.length)
  let length = 0
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at] as number
    kept[length] = byte
    if (byte !== 0) length += 1
  }
  return kept.subarray(0, length)
}

const aiSourceType = new RegExp(`\\b(?:${aiSourceTypes.join('|')})\\b`)

/** The XMP of a GIF, in its application extensions (XMP part 3, 1.1.2), with the bytes that follow them. */
function xmpInGif(gif: Buffer): Buffer | undefined {
  const first = gif.indexOf(gifExtension)
  if (first < 0) return undefined
  const last = gif.lastIndexOf(gifExtension)
  const found = first === last ? [first] : [first, last]
  return Buffer.concat(found.map((at) => gif.subarray(at, at + searchedBytes / found.length)))
}

/** The last XMP of a PDF, which is the one of the document: it isn't compressed (ISO 16684-1, 7.3). */
function xmpInPdf(pdf: Buffer): Buffer | undefined {
  const start = pdf.lastIndexOf('<x:xmpmeta')
  return start < 0 ? undefined : pdf.subarray(start, start + searchedBytes)
}

const gifExtension = Buffer.from('\x21\xff\x0bXMP DataXMP', 'latin1')

/**
 * The file with this packet: for PNG in an uncompressed chunk, which libvips doesn't write, and for GIF, to which it writes no
 * XMP. The other formats already have it.
 */
export function withXmpOf(format: OutputFormat, file: Buffer, xmp: string): Buffer {
  if (format === 'png') return pngWithXmp(file, xmp)
  return format === 'gif' ? gifWithXmp(file, xmp) : file
}

/**
 * A PNG with the XMP after the header, as the first chunk; chunks with other XMP are left out. XMP part 3, 1.1.5; W3C
 * PNG, 11.3.3.4.
 */
function pngWithXmp(png: Buffer, xmp: string): Buffer {
  const all = [...chunksOf(png)]
  const [header, ...others] = all.filter(({ type, data }) => !isXmpChunk(type, data))
  if (header === undefined) throw new Error('a PNG without chunks')
  const bytesOf = ({ start, end }: Chunk) => png.subarray(start, end)
  // Not compressed, without language and translated keyword.
  const text = chunk('iTXt', Buffer.from(`${pngKeyword}\0\0\0\0\0${xmp}`))
  return Buffer.concat([pngSignature, bytesOf(header), text, ...others.map(bytesOf)])
}

const pngKeyword = 'XML:com.adobe.xmp'

function isXmpChunk(type: string, data: Buffer): boolean {
  return /^[itz](TXt|EXt)$/.test(type) && data.toString('latin1', 0, pngKeyword.length + 1) === `${pngKeyword}\0`
}

/**
 * A GIF with the XMP before the last byte, which ends the file. The trailer leads readers that skip blocks by their
 * length to its end.
 */
function gifWithXmp(gif: Buffer, xmp: string): Buffer {
  const trailer = Buffer.from([1, ...Array.from({ length: 256 }, (_, index) => 255 - index), 0])
  return Buffer.concat([gif.subarray(0, -1), gifExtension, Buffer.from(xmp), trailer, gif.subarray(-1)])
}

/** The packet with the mark of this origin in place of any other digital source type; a new packet if it can't be read. */
export function markedXmp(xmp: Buffer | undefined, origin: Origin): string {
  return withDescription(xmp, descriptionOf(origin), isSourceType)
}

function descriptionOf(origin: Origin): string {
  return `<rdf:Description rdf:about="" xmlns:rdf="${rdf}" xmlns:Iptc4xmpExt="${iptc}"><Iptc4xmpExt:${property}>${digitalSourceTypes[origin]}</Iptc4xmpExt:${property}></rdf:Description>`
}

/** The packet with this `rdf:Description` in place of the properties that it replaces; a new packet if it can't be read. */
export function withDescription(xmp: Buffer | undefined, description: string, isReplaced: IsReplaced): string {
  try {
    // Too large for the file: the encoder reports that.
    if (xmp && xmp.length > packetBytesMax) return xmp.toString('latin1')
    const described = xmp && withElement(textOf(xmp), description, isReplaced)
    if (described !== undefined) return described
  } catch {
    // A packet that no other program can read either is replaced.
  }
  return `<?xpacket begin="\u{feff}" id="W5M0MpCehiHzreSzNTczkc9d"?><x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="${rdf}">${description}</rdf:RDF></x:xmpmeta><?xpacket end="r"?>`
}

/** Maximum of one segment of a JPEG, in which all formats get their metadata. XMP part 3, 1.1.3.1. */
const packetBytesMax = 65_502

/** Text without zeros at the end. */
function textOf(xmp: Buffer): string {
  let end = xmp.length
  while (end > 0 && xmp[end - 1] === 0) end -= 1
  return xmp.toString('utf8', 0, end)
}

/** Packets have about ten. The parser takes time for each open element to find the namespace of a tag. */
const depthMax = 64

/** Undefined if it has no `rdf:RDF`. */
function withElement(xmp: string, element: string, isReplaced: IsReplaced): string | undefined {
  const parser = new SaxesParser({ xmlns: true })
  const out: string[] = []
  /** Elements inside of the property that is left out, with itself. */
  let skipped = 0
  let depth = 0
  let isAdded = false
  const put = (text: string) => {
    if (skipped === 0) out.push(text)
  }
  parser.on('error', (error) => {
    throw error
  })
  parser.on('opentag', (tag) => {
    depth += 1
    if (depth > depthMax) throw new Error('too many levels')
    if (skipped > 0 || isReplaced(tag)) skipped += 1
    else out.push(openTag(tag, isReplaced))
  })
  parser.on('closetag', ({ name, uri, local, isSelfClosing }) => {
    depth -= 1
    if (skipped > 0) {
      skipped -= 1
      return
    }
    if (uri === rdf && local === 'RDF' && !isAdded) {
      // A self-closing element has been written as an open one.
      out.push(element)
      isAdded = true
    }
    if (!isSelfClosing || (uri === rdf && local === 'RDF')) out.push(`</${name}>`)
  })
  parser.on('text', (text) => put(escapeText(text)))
  parser.on('cdata', (text) => put(escapeText(text)))
  parser.on('comment', (text) => put(`<!--${text}-->`))
  parser.on('processinginstruction', ({ target, body }) => put(`<?${target} ${body}?>`))
  parser.write(xmp).close()
  return isAdded ? out.join('') : undefined
}

function openTag({ name, uri, local, attributes, isSelfClosing }: SaxesTagNS, isReplaced: IsReplaced): string {
  const kept = Object.values(attributes).filter((attribute) => !isReplaced(attribute))
  const text = kept.map((attribute) => ` ${attribute.name}="${escapeAttribute(attribute.value)}"`).join('')
  return `<${name}${text}${isSelfClosing && !(uri === rdf && local === 'RDF') ? '/' : ''}>`
}

/** Whether a property, as an element or an attribute, is left out. */
type IsReplaced = (name: { uri: string; local: string }) => boolean

function isSourceType({ uri, local }: { uri: string; local: string }): boolean {
  return uri === iptc && local === property
}

function escapeText(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}

/** XML 1.0, 3.3.3: readers turn unescaped line breaks and tabs of an attribute into spaces. */
function escapeAttribute(text: string): string {
  return escapeText(text).replace(/["\t\n\r]/g, (character) => `&#${character.charCodeAt(0)};`)
}
