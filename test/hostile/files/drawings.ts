/** Hostile SVG and PDF files. */
import { deflateSync } from 'node:zlib'
import { pdfOf, pdfPage, streamOf } from '../../harness/pdfs.ts'
import { pngBomb, svg as svgOf } from '../../harness/pictures.ts'
import { filesOf, type HostileFile, images } from './hostile-file.ts'

const rect = (more: string) => `<rect width="100%" height="100%" ${more}/>`
const large = 'width="6000" height="6000"'
const list = (length: number, of: (at: number) => string) => Array.from({ length }, (_, at) => of(at)).join('')

const svgs = filesOf(
  'SVG',
  // Used as the text of a parameter, too.
  [...images, 'svg'],
  {
    'a billion uses': () =>
      svgOf(
        `<defs><rect id="l0"/>${list(9, (at) => `<g id="l${at + 1}">${`<use href="#l${at}"/>`.repeat(10)}</g>`)}</defs><use href="#l9"/>`,
      ),
    'a blur of 10,000 pixels, 300 times': () =>
      svgOf(
        `<filter id="f">${'<feGaussianBlur stdDeviation="10000"/>'.repeat(300)}</filter>${rect('filter="url(#f)"')}`,
        large,
      ),
    'an image of an SVG in an SVG': () =>
      svgOf(`<image href="data:image/svg+xml;base64,${svgOf(rect('')).toString('base64')}"/>`),
    '50,000 elements in each other': () => svgOf('<g>'.repeat(50_000)),
  },
  {
    'patterns in patterns': () => svgOf(`${patterns(12)}${rect('fill="url(#p12)"')}`, large),
    'an image that is a bomb, 3,000 times': () =>
      svgOf(
        `<image id="i" width="9" height="9" href="data:image/png;base64,${pngBomb(9_000, 9_000).toString('base64')}"/>${'<use href="#i"/>'.repeat(3_000)}`,
      ),
    '3,000 rules of CSS for 9,000 elements': () =>
      svgOf(
        `<style>${list(3_000, (at) => `g g *:not(.x) .a${at} *{fill:red}`)}</style>${'<g><g class="a1"><path d="M0 0h9"/></g></g>'.repeat(3_000)}`,
      ),
  },
)

/** Each pattern is filled with the one before it, in smaller tiles. */
function patterns(count: number): string {
  const attributes = 'width="3" height="3" patternUnits="userSpaceOnUse"'
  const fill = (at: number) => `<rect width="2" height="2" fill="url(#p${at - 1})"/>`
  return list(count + 1, (at) => `<pattern id="p${at}" ${attributes}>${fill(at)}</pattern>`)
}

const withForm = { resources: '/XObject<</F 5 0 R>>' }
const catalog = '<</Type/Catalog/Pages 2 0 R>>'
const form = (content: string, next: number) =>
  streamOf(content, `/Type/XObject/Subtype/Form/BBox[0 0 72 36]/Resources<</XObject<</F ${next} 0 R>>>>`)
const forms = (count: number) => Array.from({ length: count }, (_, at) => form('/F Do '.repeat(9), at + 6))
const a4 = '[0 0 595 842]'

const pdfs = filesOf(
  'PDF',
  images,
  {
    'content that unpacks to 1 GB': () =>
      pdfPage(deflateSync(Buffer.alloc(1_000_000_000), { level: 9 }), { stream: '/Filter/FlateDecode' }),
    'forms that draw the next one nine times': () => pdfPage('/F Do', { ...withForm, objects: forms(30) }),
    'a cross-reference table that points to itself': () =>
      '%PDF-1.4\nxref\n0 1\ntrailer<</Root 1 0 R/Prev 9>>\nstartxref\n9\n%%EOF',
    'an image of 30,000 x 30,000 pixels, 1,000 times': () => hugeImage(),
  },
  {
    'a shading by a slow function': () => slowShading(),
    'a Type 3 font whose glyph shows itself': () => recursiveGlyph(),
    '100,000 levels of pages': () => deepPages(100_000),
    'a page nested in 50,000 arrays': () => pdfPage('', { more: `/X${'['.repeat(50_000)}${']'.repeat(50_000)}` }),
    'a program that it starts': () => pdfPage('', { catalog: '/OpenAction<</S/Launch/F(/bin/sh)>>' }),
  },
)

export const drawingFiles: HostileFile[] = [...svgs, ...pdfs]

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
