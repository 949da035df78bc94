/** Hostile SVG and PDF files. */
import { deflateSync } from 'node:zlib'
import { pdfOf, pdfPage, streamOf } from '../../harness/pdfs.ts'
import { pngBomb, svg as svgOf } from '../../harness/pictures.ts'
import { type HostileFile, images, rowsOf, type Way } from './hostile-file.ts'

const rect = (more: string) => `<rect width="100%" height="100%" ${more}/>`
const large = 'width="6000" height="6000"'
const filter = (steps: string, size = large) =>
  svgOf(`<filter id="f">${steps}</filter>${rect('filter="url(#f)"')}`, size)

/** Used as the text of a parameter, too. */
const drawing: Way[] = ['upload', 'url', 'svg']

const svgs = rowsOf('SVG', drawing, [
  ['a billion uses', () => svgOf(`${levels((at) => `<use href="#l${at}"/>`.repeat(10))}<use href="#l9"/>`)],
  ['patterns in patterns', () => svgOf(`${patterns(12)}${rect('fill="url(#p12)"')}`, large), 'either'],
  ['masks in masks', () => svgOf(`${masks(100)}${rect('mask="url(#m99)"')}`, large), 'either'],
  ['turbulence of 10,000 octaves', () => filter('<feTurbulence numOctaves="10000" baseFrequency="0.9"/>')],
  ['a blur of 10,000 pixels, 300 times', () => filter('<feGaussianBlur stdDeviation="10000"/>'.repeat(300))],
  [
    'a convolution of 101 x 101',
    () => filter(`<feConvolveMatrix order="101" kernelMatrix="${'1 '.repeat(101 * 101)}"/>`),
    'either',
  ],
  ['dilation by 5,000 pixels', () => filter('<feMorphology operator="dilate" radius="5000"/>'), 'either'],
  [
    '200 lights',
    () => filter('<feDiffuseLighting><fePointLight x="1" y="1" z="9"/></feDiffuseLighting>'.repeat(200)),
    'either',
  ],
  [
    'dashes of a millionth of a pixel',
    () => svgOf('<path d="M0 0L90 90" stroke="red" stroke-dasharray="0.000001"/>'),
    'either',
  ],
  [
    '5,000 elements that are filtered one by one',
    () =>
      svgOf(
        `<filter id="f"><feGaussianBlur stdDeviation="99"/></filter>${'<g filter="url(#f)"><path d="M0 0h9"/></g>'.repeat(5_000)}`,
        large,
      ),
    'either',
  ],
  ['an image that is a bomb, 3,000 times', () => svgOf(`${dataImage()}${'<use href="#i"/>'.repeat(3_000)}`), 'either'],
  [
    'an image of an SVG in an SVG',
    () => svgOf(`<image width="9" height="9" href="data:image/svg+xml;base64,${svgOf(rect('')).toString('base64')}"/>`),
  ],
  [
    'markers on 20,000 corners',
    () =>
      svgOf(
        `<marker id="m" markerWidth="9" markerHeight="9"><path d="${'M0 0L9 9'.repeat(500)}"/></marker><path marker-mid="url(#m)" d="M0 0${'l1 1'.repeat(20_000)}"/>`,
      ),
    'either',
  ],
  [
    '3,000 rules of CSS for 5,000 elements',
    () =>
      svgOf(
        `<style>${Array.from({ length: 3_000 }, (_, at) => `g g *:not(.x) .a${at} *{fill:red}`).join('')}</style>${'<g><g class="a1"><path d="M0 0h9"/></g></g>'.repeat(3_000)}`,
      ),
    'either',
  ],
  [
    'an arc of 1e308 pixels',
    () => svgOf(`<path d="${'M0 0A1e308 1e-308 45 1 1 1e308 1e-308'.repeat(500)}" stroke="red" stroke-width="1e300"/>`),
    'either',
  ],
  [
    'a view of 1e-30 pixels',
    () => svgOf(rect('stroke="red"'), 'width="9000" height="9000" viewBox="0 0 1e-30 1e-30"'),
    'either',
  ],
  [
    'a clip path that clips itself',
    () => svgOf(`<clipPath id="c" clip-path="url(#c)"><path d="M0 0h9v9"/></clipPath>${rect('clip-path="url(#c)"')}`),
    'either',
  ],
  [
    'gradients that refer to each other',
    () => svgOf(`<linearGradient id="a" href="#b"/><linearGradient id="b" href="#a"/>${rect('fill="url(#a)"')}`),
    'either',
  ],
  ['50,000 elements in each other', () => svgOf(`${'<g>'.repeat(50_000)}`)],
  ['a page around it', () => `<!doctype html><html><body>${svgOf(rect('')).toString()}</body></html>`],
])

