/** Malicious PDF and PSD files. */
import assert from 'node:assert/strict'
import { afterEach, before, test } from 'node:test'
import { deflateSync } from 'node:zlib'
import { area } from '../harness/area.ts'
import { type Client, issuePaths, ok } from '../harness/client.ts'
import { file } from '../harness/multipart.ts'
import { pdfOf, pdfPage, streamOf } from '../harness/pdfs.ts'
import { psdOf } from '../harness/psds.ts'
import { closedService, firstAccount } from '../harness/shared.ts'
import { assertAlive } from './survival.ts'

const catalog = '<</Type/Catalog/Pages 2 0 R>>'
const form = (content: string, next: number) =>
  streamOf(content, `/Type/XObject/Subtype/Form/BBox[0 0 72 36]/Resources<</XObject<</F ${next} 0 R>>>>`)
const withForm = { resources: '/XObject<</F 5 0 R>>' }
const gray = (height: number) => Array.from({ length: 3 }, () => Buffer.alloc(height))

area('hostile PDF and PSD files', { isSlow: true, concurrency: 2, dependsOn: 'nothing' }, () => {
  let api: Client
  before(async () => {
    api = await firstAccount(await closedService())
  })
  afterEach(() => assertAlive(api.service))

  const rejected: [what: string, bytes: () => Buffer][] = [
    ['a PDF whose content unpacks to a gigabyte', () => bomb(1)],
    ['a PDF of 3 KB whose content unpacks to a gigabyte', () => bomb(2)],
    ['a PDF whose form draws itself twice', () => pdfPage('/F Do', { ...withForm, objects: [form('/F Do /F Do', 5)] })],
    [
      'a PDF whose forms draw the next one nine times',
      () => {
        const objects = Array.from({ length: 30 }, (_, at) => form('/F Do '.repeat(9), at + 6))
        return pdfPage('/F Do', { ...withForm, objects })
      },
    ],
    ['a PDF with a page of 5 x 5 meters', () => pdfPage('', { box: '[0 0 14400 14400]' })],
    ['a PDF whose pages contain themselves', () => pdfOf([catalog, '<</Type/Pages/Kids[2 0 R 2 0 R]/Count 9>>'])],
    ['a PDF whose cross-reference table points to itself', () => Buffer.from(xrefLoop)],
    ['a PSD that claims 300,000 x 300,000 pixels', () => psdOf({ width: 300_000, height: 300_000, channels: [] })],
    [
      'a PSD that claims 10,000 x 10,000 pixels without any',
      () => psdOf({ width: 10_000, height: 9_999, channels: gray(9) }),
    ],
    ['a PSD with layers of 4 GB', () => layersLie()],
  ]
  for (const [label, bytes] of rejected) {
    test(`${label} is rejected`, async () => {
      assert.deepEqual(issuePaths(await api.upload([file(bytes(), 'document')])), ['file'])
    })
  }

  const accepted: [what: string, bytes: () => Buffer][] = [
    ['a PDF with 100,000 pages', () => manyPages(100_000)],
    ['a PDF that claims 2 billion pages', () => pdfOf([catalog, '<</Type/Pages/Kids[3 0 R]/Count 2000000000>>', page])],
    [
      'a PDF whose page is nested in 50,000 arrays',
      () => pdfPage('', { more: `/X${'['.repeat(50_000)}${']'.repeat(50_000)}` }),
    ],
    ['a PDF with endless scripts', () => pdfPage('', { catalog: '/OpenAction<</S/JavaScript/JS(for\\(;;\\){})>>' })],
    ['a PDF that starts a program', () => pdfPage('', { catalog: '/OpenAction<</S/Launch/F(/bin/sh)>>' })],
    ['a PDF with a page of no size', () => pdfPage('', { box: '[0 0 0 0]' })],
    ['a PDF with an image of 10,000 x 10,000 pixels', () => largeImage()],
    ['a PSD with layers of 20 MB', () => psdOf({ width: 1, height: 2, channels: gray(2), layers: 9, layerBytes: 2e7 })],
  ]
  for (const [label, bytes] of accepted) {
    test(`${label} is accepted with a size, or rejected`, async () => {
      const reply = await api.upload([file(bytes(), 'document')])
      if (reply.status === 400) issuePaths(reply)
      else assert.ok(ok(reply, 201).width > 0)
    })
  }
})

const page = '<</Type/Page/Parent 2 0 R/MediaBox[0 0 72 36]>>'

function bomb(rounds: number): Buffer {
  let data = deflateSync(Buffer.alloc(1_000_000_000), { level: 9 })
  if (rounds === 2) data = deflateSync(data, { level: 9 })
  return pdfPage(data, { stream: `/Filter[${'/FlateDecode'.repeat(rounds)}]` })
}

const xrefLoop = '%PDF-1.4\nxref\n0 1\ntrailer<</Root 1 0 R/Prev 9>>\nstartxref\n9\n%%EOF'

function manyPages(count: number): Buffer {
  return pdfOf([catalog, `<</Type/Pages/Kids[${'3 0 R '.repeat(count)}]/Count ${count}>>`, page])
}

function largeImage(): Buffer {
  const image = streamOf(
    deflateSync(Buffer.alloc(300_000_000)),
    '/Type/XObject/Subtype/Image/Width 10000/Height 10000/ColorSpace/DeviceRGB/BitsPerComponent 8/Filter/FlateDecode',
  )
  return pdfPage('72 0 0 36 0 0 cm /F Do', { ...withForm, objects: [image] })
}

function layersLie(): Buffer {
  const bytes = psdOf({ width: 1, height: 2, channels: gray(2), layers: 1 })
  bytes.writeUInt32BE(0xffffffff, 26 + 4 + 4)
  return bytes
}
