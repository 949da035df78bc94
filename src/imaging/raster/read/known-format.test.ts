import assert from 'node:assert/strict'
import { test } from 'node:test'
import { gzipSync } from 'node:zlib'
import sharp from 'sharp'
import { Fault } from '../../../errors.ts'
import { knownFormat, unsupportedFormats } from './known-format.ts'

const latin = (text: string) => Buffer.from(text, 'latin1')
const box = (brand: string) => latin(`\0\0\0\x18ftyp${brand}\0\0\0\0mif1heic`)

/** The first bytes of a TIFF with one directory. */
function tiff(tags: [tag: number, value: number][], mark = ''): Buffer {
  const bytes = Buffer.alloc(200)
  const directory = 8 + mark.length
  bytes.write('II*\0', 'latin1')
  bytes.writeUInt32LE(directory, 4)
  bytes.write(mark, 8, 'latin1')
  bytes.writeUInt16LE(tags.length, directory)
  for (const [i, [tag, value]] of tags.entries()) {
    const at = directory + 2 + 12 * i
    bytes.writeUInt16LE(tag, at)
    bytes.writeUInt16LE(4, at + 2)
    bytes.writeUInt32LE(1, at + 4)
    bytes.writeUInt32LE(value, at + 8)
  }
  return bytes
}

/** The same in the other byte order. */
function bigEndian(tags: [tag: number, value: number][]): Buffer {
  const bytes = Buffer.alloc(200)
  bytes.write('MM\0*', 'latin1')
  bytes.writeUInt32BE(8, 4)
  bytes.writeUInt16BE(tags.length, 8)
  for (const [i, [tag, value]] of tags.entries()) {
    bytes.writeUInt16BE(tag, 10 + 12 * i)
    bytes.writeUInt32BE(value, 18 + 12 * i)
  }
  return bytes
}

const files: [keyof typeof unsupportedFormats, string, Buffer][] = [
  ['gzip', 'SVGZ', gzipSync('<svg xmlns="http://www.w3.org/2000/svg" width="1" height="1"/>')],
  ['heic', 'a photo of an iPhone', box('heic')],
  ['heic', 'a burst of photos', box('msf1')],
  ['raw', 'Canon CR3', box('crx ')],
  ['raw', 'Canon CR2', tiff([[256, 5184]], 'CR\x02\0')],
  [
    'raw',
    'Adobe DNG',
    tiff([
      [254, 0],
      [50_706, 0x01_04_00_00],
    ]),
  ],
  [
    'raw',
    'Nikon NEF',
    bigEndian([
      [254, 1],
      [330, 4_000],
    ]),
  ],
  [
    'raw',
    'Sony ARW',
    tiff([
      [254, 1],
      [330, 4_000],
    ]),
  ],
  ['raw', 'Fujifilm RAF', latin('FUJIFILMCCD-RAW 0201')],
  ['raw', 'Olympus ORF', latin('IIRO\x08\0\0\0')],
  ['raw', 'Panasonic RW2', latin('IIU\0\x18\0\0\0')],
  ['jpegXl', 'a code stream', latin('\xff\x0a\xfa\x7f')],
  ['jpegXl', 'a container', latin('\0\0\0\x0cJXL \x0d\x0a\x87\x0a')],
  ['jpeg2000', 'a container', latin('\0\0\0\x0cjP  \x0d\x0a\x87\x0a')],
  ['bmp', 'Windows 3', latin('BM\x36\x01\0\0\0\0\0\0\x36\0\0\0\x28\0\0\0\x08\0\0\0')],
  ['ico', 'an icon', Buffer.concat([latin('\0\0\x01\0\x02\0\x10\x10'), Buffer.alloc(30)])],
  ['xcf', 'GIMP', latin('gimp xcf v011\0')],
  ['exr', 'one part', latin('\x76\x2f\x31\x01\x02\0\0\0')],
  ['radiance', 'RGBE', latin('#?RADIANCE\nFORMAT=32-bit_rle_rgbe\n')],
  ['dds', 'a texture', latin('DDS \x7c\0\0\0')],
  ['qoi', 'RGB', latin('qoif\0\0\0\x08\0\0\0\x08\x03\0')],
  ['netpbm', 'PPM', latin('P6 2 2 255 ............')],
  ['postscript', 'EPS', latin('%!PS-Adobe-3.0 EPSF-3.0\n')],
  ['postscript', 'EPS with a preview', latin('\xc5\xd0\xd3\xc6\x20\0\0\0')],
  ['figma', 'a copy of a design', latin('fig-kiwi\x0f\0\0\0')],
  ['mp4', 'a video', box('isom')],
  ['mp4', 'a video of a phone', box('qt  ')],
  ['webm', 'a video', latin('\x1a\x45\xdf\xa3\x9f\x42\x86\x81')],
  ['zip', 'a Sketch file', latin('PK\x03\x04\x14\0\0\0')],
  ['zip', 'an archive with a PDF', latin('PK\x03\x04\x14\0\0\0%PDF-1.7')],
  ['html', 'a page with a drawing', latin('\xef\xbb\xbf\n<!DOCTYPE html><html><body><svg></svg>')],
  ['html', 'a page without a document type', latin('<html lang="en"><svg>')],
]