function levels(of: (at: number) => string): string {
  const groups = Array.from({ length: 9 }, (_, at) => `<g id="l${at + 1}">${of(at)}</g>`)
  return `<defs><rect id="l0" width="1" height="1"/>${groups.join('')}</defs>`
}

/** Each pattern is filled with the one before it, in smaller tiles. */
function patterns(count: number): string {
  const attributes = 'width="3" height="3" patternUnits="userSpaceOnUse"'
  const all = Array.from(
    { length: count },
    (_, at) => `<pattern id="p${at + 1}" ${attributes}><rect width="2" height="2" fill="url(#p${at})"/></pattern>`,
  )
  return `<pattern id="p0" ${attributes}><rect width="1" height="1"/></pattern>${all.join('')}`
}

function masks(count: number): string {
  return Array.from(
    { length: count },
    (_, at) =>
      `<mask id="m${at}" x="0" y="0" width="1" height="1">${rect(`fill="white" mask="url(#m${at - 1})"`)}</mask>`,
  ).join('')
}

function dataImage(): string {
  return `<image id="i" width="9" height="9" href="data:image/png;base64,${pngBomb(9_000, 9_000).toString('base64')}"/>`
}

const withForm = { resources: '/XObject<</F 5 0 R>>' }
const catalog = '<</Type/Catalog/Pages 2 0 R>>'
const form = (content: string, next: number, more = '') =>
  streamOf(content, `/Type/XObject/Subtype/Form/BBox[0 0 72 36]/Resources<</XObject<</F ${next} 0 R>>>>${more}`)
const a4 = '[0 0 595 842]'

const pdfs = rowsOf('PDF', images, [
  [
    'content that unpacks to 1 GB',
    () => pdfPage(deflateSync(Buffer.alloc(1_000_000_000), { level: 9 }), { stream: '/Filter/FlateDecode' }),
  ],
  ['content that was compressed 40 times', () => packedTimes(40), 'either'],
  [
    'forms that draw the next one nine times',
    () =>
      pdfPage('/F Do', {
        ...withForm,
        objects: Array.from({ length: 30 }, (_, at) => form('/F Do '.repeat(9), at + 6)),
      }),
  ],
  [
    'transparent groups in each other',
    () =>
      pdfPage('/F Do', {
        box: '[0 0 2000 2000]',
        ...withForm,
        objects: Array.from({ length: 20 }, (_, at) =>
          form('/F Do '.repeat(3), at + 6, '/Group<</S/Transparency/I true>>'),
        ),
      }),
  ],
  ['a pattern in steps of a ten-thousandth of a point', () => tiling(), 'either'],
  ['a shading of a million patches', () => patches(1_000_000), 'either'],
  ['a shading by a slow function', () => slowShading(), 'either'],
  ['a Type 3 font whose glyph shows itself', () => recursiveGlyph(), 'either'],
  ['a million lines with dashes', () => pdfPage(`[0.001] 0 d ${'0 0 m 595 842 l S '.repeat(300_000)}`, { box: a4 })],
  [
    'a path of 3 million curves',
    () =>
      pdfPage(deflateSync(Buffer.from(`0 0 m ${'1 2 300 4 5 600 c '.repeat(3_000_000)}f*`)), {
        box: a4,
        stream: '/Filter/FlateDecode',
      }),
    'either',
  ],
  ['a page of 5 x 5 meters', () => pdfPage('', { box: '[0 0 14400 14400]' })],
  [
    'a cross-reference table that points to itself',
    () => Buffer.from('%PDF-1.4\nxref\n0 1\ntrailer<</Root 1 0 R/Prev 9>>\nstartxref\n9\n%%EOF'),
  ],
  ['pages that contain themselves', () => pdfOf([catalog, '<</Type/Pages/Kids[2 0 R 2 0 R]/Count 9>>'])],
  ['100,000 levels of pages', () => deepPages(100_000), 'either'],
  ['an image of 30,000 x 30,000 pixels, 1,000 times', () => hugeImage()],
  [
    'a soft mask of its own form',
    () =>
      pdfPage('/G gs 0 0 72 36 re f', {
        resources: '/ExtGState<</G 5 0 R>>',
        objects: ['<</SMask<</S/Alpha/G 6 0 R>>>>', form('/F Do', 6)],
      }),
    'either',
  ],
  [
    'beginnings of metadata, 32 MB of them',
    () => Buffer.concat([pdfPage(''), Buffer.alloc(31_000_000, '<x:xmpmet')]),
    'either',
  ],
  ['an unknown encryption', () => pdfPage('', { catalog: '/Encrypt<</Filter/Nobody>>' }), 'either'],
])

