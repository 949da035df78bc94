/** Hostile texts: parameters of workflows, and rows of batches; and files that are of two formats. */
import { gzipSync } from 'node:zlib'
import { u16, u32 } from '../../../src/imaging/raster/test-costly-files.ts'
import { plain } from '../../harness/pictures.ts'
import { filesOf, type HostileFile, hex, times } from './hostile-file.ts'

const box = (style: string, content = '') => `<div style="${style}">${content}</div>`
const zip = Buffer.concat([hex('504b0304140000000000'), Buffer.alloc(20, 255)])

export const textFiles: HostileFile[] = [
  ...filesOf(
    'HTML',
    ['html'],
    { '33,000 elements': () => '<b>'.repeat(33_000) },
    {
      '2,900 elements in grids of grids': () => grids(58),
      '500 shadows of 10,000 pixels': () =>
        box(`width:900px;height:900px;box-shadow:${Array(200).fill('0 0 5000px 5000px red').join(',')}`).repeat(10),
      'a word of 95,000 letters': () => box('width:1px;word-break:break-all', 'W'.repeat(95_000)),
    },
  ),
  ...filesOf(
    'CSS',
    ['css'],
    {},
    {
      'variables that double 60 times': () =>
        `:root{--v0:x;${Array.from({ length: 60 }, (_, at) => `--v${at + 1}:var(--v${at}) var(--v${at})`).join(';')}}b{content:var(--v60);font-family:var(--v60)}`,
      'selectors that look at everything': () => `${'* * * * * :not(.a) ~ * '.repeat(1_500)}{color:red}`,
    },
  ),
  ...filesOf('parameter', ['cube'], {
    'a table of a billion cubed': () => 'LUT_3D_SIZE 1000000000\n0 0 0\n',
  }),
  ...filesOf(
    'parameter',
    ['data'],
    { '20,000 commas': () => ','.repeat(19_999) },
    { 'numbers of 9,000 digits': () => `a,${'9'.repeat(9_000)}\nb,${'9'.repeat(9_000)}` },
  ),
  ...filesOf(
    'parameter',
    ['text'],
    {},
    {
      'markup in markup': () => `${'<b>'.repeat(700)}a${'</b>'.repeat(700)}`,
    },
  ),
  ...filesOf('CSV', ['csv'], {
    'a cell of 60 MB without an end': () => `size\n"${'a'.repeat(60_000_000)}`,
    '60 MB of separators': () => `size\n${','.repeat(60_000_000)}`,
  }),
  ...filesOf('NDJSON', ['ndjson'], {
    'lists in lists, 30 million of them': () => '['.repeat(30_000_000),
  }),
  ...filesOf(
    'two formats',
    ['upload', 'url', 'verify'],
    {
      'a compressed SVG of 1 GB': () => gzipSync(Buffer.alloc(1_000_000_000, '<svg>'), { level: 9 }),
    },
    {
      'a PNG with 30 MB of archives behind it': async () => Buffer.concat([await plain('png'), times(1_000_000, zip)]),
      'a JPEG with a manifest of 30 MB of boxes in boxes': async () => manifest(await plain('jpeg')),
    },
  ),
]

function grids(depth: number): string {
  let inner = ''
  for (let at = 0; at < depth; at += 1)
    inner = box('display:grid;grid-template-columns:repeat(auto-fit,minmax(1px,1fr))', inner + box('', 'a').repeat(45))
  return inner
}

/** Segments with boxes of JUMBF (ISO 19566-5), each of which contains the next. */
function manifest(jpeg: Buffer): Buffer {
  const segments = Array.from({ length: 450 }, (_, at) => {
    const data = Buffer.alloc(65_533, hex('0000ffff6a756d620000ffff6a756d64'))
    Buffer.concat([Buffer.from('JP'), u16(1), u32(at + 1, 0x7fffffff), Buffer.from('jumb')]).copy(data)
    return Buffer.concat([hex('ffebffff'), data])
  })
  return Buffer.concat([jpeg.subarray(0, 2), ...segments, jpeg.subarray(2)])
}
