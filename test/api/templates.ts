/** Templates, conditions and typed params over HTTP. */
import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { area } from '../harness/area.ts'
import { type Client, issuePaths, ok, refused } from '../harness/client.ts'
import { canvas, type Document, naming } from '../harness/documents.ts'
import { pixelAt, plain } from '../harness/pictures.ts'
import { firstAccount } from '../harness/shared.ts'
import type { Execution, Image } from '../harness/types.ts'
import { draw, idInUrl, run, save, upload } from '../harness/workflows.ts'

const red = [255, 0, 0, 255]
const blue = [0, 0, 255, 255]

area('templates', { concurrency: 4 }, () => {
  let api: Client
  before(async () => {
    api = await firstAccount()
  })
  /** The rendered value of a template, read from the name of the output. */
  const render = async (
    template: string,
    declared: Record<string, unknown>[] = [],
    parameters = {},
  ): Promise<string> => {
    const { id } = await save(api, naming(template, declared))
    const { url } = await run(api, id, parameters)
    return ok(await api.get<Image>(`/storage/images/${idInUrl(url)}`)).name
  }
  const text = (name: string, more: Record<string, unknown> = {}) => ({ name, type: 'string', required: true, ...more })
  const number = (name: string, more: Record<string, unknown> = {}) => ({
    name,
    type: 'number',
    required: true,
    ...more,
  })

  test('a template can use a parameter by its name, with filters', async () => {
    assert.match(
      await render('{{ title | upcase }} {{ n | plus: 2 }}', [text('title'), number('n')], { title: 'abc', n: 40 }),
      /^ABC 42/,
    )
  })

  test('text is not escaped', async () => {
    assert.match(await render('{{ title }}', [text('title')], { title: "Tom & Jerry's" }), /^Tom & Jerry's/)
  })

  test('templates can use the size and format of another node', async () => {
    assert.match(await render('{{ nodes.sheet.width }}x{{ nodes.sheet.height }}'), /^8x6/)
  })

  test('a param whose entire text is a template gets the type of its schema', async () => {
    const document: Document = {
      ...canvas({ width: '{{ width }}', height: '{{ width | divided_by: 2 }}', color: '{{ color }}' }),
      parameters: [number('width'), text('color')],
    }
    const { id } = await save(api, document)
    const output = await run(api, id, { width: 40, color: '#0000ff' })
    assert.deepEqual([output.width, output.height], [40, 20])
  })

  for (const [label, width] of [
    ['renders to no number', 'wide'],
    ['renders to nothing', ''],
    ['renders to a number out of bounds', '0'],
    ['renders to a fraction where a whole number is asked', '1.5'],
    ['renders to a number with a unit', '10px'],
  ] as const) {
    test(`a numeric param whose template ${label} is rejected with the path of the param`, async () => {
      const { id } = await save(api, { ...canvas({ width: '{{ width }}' }), parameters: [text('width')] })
      const reply = await api.post('/workflows/execute', { workflowId: id, parameters: { width } })
      assert.deepEqual(issuePaths(reply), ['nodes.sheet.params.width'])
    })
  }

  test('a numeric param that depends on another node fails the execution at its own node', async () => {
    const { id } = await save(api, {
      name: 'Later',
      nodes: {
        sheet: { type: 'canvas', params: { width: 8, height: 6 } },
        late: { type: 'canvas', params: { width: '{{ nodes.sheet.width | minus: 8 }}', height: 6 } },
      },
      output: { node: 'late', format: 'png' },
    })
    const reply = await api.post('/workflows/execute', { workflowId: id })
    const details = refused(reply, 'workflow_failed')
    assert.deepEqual([details.node, details.operation, details.reason], ['late', 'canvas', 'input_invalid'])
    assert.match(reply.text, /nodes\.late\.params\.width/)
  })

  test('a text that renders to digits is a number for a numeric param', async () => {
    const { id } = await save(api, { ...canvas({ width: '{{ width }}' }), parameters: [text('width')] })
    assert.equal((await run(api, id, { width: '12' })).width, 12)
  })

  test('a template within a nested param is rendered', async () => {
    const { id } = await save(api, {
      name: 'Nested',
      parameters: [number('width')],
      nodes: {
        sheet: { type: 'canvas', params: { width: 200, height: 100, color: 'white' } },
        title: {
          type: 'text',
          inputs: { image: 'sheet' },
          params: { text: 'Hi', box: { x: 0, y: 0, width: '{{ width }}', height: 50 }, size: 20, color: 'black' },
        },
      },
      output: { node: 'title', format: 'png' },
    })
    assert.equal((await run(api, id, { width: 100 })).width, 200)
    const reply = await api.post('/workflows/execute', { workflowId: id, parameters: { width: -5 } })
    assert.deepEqual(issuePaths(reply), ['nodes.title.params.box.width'])
  })

  test('a node in a template runs before the node that uses it, like a connected one', async () => {
    const document: Document = {
      name: 'Edge',
      parameters: [text('photo')],
      nodes: {
        copy: {
          type: 'canvas',
          params: { width: '{{ nodes.photo.width | times: 2 }}', height: '{{ nodes.photo.height }}', color: 'red' },
        },
        photo: { type: 'image', params: { source: '{{ photo }}' } },
      },
      output: { node: 'copy', format: 'png' },
    }
    const { id } = await save(api, document)
    const output = await run(api, id, { photo: (await upload(api, await plain('png', 30, 20))).id })
    assert.deepEqual([output.width, output.height], [60, 20])
  })

  test('the format, quality and name of the output can be templates', async () => {
    const { id } = await save(api, {
      ...canvas({}, { format: '{{ format }}', quality: '{{ quality }}', name: '{{ format }}!' }),
      parameters: [text('format'), number('quality', { default: 50, required: false })],
    })
    assert.equal((await run(api, id, { format: 'webp' })).format, 'webp')
    const execute = (parameters: unknown) => api.post('/workflows/execute', { workflowId: id, parameters })
    assert.deepEqual(issuePaths(await execute({ format: 'bmp' })), ['output.format'])
    assert.deepEqual(issuePaths(await execute({ format: 'bmp', quality: 101 })), ['output.format', 'output.quality'])
  })

  /** Red, with a blue sheet on top if the condition is true. */
  const conditional = (when: unknown, parameters: Record<string, unknown>[] = []): Document => ({
    name: 'Conditional',
    parameters,
    nodes: {
      below: { type: 'canvas', params: { width: 8, height: 6, color: '#ff0000' } },
      above: { type: 'canvas', params: { width: 8, height: 6, color: '#0000ff' } },
      laid: { type: 'composite', when, inputs: { image: 'below', overlay: 'above' } },
    },
    output: { node: 'laid', format: 'png' },
  })

  for (const when of [
    '{{ "" }}',
    '{{ false }}',
    '{{ 0 }}',
    'false',
    '0',
    '',
    '{% if false %}x{% endif %}',
    '{{ 1 | minus: 1 }}',
    '  ',
    '{{ nil }}',
  ]) {
    test(`a node with the condition ${JSON.stringify(when)} is skipped and passes its first input on`, async () => {
      assert.deepEqual(await pixelAt(await draw(api, conditional(when)), 4, 3), red)
    })
  }

  for (const when of ['{{ true }}', '{{ 1 }}', 'true', 'yes', '{{ "0.0" }}', '{{ -1 }}']) {
    test(`a node with the condition ${JSON.stringify(when)} runs`, async () => {
      assert.deepEqual(await pixelAt(await draw(api, conditional(when)), 4, 3), blue)
    })
  }

  test('a condition can depend on a parameter', async () => {
    const document = conditional("{{ headline contains 'New' }}", [text('headline')])
    assert.deepEqual(await pixelAt(await draw(api, document, { headline: 'New: blue' }), 4, 3), blue)
    assert.deepEqual(await pixelAt(await draw(api, document, { headline: 'Still red' }), 4, 3), red)
  })

  test('a node that only a skipped node needs cannot fail the execution', async () => {
    const document = conditional('{{ false }}')
    document.nodes.above = { type: 'image', params: { source: 'img_00000000000000000000' } }
    assert.deepEqual(await pixelAt(await draw(api, document), 4, 3), red)
  })

  test('an execution keeps the version with which it was created', async () => {
    const { id } = await save(api, canvas({ width: 10 }))
    const started = ok(await api.post<Execution>('/workflows/execute', { workflowId: id, async: true }), 202)
    ok(await api.put(`/workflows/${id}`, canvas({ width: 20 })))
    assert.equal((await api.ended(started.executionId)).output?.width, 10)
    assert.equal((await run(api, id)).width, 20)
  })

  test('money is written for a locale, and a mistake is found before anything runs', async () => {
    const declared = [{ name: 'currency', type: 'string', default: 'EUR' }]
    const template = '{{ 12.05 | format_currency: currency, "de-DE" }}'
    assert.equal(await render(template, declared), '12,05\u00a0€.png')
    const { id } = await save(api, naming(template, declared))
    const reply = await api.post('/workflows/execute', { workflowId: id, parameters: { currency: 'EUX' } })
    assert.deepEqual(issuePaths(reply), ['output.name'])
    assert.match(reply.text, /uses the currency \\"EUX\\"/)
  })
})