export const drawingFiles: HostileFile[] = [...svgs, ...pdfs]

function packedTimes(count: number): Buffer {
  let data = deflateSync(Buffer.alloc(100_000_000), { level: 9 })
  for (let at = 1; at < count; at += 1) data = deflateSync(data)
  return pdfPage(data, { stream: `/Filter[${'/FlateDecode'.repeat(count)}]` })
}

function tiling(): Buffer {
  const dictionary = '/PatternType 1/PaintType 1/TilingType 1/BBox[0 0 9 9]/XStep 0.0001/YStep 0.0001/Resources<<>>'
  const pattern = streamOf('0 0 5 5 re f', dictionary)
  return pdfPage('/Pattern cs /P scn 0 0 595 842 re f', {
    box: a4,
    resources: '/Pattern<</P 5 0 R>>',
    objects: [pattern],
  })
}

/** Coons patches (ISO 32000-1, 8.7.4.5.7): a flag, twelve points and four colors of one byte each. */
function patches(count: number): Buffer {
  const data = Buffer.alloc(count * 29)
  for (let at = 0; at < data.length; at += 1) data[at] = at % 29 === 0 ? 0 : (at * 97) % 251
  const dictionary =
    '/ShadingType 6/ColorSpace/DeviceGray/BitsPerCoordinate 8/BitsPerComponent 8/BitsPerFlag 8/Decode[0 595 0 842 0 1]'
  const shading = streamOf(deflateSync(data), `${dictionary}/Filter/FlateDecode`)
  return pdfPage('/S sh', { box: a4, resources: '/Shading<</S 5 0 R>>', objects: [shading] })
}

function slowShading(): Buffer {
  const calculation = `{ pop ${'dup sin exch cos add sqrt '.repeat(20_000)} }`
  const shading = '<</ShadingType 1/ColorSpace/DeviceGray/Domain[0 1 0 1]/Matrix[595 0 0 842 0 0]/Function 6 0 R>>'
  const slow = streamOf(calculation, '/FunctionType 4/Domain[0 1 0 1]/Range[0 1]')
  return pdfPage('/S sh', { box: a4, resources: '/Shading<</S 5 0 R>>', objects: [shading, slow] })
}

function recursiveGlyph(): Buffer {
  const font =
    '<</Type/Font/Subtype/Type3/FontBBox[0 0 9 9]/FontMatrix[1 0 0 1 0 0]/CharProcs<</a 6 0 R>>/Encoding<</Differences[97/a]>>/FirstChar 97/LastChar 97/Widths[1]/Resources<</Font<</F 5 0 R>>>>>>'
  const glyph = streamOf(`9 0 d0 BT /F 9 Tf ${'(aaaaaaaa) Tj '.repeat(9)} ET`)
  return pdfPage('BT /F 9 Tf (aaaa) Tj ET', { resources: '/Font<</F 5 0 R>>', objects: [font, glyph] })
}

function deepPages(depth: number): Buffer {
  const nodes = Array.from({ length: depth }, (_, at) => `<</Type/Pages/Kids[${at + 3} 0 R]/Count 1>>`)
  return pdfOf([catalog, ...nodes, '<</Type/Page/MediaBox[0 0 72 36]>>'])
}

function hugeImage(): Buffer {
  const size = '/Width 30000/Height 30000/ColorSpace/DeviceGray/BitsPerComponent 8/Filter/FlateDecode'
  const image = streamOf(deflateSync(Buffer.alloc(900_000_000), { level: 1 }), `/Type/XObject/Subtype/Image${size}`)
  return pdfPage(`72 0 0 36 0 0 cm ${'/F Do '.repeat(1_000)}`, { ...withForm, objects: [image] })
}
