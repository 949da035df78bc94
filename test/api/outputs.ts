/** Outputs of workflows, read back: the file has the settings of the output, after all steps. */
import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { before, test } from 'node:test'
import sharp from 'sharp'
import { area } from '../harness/area.ts'
import { type Client, issuePaths, refused } from '../harness/client.ts'
import type { Document } from '../harness/documents.ts'
import { glass, noise, turned } from '../harness/pictures.ts'
import { firstAccount } from '../harness/shared.ts'
import { draw, save, upload } from '../harness/workflows.ts'

area('outputs', { concurrency: 4 }, () => {
  let api: Client
  before(async () => {
    api = await firstAccount()
  })

  /** A resized and framed photo, so that metadata of the file pass three steps. */
  const framed = (output: Record<string, unknown>, parameters: Document['parameters'] = []): Document => ({
    name: 'Framed',
    parameters: [{ name: 'source', type: 'string', required: true }, ...(parameters ?? [])],
    nodes: {
      load: { type: 'image', params: { source: '{{ source }}' } },
      small: { type: 'resize', inputs: { image: 'load' }, params: { width: 30 } },
      framed: {
        type: 'extend',
        inputs: { image: 'small' },
        params: { top: 5, bottom: 5, left: 5, right: 5, color: 'white' },
      },
      grey: { type: 'grayscale', inputs: { image: 'framed' } },
    },
    output: { node: 'grey', ...output },
  })

  test('metadata is removed unless it is kept, and the orientation is applied once', async () => {
    const photo = await sharp(await turned(80, 40))
      .keepMetadata()
      .withExifMerge({ IFD0: { Copyright: 'A. Photographer' } })
      .jpeg()
      .toBuffer()
    const source = (await upload(api, photo)).id
    for (const format of ['jpeg', 'png', 'webp', 'avif']) {
      const plain = await sharp(await draw(api, framed({ format }), { source })).metadata()
      assert.equal(plain.exif, undefined, format)
      const withMetadata = await sharp(await draw(api, framed({ format, metadata: 'keep' }), { source })).metadata()
      assert.ok(withMetadata.exif?.includes('A. Photographer'), format)
      assert.ok(withMetadata.orientation === undefined || withMetadata.orientation === 1, format)
      assert.deepEqual([withMetadata.width, withMetadata.height], [40, 70], format)
    }
  })

  test('the gain map of an HDR photo survives resize, crop and a signature, unless it is stripped or colors change', async () => {
    const source = (await upload(api, await readFile(new URL('../documents/hdr.jpg', import.meta.url)))).id
    const cropped = (output: Record<string, unknown>): Document => ({
      ...framed(output),
      nodes: {
        load: { type: 'image', params: { source: '{{ source }}' } },
        small: { type: 'resize', inputs: { image: 'load' }, params: { width: 160 } },
        cropped: { type: 'crop', inputs: { image: 'small' }, params: { x: 10, y: 10, width: 100, height: 80 } },
      },
      output: { node: 'cropped', format: 'jpeg', ...output },
    })
    for (const [document, isHdr] of [
      [cropped({}), true],
      [cropped({ credentials: 'always' }), true],
      [cropped({ hdr: 'strip' }), false],
      [cropped({ format: 'webp' }), false],
      [framed({ format: 'jpeg' }), false],
    ] as const) {
      const bytes = await draw(api, document, { source })
      // Read by libultrahdr, which this process doesn't block.
      const { gainMap } = (await sharp(bytes).metadata()) as { gainMap?: object }
      assert.equal(gainMap !== undefined, isHdr, JSON.stringify(document.output))
      // Again from the cache. A signature can be a new one.
      const again = (await sharp(await draw(api, document, { source })).metadata()) as { gainMap?: object }
      assert.deepEqual(again.gainMap, gainMap)
    }
    const other = await api.post('/workflows/validate', cropped({ format: 'webp', hdr: 'keep' }))
    assert.match(other.text, /is not an option of the format \\"webp\\"/)
  })

  test('format auto and quality auto choose by content, also as templates', async () => {
    const source = (await upload(api, await noise('png', 300, 200))).id
    const parameters: Document['parameters'] = [
      { name: 'format', type: 'string', default: 'auto' },
      { name: 'quality', type: 'string', default: 'auto' },
    ]
    const document = {
      ...framed({}, parameters),
      nodes: { load: { type: 'image', params: { source: '{{ source }}' } } },
      output: { node: 'load', format: '{{ format }}', quality: '{{ quality }}' },
    }
    const byContent = await draw(api, document, { source })
    assert.equal((await sharp(byContent).metadata()).format, 'jpeg')
    const chosen = await draw(api, document, { source, format: 'webp' })
    const plain = await draw(
      api,
      { ...document, output: { ...document.output, quality: 95 } },
      { source, format: 'webp' },
    )
    assert.ok(chosen.length < plain.length)
    for (const [quality, message] of [
      ['high', 'must be a whole number or "auto", not "high" (a string)'],
      [0, 'must be at least 1, not 0'],
    ] as const) {
      const reply = await api.post('/workflows', { ...document, output: { node: 'load', quality } })
      const { issues } = refused(reply, 'invalid_request')
      assert.deepEqual(
        issues?.map(({ path, message }) => ({ path, message })),
        [{ path: 'output.quality', message }],
      )
    }
  })

  test('the file has at most maxBytes, and an image that cannot be so small fails with the smallest size', async () => {
    const source = (await upload(api, await noise('jpeg', 400, 300))).id
    for (const format of ['jpeg', 'webp', 'avif', 'png']) {
      const bytes = await draw(api, framed({ format, maxBytes: 900 }), { source })
      assert.ok(bytes.length <= 900, `${format} ${bytes.length}`)
    }
    const { id } = await save(api, framed({ format: 'webp', lossless: true, maxBytes: 100 }))
    const details = refused(
      await api.post('/workflows/execute', { workflowId: id, parameters: { source } }),
      'workflow_failed',
    )
    assert.equal(details.reason, 'limit_exceeded')
    assert.deepEqual(
      details.issues?.map(({ path }) => path),
      ['output.maxBytes'],
    )
  })

  test('the file has the requested progressive, lossless and profile settings', async () => {
    const source = (await upload(api, await glass(60, 60))).id
    const read = async (output: Record<string, unknown>) =>
      sharp(await draw(api, framed(output), { source })).metadata()
    assert.equal((await read({ format: 'jpeg', progressive: true })).isProgressive, true)
    assert.equal((await read({ format: 'png', lossless: false })).isPalette, true)
    assert.ok((await read({ format: 'webp', profile: 'p3' })).icc)
    assert.equal((await read({ format: 'webp' })).icc, undefined)
    assert.equal((await read({ format: 'png', density: 300 })).density, 300)
  })

  test('an option that the format of an execution does not support is rejected before it starts', async () => {
    const parameters = [{ name: 'format', type: 'string', required: true }]
    const { id } = await save(api, framed({ format: '{{ format }}', chroma: '4:4:4' }, parameters))
    const reply = await api.post('/workflows/execute', {
      workflowId: id,
      parameters: { source: 'img_00000000000000000000', format: 'webp' },
    })
    assert.deepEqual(issuePaths(reply), ['output.chroma'])
  })
})