for (const [name, description, bytes] of files) {
  test(`names ${name}: ${description}`, () => {
    const { name: title, instead } = unsupportedFormats[name]
    assert.throws(() => knownFormat(bytes), messageIs(`${title} is not supported. ${instead}`))
  })
}

test('each named format has a file above', () => {
  assert.deepEqual([...new Set(files.map(([name]) => name))].sort(), Object.keys(unsupportedFormats).sort())
})

test('recognizes PDF and PSD', () => {
  assert.equal(knownFormat(latin('8BPS\0\x01\0\0\0\0\0\0')), 'psd')
  assert.equal(knownFormat(latin('%PDF-1.7\n%\xe2\xe3\xcf\xd3\n')), 'pdf')
  assert.equal(knownFormat(latin(`${' '.repeat(1_000)}%PDF-1.4`)), 'pdf')
})

test('lists the supported formats for other files', () => {
  const others = ['plain text', 'BM is not a bitmap', 'GIF89', '\0\0\x01\0', 'II', 'PNG', `\0\0\x02${'\0'.repeat(40)}`]
  for (const text of others)
    assert.throws(
      () => knownFormat(latin(text)),
      messageIs(/^The file is not an image in a supported format \(png, jpeg/),
    )
})

test('a TIFF with reduced images behind the first one is not RAW', async () => {
  const pixels = { create: { width: 64, height: 48, channels: 3 as const, background: '#369' } }
  assert.equal(knownFormat(await sharp(pixels).tiff({ pyramid: true, tile: true }).toBuffer()), 'tiff')
  assert.equal(
    knownFormat(
      tiff([
        [254, 0],
        [330, 4_000],
      ]),
    ),
    'tiff',
  )
  assert.equal(knownFormat(tiff([[254, 1]])), 'tiff')
})

test('a drawing is SVG, also after a comment', () => {
  assert.equal(knownFormat(latin('<!-- html --><svg xmlns="http://www.w3.org/2000/svg"/>')), 'svg')
})

function messageIs(expected: string | RegExp) {
  return (error: unknown) => {
    assert.ok(error instanceof Fault && error.details.reason === 'input_invalid')
    if (typeof expected === 'string') assert.equal(error.message, expected)
    else assert.match(error.message, expected)
    return true
  }
}

const root = '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>'
const heads: [string, string | Buffer][] = [
  ['a comment of 6 KiB', `<!--${'x'.repeat(6_000)}-->${root}`],
  ['many comments', `<?xml version="1.0"?>\n${'<!-- a > b -->\n'.repeat(2_000)}${root}`],
  ['a document type with declarations', `<!DOCTYPE svg [<!ENTITY a "b>"> <!ENTITY c "d">]>\n${root}`],
  ['a prefix', '<s:svg xmlns:s="http://www.w3.org/2000/svg"/>'],
  ['UTF-16', Buffer.from(`\uFEFF${root}`, 'utf16le')],
  ['a mark of UTF-8', `\uFEFF  ${root}`],
]

for (const [name, head] of heads) {
  test(`finds an SVG with ${name}`, () => {
    assert.equal(knownFormat(Buffer.from(head as string)), 'svg')
  })
}

test('a document with another root, or a long comment without one, isn’t an SVG', () => {
  for (const text of ['<feed><svg/></feed>', `<!--${'<svg >'.repeat(50_000)}`, '<svgx/>']) {
    assert.throws(() => knownFormat(Buffer.from(text)), /not an image in a supported format/)
  }
})
