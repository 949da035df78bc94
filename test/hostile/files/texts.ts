/** Hostile texts: parameters of workflows, and rows of batches; and files that are of two formats. */
import { gzipSync } from 'node:zlib'
import { pdfPage } from '../../harness/pdfs.ts'
import { plain } from '../../harness/pictures.ts'
import { type HostileFile, rowsOf, type Way } from './hostile-file.ts'

const box = (style: string, content = '') => `<div style="${style}">${content}</div>`

const html = rowsOf(
  'HTML',
  ['html'],
  [
    [
      '2,900 elements in grids of grids',
      () =>
        nest(58, (inner) =>
          box('display:grid;grid-template-columns:repeat(auto-fit,minmax(1px,1fr))', inner + box('', 'a').repeat(45)),
        ),
      'either',
    ],
    [
      'flex boxes in flex boxes',
      () =>
        nest(60, (inner) =>
          box('display:flex;flex-wrap:wrap;min-width:min-content', inner + box('flex:1 1 auto', 'a b').repeat(40)),
        ),
      'either',
    ],
    [
      'a grid of a billion columns',
      () => box('display:grid;grid-template-columns:repeat(1000000000,1px)', 'a'),
      'either',
    ],
    [
      '500 shadows of 10,000 pixels',
      () => box(`width:900px;height:900px;box-shadow:${Array(200).fill('0 0 5000px 5000px red').join(',')}`).repeat(10),
      'either',
    ],
    ['1,000 blurred boxes', () => box('width:1000px;height:1000px;filter:blur(500px)', 'a').repeat(1_000), 'either'],
    [
      'a table of 3,000 spans',
      () => `<table>${'<tr><td colspan="1000" rowspan="65534">a</td></tr>'.repeat(1_400)}</table>`,
      'either',
    ],
    ['a word of 95,000 letters', () => box('width:1px;word-break:break-all', 'W'.repeat(95_000)), 'either'],
    ['95,000 letters of 900 pixels', () => box('font-size:900px', 'W '.repeat(45_000)), 'either'],
    ['50,000 elements', () => '<b>'.repeat(33_000)],
  ],
)

const css = rowsOf(
  'CSS',
  ['css'],
  [
    [
      'variables that double 60 times',
      () =>
        `:root{--v0:x;${Array.from({ length: 60 }, (_, at) => `--v${at + 1}:var(--v${at}) var(--v${at})`).join(';')}}b{content:var(--v60);font-family:var(--v60)}`,
      'either',
    ],
    ['sums in sums', () => `b{width:${'calc(1px + '.repeat(1_000)}1px${')'.repeat(1_000)}}`, 'either'],
    [
      'a gradient of 500 colors, 100 times',
      () =>
        `b{display:block;width:1200px;height:9000px;background:${Array(9)
          .fill(`repeating-conic-gradient(${Array(60).fill('red 0.01deg').join(',')})`)
          .join(',')}}`,
      'either',
    ],
    ['selectors that look at everything', () => `${'* * * * * :not(.a) ~ * '.repeat(1_500)}{color:red}`, 'either'],
  ],
)

const drawn = rowsOf(
  'parameter',
  ['cube'],
  [
    ['a table of 65 cubed without values', () => 'LUT_3D_SIZE 65\n'],
    ['a table of a billion cubed', () => 'LUT_3D_SIZE 1000000000\n0 0 0\n'],
    ['200,000 lines of one number', () => `LUT_1D_SIZE 65536\n${'1\n'.repeat(120_000)}`],
  ],
).concat(
  rowsOf(
    'parameter',
    ['data'],
    [
      ['20,000 commas', () => ','.repeat(19_999)],
      ['a quoted cell without an end', () => `"${'a'.repeat(19_000)}`, 'either'],
      ['numbers of 9,000 digits', () => `a,${'9'.repeat(9_000)}\nb,${'9'.repeat(9_000)}`, 'either'],
    ],
  ),
  rowsOf(
    'parameter',
    ['text'],
    [
      ['4,900 marks on one letter', () => `a${'\u0301'.repeat(4_900)}`, 'either'],
      ['changes of direction', () => '\u202e\u2066'.repeat(2_400), 'either'],
      ['parts of emoji without an end', () => '\u{1f469}\u200d'.repeat(1_600), 'either'],
      ['markup in markup', () => `${'<b>'.repeat(700)}a${'</b>'.repeat(700)}`, 'either'],
    ],
  ),
)

