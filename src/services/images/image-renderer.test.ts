import assert from 'node:assert/strict'
import { test } from 'node:test'
import { BlobMissing } from '../../domain/images/image.ts'
import type { PixelBudget, PixelShare } from '../../engine/run/pixel-budget.ts'
import { Fault, failure } from '../../errors.ts'
import { createImageRenderer } from './image-renderer.ts'

const image = { id: 'img_1', accountId: 'acct_1', format: 'png' as const, size: 400, width: 9, height: 9, origin: null }
const thumbnail = { bytes: Buffer.from('small'), format: 'webp' as const, width: 1, height: 1 }
const signal = new AbortController().signal

function open({ file = 'file', renderFile }: { file?: string | Buffer; renderFile: RenderFile }) {
  const memory = { bytes: 0, account: '' }
  const share: Partial<PixelShare> = {
    async reserveBytes(bytes) {
      memory.bytes += bytes
      return () => {
        memory.bytes -= bytes
      }
    },
    close: () => undefined,
  }
  const pixels: PixelBudget = {
    open(account = '') {
      memory.account = account
      return share as PixelShare
    },
    onShortage: () => undefined,
  }
  const blobs = {
    async read(key: string) {
      assert.equal(memory.bytes, image.size, 'the memory is reserved before the file is read')
      if (file === '') throw new BlobMissing(key)
      return typeof file === 'string' ? Buffer.from(file) : file
    },
  }
  return { memory, render: createImageRenderer({ blobs, renderFile, pixels, pixelsMax: 1_000, seconds: 30 }) }
}

type RenderFile = Parameters<typeof createImageRenderer>[0]['renderFile']

/** The jobs of a rendering settle in the background. */
const settled = () => new Promise((resolve) => setImmediate(resolve))

test('renders the file of an image for its account, within its time and the memory budget', async () => {
  const { memory, render } = open({
    async renderFile(bytes, _image, _rendition, context) {
      assert.equal(bytes.toString(), 'file')
      assert.deepEqual([context.account, context.pixels, context.pixelsMax], ['acct_1', 81, 1_000])
      assert.ok(context.secondsLeft() > 0 && context.secondsLeft() <= 30)
      return thumbnail
    },
  })
  assert.deepEqual(await render(image, { signal }), thumbnail)
  await settled()
  assert.deepEqual(memory, { bytes: 0, account: 'acct_1' })
})

test('the gate of image work knows the format and the pixels of a rendition', async () => {
  const outputs: unknown[] = []
  const { render } = open({
    async renderFile(_bytes, _image, _rendition, { output }) {
      outputs.push(output)
      return thumbnail
    },
  })
  const photo = { ...image, format: 'jpeg' as const, width: 4_000, height: 2_000 }
  for (const [source, rendition] of [
    [photo, { fit: 'inside', format: 'png' }],
    [photo, { width: 1_000, fit: 'inside', format: 'webp' }],
    [photo, { width: 1_000, height: 1_000, fit: 'inside', format: 'default' }],
    [photo, { width: 1_000, height: 1_000, fit: 'outside', format: 'avif' }],
    [photo, { width: 1_000, height: 1_000, fit: 'fill', format: 'png' }],
    [photo, { width: 4_096, fit: 'inside', format: 'png' }],
    [image, { fit: 'inside', format: 'default' }],
    [
      { ...image, format: 'svg' as const },
      { width: 90, fit: 'inside', format: 'png' },
    ],
  ] as const)
    await render(source, { rendition, signal })
  await render(photo, { signal })
  assert.deepEqual(outputs, [
    { format: 'png', pixels: 8_000_000 },
    { format: 'webp', pixels: 500_000 },
    { format: 'jpeg', pixels: 500_000 },
    { format: 'avif', pixels: 2_000_000 },
    { format: 'png', pixels: 1_000_000 },
    { format: 'png', pixels: 8_000_000 },
    { format: 'png', pixels: 81 },
    { format: 'png', pixels: 8_100 },
    undefined,
  ])
})

test('a missing file is `not_found`, and releases the memory', async () => {
  const { memory, render } = open({ file: '', renderFile: async () => assert.fail() })
  const isMissing = (error: unknown) =>
    error instanceof Fault && error.code === 'not_found' && /img_1/.test(error.message)
  await assert.rejects(render(image, { signal }), isMissing)
  await settled()
  assert.equal(memory.bytes, 0)
})

test('the file counts until a job that cannot be stopped is done, also after its clients are gone', async () => {
  const job = Promise.withResolvers<void>()
  const { memory, render } = open({
    async renderFile(_bytes, _image, _rendition, { onStart }) {
      onStart(job.promise)
      throw failure('cancelled', 'gone')
    },
  })
  await assert.rejects(render(image, { signal }), /gone/)
  await settled()
  assert.equal(memory.bytes, image.size)
  job.resolve()
  await settled()
  assert.equal(memory.bytes, 0)
})

test('the bytes of a file are freed when the last job that reads them is done', async () => {
  const job = Promise.withResolvers<void>()
  const file = Buffer.alloc(100_000)
  const { render } = open({
    file,
    async renderFile(_bytes, _image, _rendition, { onStart }) {
      onStart(job.promise)
      return thumbnail
    },
  })
  await render(image, { signal })
  await settled()
  assert.equal(file.byteLength, 100_000)
  job.resolve()
  await settled()
  assert.equal(file.byteLength, 0)
})

test('bytes that share their memory, and those of drawings, are not freed', async () => {
  const shared = Buffer.alloc(100_000).subarray(1)
  const whole = Buffer.alloc(100_000)
  const renderFile = async () => thumbnail
  await open({ file: shared, renderFile }).render(image, { signal })
  await open({ file: whole, renderFile }).render({ ...image, format: 'svg' }, { signal })
  await settled()
  assert.deepEqual([shared.byteLength, whole.byteLength], [99_999, 100_000])
})
