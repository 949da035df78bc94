import assert from 'node:assert/strict'
import { test } from 'node:test'
import { deflateSync } from 'node:zlib'
import { pdfPage } from '../../../../test/harness/pdfs.ts'
import { imageFromBytes } from '../image.ts'
import { isFault } from '../test-faults.ts'
import { contextFor } from '../test-images.ts'

test('a stream that unpacks to a gigabyte is stopped at the memory limit', { timeout: 60_000 }, async () => {
  const bomb = deflateSync(deflateSync(Buffer.alloc(1_200_000_000), { level: 9 }), { level: 9 })
  const file = pdfPage(bomb, { stream: '/Filter[/FlateDecode/FlateDecode]' })
  await assert.rejects(imageFromBytes(file, contextFor()), isFault('limit_exceeded', /memory limit|took longer/))
})