const rows: HostileFile[] = [
  ...rowsOf(
    'CSV',
    ['csv'],
    [
      ['a cell of 60 MB without an end', () => `size\n"${'a'.repeat(60_000_000)}`],
      ['a million columns', () => `${Array.from({ length: 1_000_000 }, (_, at) => `c${at}`).join(',')}\n1`],
      ['a hundred thousand invalid rows', () => `size\n${'x\n'.repeat(99_999)}`],
      ['60 MB of quotes', () => `size\n${'"'.repeat(60_000_000)}`],
      ['60 MB of separators', () => `size\n${','.repeat(60_000_000)}`],
    ],
  ),
  ...rowsOf(
    'NDJSON',
    ['ndjson'],
    [
      ['lists in lists, 30 million of them', () => '['.repeat(30_000_000)],
      [
        'an object of a million fields',
        () => `{${Array.from({ length: 1_000_000 }, (_, at) => `"a${at}":1`).join(',')}}`,
      ],
      ['a number of 60 million digits', () => `{"size":${'1'.repeat(60_000_000)}}`],
      ['a hundred thousand rows of nothing', () => '{}\n'.repeat(100_001)],
    ],
  ),
]

const image: Way[] = ['upload', 'url', 'verify']

const polyglots = rowsOf('two formats', image, [
  ['a JPEG with a ZIP archive behind it', async () => Buffer.concat([await plain('jpeg'), zip]), 'either'],
  ['a GIF that is a script', async () => Buffer.concat([await plain('gif'), Buffer.from('=1;while(1);/*')]), 'either'],
  ['a PDF in an archive', () => Buffer.concat([zip, pdfPage('')])],
  [
    'a PNG with 30 MB of archives behind it',
    async () => Buffer.concat([await plain('png'), ...Array(1_000_000).fill(zip)]),
    'either',
  ],
  ['a PDF that is a GIF', () => Buffer.concat([Buffer.from('GIF89a'), pdfPage('')])],
  ['a compressed SVG of 1 GB', () => gzipSync(Buffer.alloc(1_000_000_000, '<svg>'), { level: 9 })],
  ['a JPEG with a manifest of 30 MB of boxes in boxes', async () => manifest(await plain('jpeg')), 'either'],
])

const zip = Buffer.concat([Buffer.from('504b0304140000000000', 'hex'), Buffer.alloc(20, 255)])

export const textFiles: HostileFile[] = [...html, ...css, ...drawn, ...rows, ...polyglots]

function nest(depth: number, around: (inner: string) => string): string {
  let inner = ''
  for (let at = 0; at < depth; at += 1) inner = around(inner)
  return inner
}

/** Segments with boxes of JUMBF (ISO 19566-5), each of which contains the next. */
function manifest(jpeg: Buffer): Buffer {
  const segments = Array.from({ length: 450 }, (_, at) => {
    const data = Buffer.alloc(65_533, Buffer.from('0000ffff6a756d620000ffff6a756d64', 'hex'))
    data.write('JP', 0, 'latin1')
    data.writeUInt16BE(1, 2)
    data.writeUInt32BE(at + 1, 4)
    data.writeUInt32BE(0x7fffffff, 8)
    data.write('jumb', 12, 'latin1')
    return Buffer.concat([Buffer.from('ffebffff', 'hex'), data])
  })
  return Buffer.concat([jpeg.subarray(0, 2), ...segments, jpeg.subarray(2)])
}
