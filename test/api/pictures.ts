/** Images of workflows, checked by their pixels. The operations also have golden images; these tests go through the API. */
import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import sharp from 'sharp'
import { area } from '../harness/area.ts'
import { type Client, ok, refused } from '../harness/client.ts'
import type { Document } from '../harness/documents.ts'
import { pdfOfColors } from '../harness/pdfs.ts'
import { glass, pixelAt, sizeOf, svg, turned } from '../harness/pictures.ts'
import { psdOf } from '../harness/psds.ts'
import { firstAccount } from '../harness/shared.ts'
import { draw, save, upload } from '../harness/workflows.ts'

const red = [255, 0, 0, 255]
const blue = [0, 0, 255, 255]

area('images of workflows', { concurrency: 4 }, () => {
  let api: Client
  before(async () => {
    api = await firstAccount()
  })
  const sheet = (color: string, width = 40, height = 20) => ({ type: 'canvas', params: { width, height, color } })
  const of = (
    nodes: Document['nodes'],
    node: string,
    output: Record<string, unknown> = { format: 'png' },
  ): Document => ({
    name: 'Picture',
    parameters: [{ name: 'source', type: 'string', default: '' }],
    nodes,
    output: { node, ...output },
  })
  const load = { type: 'image', params: { source: '{{ source }}' } }
  const near = (pixel: number[], expected: number[], tolerance = 6): void => {
    assert.ok(
      pixel.every((value, i) => Math.abs(value - (expected[i] ?? 0)) <= tolerance),
      `${pixel} is not ${expected}`,
    )
  }

  test('a photo is loaded with its EXIF orientation applied', async () => {
    const photo = await upload(api, await turned(40, 20))
    const rendered = await draw(api, of({ load }, 'load'), { source: photo.id })
    const { width, height } = await sizeOf(rendered)
    assert.deepEqual([width, height], [20, 40])
    near(await pixelAt(rendered, 10, 5), red, 12)
    near(await pixelAt(rendered, 10, 35), blue, 12)
  })

  test('colours of another profile are converted to sRGB', async () => {
    const wide = await sharp({ create: { width: 20, height: 20, channels: 3, background: '#ff0000' } })
      .withIccProfile('p3')
      .png()
      .toBuffer()
    const narrow = await sharp(wide).toColourspace('srgb').raw().toBuffer()
    const photo = await upload(api, wide)
    const rendered = await draw(api, of({ load }, 'load'), { source: photo.id })
    near((await pixelAt(rendered, 10, 10)).slice(0, 3), [...narrow.subarray(0, 3)])
  })

  test('transparency is kept if the format supports it, else flattened onto a colour', async () => {
    const photo = await upload(api, await glass(20, 20))
    for (const format of ['png', 'webp', 'avif', 'tiff']) {
      const rendered = await draw(api, of({ load }, 'load', { format }), { source: photo.id })
      const [, , , alpha = 0] = await pixelAt(rendered, 10, 10)
      assert.ok(Math.abs(alpha - 128) <= 4, `${format} has alpha ${alpha}`)
    }
    const flat = await draw(api, of({ load }, 'load', { format: 'jpeg' }), { source: photo.id })
    assert.equal((await sizeOf(flat)).hasAlpha, false)
  })

  test('an SVG can be a source', async () => {
    const shape = await upload(api, svg('<rect width="40" height="30" fill="#0000ff"/>'))
    near(await pixelAt(await draw(api, of({ load }, 'load'), { source: shape.id }), 20, 15), blue)
  })

  test('a page of a PDF can be a source, and a missing page says how many there are', async () => {
    const { id: source } = await upload(api, pdfOfColors('1 0 0', '0 0 1'))
    const page = { type: 'image', params: { source: '{{ source }}', page: '{{ page }}', dpi: 72 } }
    const parameters = [
      { name: 'source', type: 'string' },
      { name: 'page', type: 'number' },
    ]
    const document = { ...of({ page }, 'page'), parameters }
    const rendered = await draw(api, document, { source, page: 2 })
    const { width, height } = await sizeOf(rendered)
    assert.deepEqual([width, height], [72, 36])
    near(await pixelAt(rendered, 20, 15), blue)
    const { id: workflowId } = await save(api, document)
    const refusal = await api.post('/workflows/execute', { workflowId, parameters: { source, page: 3 } })
    const { node, reason } = refused(refusal, 'workflow_failed')
    assert.deepEqual([node, reason], ['page', 'input_invalid'])
    assert.match(refusal.text, /no page 3: it has 2 pages/)
  })

  test('the composite of a PSD can be a source', async () => {
    const channels = [0, 0, 255].map((value) => Buffer.alloc(40 * 30, value))
    const { id: source } = await upload(api, psdOf({ width: 40, height: 30, channels, compression: 1 }))
    near(await pixelAt(await draw(api, of({ load }, 'load'), { source }), 20, 15), blue)
  })

  const left = { type: 'composite', inputs: { image: 'below', overlay: 'above' }, params: { x: 0, y: 0 } }
  const halves = { below: sheet('#0000ff'), above: sheet('#ff0000', 20, 20), halves: left }

  test('composite places the overlay at x and y', async () => {
    const rendered = await draw(api, of(halves, 'halves'))
    near(await pixelAt(rendered, 10, 10), red)
    near(await pixelAt(rendered, 30, 10), blue)
  })

  test('composite places the overlay at a compass point, with opacity', async () => {
    const laid = {
      type: 'composite',
      inputs: { image: 'below', overlay: 'above' },
      params: { position: 'east', opacity: 0.5 },
    }
    const rendered = await draw(api, of({ ...halves, laid }, 'laid'))
    near(await pixelAt(rendered, 10, 10), blue)
    near(await pixelAt(rendered, 30, 10), [128, 0, 128, 255])
  })

  test('flip, rotate, crop and extend move the right pixels', async () => {
    const apply = async (type: string, params: Record<string, unknown>): Promise<Buffer> =>
      draw(api, of({ ...halves, done: { type, inputs: { image: 'halves' }, params } }, 'done'))
    const { operations } = ok(
      await api.get<{ operations: { id: string; params: { properties?: object } }[] }>('/operations'),
    )
    const paramsOf = (id: string): string[] =>
      Object.keys(operations.find((each) => each.id === id)?.params.properties ?? {})
    assert.ok(paramsOf('crop').includes('width'), `crop takes ${paramsOf('crop')}`)

    const turnedOnce = await apply('rotate', { angle: 90 })
    assert.deepEqual([(await sizeOf(turnedOnce)).width, (await sizeOf(turnedOnce)).height], [20, 40])
    near(await pixelAt(turnedOnce, 10, 5), red)
    const cut = await apply('crop', { x: 20, y: 0, width: 20, height: 20 })
    assert.equal((await sizeOf(cut)).width, 20)
    near(await pixelAt(cut, 1, 1), blue)
  })

  test('a crop outside of the image is rejected, not clamped', async () => {
    const { id } = await save(
      api,
      of(
        {
          sheet: sheet('red'),
          cut: { type: 'crop', inputs: { image: 'sheet' }, params: { x: 30, y: 0, width: 20, height: 20 } },
        },
        'cut',
      ),
    )
    const details = refused(await api.post('/workflows/execute', { workflowId: id }), 'workflow_failed')
    assert.deepEqual([details.node, details.operation, details.reason], ['cut', 'crop', 'input_invalid'])
  })

  test('resize applies its fit', async () => {
    const sizes: [string, Record<string, unknown>, number[]][] = [
      ['width alone', { width: 20 }, [20, 10]],
      ['height alone', { height: 40 }, [80, 40]],
      ['cover', { width: 10, height: 10, fit: 'cover' }, [10, 10]],
      ['contain', { width: 10, height: 10, fit: 'contain' }, [10, 10]],
      ['fill', { width: 10, height: 10, fit: 'fill' }, [10, 10]],
      ['inside', { width: 10, height: 10, fit: 'inside' }, [10, 5]],
      ['outside', { width: 10, height: 10, fit: 'outside' }, [20, 10]],
    ]
    for (const [label, params, expected] of sizes) {
      const { width, height } = await sizeOf(
        await draw(
          api,
          of({ sheet: sheet('red'), done: { type: 'resize', inputs: { image: 'sheet' }, params } }, 'done'),
        ),
      )
      assert.deepEqual([label, width, height], [label, ...expected])
    }
  })

  test('grayscale removes the colour', async () => {
    const rendered = await draw(
      api,
      of({ sheet: sheet('#ff0000'), done: { type: 'grayscale', inputs: { image: 'sheet' } } }, 'done'),
    )
    const [r, g, b] = await pixelAt(rendered, 5, 5)
    assert.ok(r === g && g === b, `${r} ${g} ${b}`)
  })

  test('text in Latin, Greek and Cyrillic is drawn with the bundled fonts', async () => {
    for (const words of ['Hello', 'Γειά', 'Привет']) {
      const rendered = await draw(
        api,
        of(
          {
            sheet: sheet('#ffffff', 200, 60),
            title: { type: 'text', inputs: { image: 'sheet' }, params: { text: words, size: 32, color: '#000000' } },
          },
          'title',
        ),
      )
      const { dominant, channels } = await sharp(rendered).stats()
      assert.ok((channels[0]?.min ?? 255) < 64, `nothing dark was drawn for ${words}`)
      assert.ok(dominant.r > 200, 'most of it is still white')
    }
  })

  test('a QR code is drawn black on white in the requested size', async () => {
    const rendered = await draw(
      api,
      of({ code: { type: 'qr', params: { text: 'https://example.com', size: 96 } } }, 'code'),
    )
    assert.deepEqual([(await sizeOf(rendered)).width, (await sizeOf(rendered)).height], [96, 96])
    const { channels } = await sharp(rendered).stats()
    assert.deepEqual([channels[0]?.min, channels[0]?.max], [0, 255])
  })
})
