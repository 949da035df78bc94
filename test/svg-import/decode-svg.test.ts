import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { decodeSvg } from '../../shared/svg-import/decode-svg.ts'
import { SvgProblem } from '../../shared/svg-import/svg-problem.ts'

const svg = '<svg>é</svg>'
const latin1 = '<?xml version="1.0" encoding="ISO-8859-1"?><svg>é</svg>'

const readable: [what: string, bytes: Uint8Array, text: string][] = [
  ['UTF-8', Buffer.from(svg), svg],
  ['a byte order mark', Buffer.from(`\ufeff${svg}`), svg],
  ['UTF-16', Buffer.from(`\ufeff${svg}`, 'utf16le'), svg],
  ['the encoding of the XML declaration', Buffer.from(latin1, 'latin1'), latin1],
  ['SVGZ', gzipSync(svg), svg],
]

describe('files are decompressed and decoded', () => {
  for (const [label, bytes, text] of readable) test(label, async () => assert.equal(await decodeSvg(bytes), text))
})

const refused: [what: string, bytes: Uint8Array, message: RegExp][] = [
  ['damaged SVGZ', gzipSync(svg).subarray(0, 20), /compressed \(SVGZ\), but damaged/],
  ['another encoding than the declared one', Buffer.from('<svg>é</svg>', 'latin1'), /not text in the encoding utf-8/],
  ['an unknown encoding', Buffer.from('<?xml version="1.0" encoding="x-none"?><svg/>'), /in the encoding x-none/],
  ['SVGZ that is huge after decompression', gzipSync(Buffer.alloc(100_000_000)), /more than 33554432 bytes/],
  ['a huge file', new Uint8Array(33_554_433), /more than 33554432 bytes/],
]

describe('files that cannot be read are refused with the reason', () => {
  for (const [label, bytes, message] of refused)
    test(label, async () => {
      await assert.rejects(
        decodeSvg(bytes),
        (error: unknown) => error instanceof SvgProblem && message.test(error.message),
      )
    })
})
