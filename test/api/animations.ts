/** Animations over HTTP: an animated input produces an animated output. */
import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import sharp from 'sharp'
import { area } from '../harness/area.ts'
import { type Client, refused } from '../harness/client.ts'
import type { Document } from '../harness/documents.ts'
import { firstAccount } from '../harness/shared.ts'
import { draw, save, upload } from '../harness/workflows.ts'

area('animations', { concurrency: 4 }, () => {
  let api: Client
  before(async () => {
    api = await firstAccount()
  })

  const steps = (nodes: Document['nodes'], output: Record<string, unknown>): Document => ({
    name: 'Moving',
    parameters: [{ name: 'source', type: 'string', required: true }],
    nodes: { load: { type: 'image', params: { source: '{{ source }}' } }, ...nodes },
    output: output as Document['output'],
  })

  const chain = (output: Record<string, unknown>): Document =>
    steps(
      {
        small: { type: 'resize', inputs: { image: 'load' }, params: { width: 40, height: 30, fit: 'fill' } },
        soft: { type: 'blur', inputs: { image: 'small' }, params: { sigma: 1 } },
        light: { type: 'adjust', inputs: { image: 'soft' }, params: { brightness: 1.2 } },
        named: { type: 'text', inputs: { image: 'light' }, params: { text: 'A', size: 12, color: 'white' } },
      },
      { node: 'named', ...output },
    )

  test('a GIF stays animated after resize, blur, adjust and text, in every format that supports animation', async () => {
    const source = (await upload(api, await clip('gif'))).id
    for (const [format, output] of [
      ['webp', {}],
      ['gif', { format: 'gif' }],
      ['webp', { format: 'webp' }],
    ] as const) {
      const read = await sharp(await draw(api, chain(output), { source })).metadata()
      assert.deepEqual([read.format, read.width, read.height, read.pages], [format, 40, 30, 4])
      assert.deepEqual([read.delay, read.loop], [[50, 100, 150, 200], 3])
    }
  })

  test('an animated PNG that the service has written is read as an animation', async () => {
    const source = (await upload(api, await clip('webp'))).id
    const png = await draw(api, chain({ format: 'png' }), { source })
    assert.equal(png.readUInt32BE(png.indexOf('acTL') + 4), 4)
    const again = await draw(api, chain({ format: 'gif' }), { source: (await upload(api, png)).id })
    const read = await sharp(again).metadata()
    assert.deepEqual([read.pages, read.delay, read.loop], [4, [50, 100, 150, 200], 3])
  })

  test('formats without animation contain the first frame', async () => {
    const source = (await upload(api, await clip('gif'))).id
    for (const format of ['jpeg', 'tiff', 'avif']) {
      const { data } = await sharp(await draw(api, steps({}, { node: 'load', format }), { source }))
        .raw()
        .toBuffer({ resolveWithObject: true })
      assert.ok(Math.abs((data[0] ?? -99) - 0) < 12, `${format}: ${data[0]}`)
    }
  })

  test('templates can read the number of frames, and a condition can apply a node to animations only', async () => {
    const document = steps(
      {
        facts: { type: 'info', inputs: { image: 'load' } },
        back: {
          type: 'frames',
          inputs: { image: 'facts' },
          params: { order: 'reverse', delay: '{{ nodes.facts.duration | divided_by: nodes.facts.frames }}' },
          when: '{{ nodes.facts.frames > 1 }}',
        },
      },
      { node: 'back', format: 'webp' },
    )
    const moving = await sharp(
      await draw(api, document, { source: (await upload(api, await clip('gif'))).id }),
    ).metadata()
    assert.deepEqual(moving.delay, [125, 125, 125, 125])
    const still = await sharp({ create: { width: 8, height: 8, channels: 3, background: 'red' } })
      .png()
      .toBuffer()
    const read = await sharp(await draw(api, document, { source: (await upload(api, still)).id })).metadata()
    assert.equal(read.pages ?? 1, 1)
  })

  test('images of a list become an animation', async () => {
    const document: Document = {
      name: 'Slides',
      nodes: {
        slide: {
          type: 'canvas',
          each: 3,
          params: { width: 20, height: 10, color: 'rgb({{ index | times: 100 }} 0 0)' },
        },
        show: { type: 'animate', inputs: { images: ['slide'] }, params: { fps: 4, loop: 2 } },
      },
      output: { node: 'show' },
    }
    const { pages, delay, loop } = await sharp(await draw(api, document, {})).metadata()
    assert.deepEqual([pages, delay, loop], [3, [250, 250, 250], 2])
  })

  test('a frame that does not exist fails, and the error names the existing frames', async () => {
    const { id } = await save(
      api,
      steps({ one: { type: 'frames', inputs: { image: 'load' }, params: { index: 9 } } }, { node: 'one' }),
    )
    const parameters = { source: (await upload(api, await clip('gif'))).id }
    const details = refused(await api.post('/workflows/execute', { workflowId: id, parameters }), 'workflow_failed')
    assert.deepEqual([details.reason, details.node], ['input_invalid', 'one'])
  })
})

/** Four frames of 60 x 40, each brighter than the one before. */
async function clip(format: 'gif' | 'webp'): Promise<Buffer> {
  const frames = [0, 80, 160, 240].map((level) => Buffer.alloc(60 * 40 * 3, level))
  const image = sharp(Buffer.concat(frames), { raw: { width: 60, height: 160, channels: 3, pageHeight: 40 } })
  const options = { delay: [50, 100, 150, 200], loop: 3 }
  return (format === 'gif' ? image.gif(options) : image.webp(options)).toBuffer()
}
