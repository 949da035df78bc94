import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { HttpProblem } from '../../net/provider-http.ts'
import type { ModelRow } from '../define.ts'
import { readTemplates } from './comfyui/templates.ts'
import { comfyui, uuidOf } from './comfyui.ts'
import { callWith, contextOf, image, mask, problemOf, type StubResponse, secret, serve } from './shared/test-server.ts'

const id = uuidOf('call_01jd0000000000000000000000')
const graph = {
  '3': { class_type: 'KSampler', inputs: { seed: 1, positive: ['6', 0] } },
  '5': { class_type: 'EmptyLatentImage', inputs: { width: 512, height: 512 } },
  '6': { class_type: 'CLIPTextEncode', inputs: { text: '' } },
  '9': { class_type: 'SaveImage', inputs: { images: ['3', 0] } },
  '10': { class_type: 'LoadImage', inputs: { image: '' } },
  '11': { class_type: 'LoadImageMask', inputs: { image: '', channel: 'red' } },
}
const inputs = {
  prompt: '6.inputs.text',
  seed: '3.inputs.seed',
  width: '5.inputs.width',
  height: '5.inputs.height',
}

test('a graph of the folder is a model with the capabilities of its placeholders', async (t) => {
  const rows = await templates(t, {
    'paint.json': { capability: 'generate', graph, inputs, output: '9' },
    'fill.json': {
      capability: 'inpaint',
      graph,
      inputs: { prompt: '6.inputs.text', image: '10.inputs.image', mask: '11.inputs.image' },
      output: '9',
      price: { asOf: '2026-11', per: 'second', usd: 0.001, secondsMax: 60 },
    },
  })
  const [fill, paint] = rows
  assert.deepEqual(
    rows.map(({ name }) => name),
    ['fill', 'paint'],
  )
  assert.deepEqual(fill?.can, { inpaint: { seed: false, prompt: true, imagesMax: 1 } })
  assert.deepEqual(paint?.can, {
    generate: {
      sizes: { free: { sideMin: 64, sideMax: 4096, step: 8 } },
      seed: true,
      prompt: true,
      imagesMax: 0,
    },
  })
  assert.deepEqual(paint?.price, { asOf: '2026-11', per: 'call', usd: 0 })
})

test('reports every problem of every graph at the start, with its file and its position', async (t) => {
  const folder = await folderOf(t, {
    'a.json': { capability: 'paint', graph, inputs, output: '9' },
    'b.json': { capability: 'generate', graph: { nodes: [], links: [] }, output: '9' },
    'c.json': { capability: 'generate', graph, inputs: { prompt: '77.inputs.text', sead: 'x' }, output: '12' },
    'd.json': { capability: 'inpaint', graph, inputs: { prompt: 'six' }, output: '9', color: 1 },
    'e.json': { capability: 'generate', graph, inputs, output: '9', traits: { seed: 'yes' }, price: { per: 'call' } },
    'f.json': '{ "capability": ',
    'wrong name.json': { capability: 'generate', graph, inputs, output: '9' },
  })
  const error = await readTemplates(folder).then(
    () => assert.fail(),
    (reason: Error) => reason,
  )
  const lines = error.message.split('\n')
  const has = (file: string, pattern: RegExp) =>
    assert.ok(
      lines.some((line) => line.startsWith(join(folder, file)) && pattern.test(line)),
      `${file} ${pattern}\n${error.message}`,
    )
  has('a.json', /: capability: must be one of `generate`/)
  has('b.json', /: graph: .*Export \(API\)/)
  has('c.json', /: inputs\.prompt: "77\.inputs\.text" names node 77/)
  has('c.json', /: inputs\.sead: is not a known input. Did you mean "seed"/)
  has('c.json', /: output: must be the id of a node/)
  has('d.json', /: inputs\.prompt: "six" must be a path such as `6\.inputs\.text`/)
  has('d.json', /: inputs\.mask: is required for inpaint/)
  has('d.json', /: inputs\.image: is required for/)
  has('d.json', /: color: is not a known field/)
  has('e.json', /: traits\.seed: /)
  has('e.json', /: price\.usd: /)
  has('f.json', /: is not valid JSON/)
  has('wrong name.json', /: the file name/)
})

test('a folder that cannot be read prevents the start, and no folder means no graphs', async () => {
  await assert.rejects(readTemplates('/nowhere/at/all'), /COMFYUI_WORKFLOWS .*\/nowhere\/at\/all.*ENOENT/)
  assert.ok(typeof comfyui.models === 'function')
  assert.deepEqual(await comfyui.models({}), [])
  assert.match(comfyui.missingConfig?.({}) ?? '', /COMFYUI_WORKFLOWS/)
})

test('sends the filled graph, always under the id of the call', async (t) => {
  const server = await serve(t, () => ({ json: { prompt_id: id, number: 3, node_errors: {} } }))
  const row = await readTemplate(t, { capability: 'generate', graph, inputs, output: '9' })
  const call = callWith(row, 'generate', { prompt: 'a cat', seed: 7, size: { width: 640, height: 480 } })
  assert.match(id, /^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
  assert.deepEqual(await comfyui.start(call, contextOf(comfyui, server.url)), {
    handle: { promptId: id },
    requestId: id,
  })
  const [received] = server.requests
  assert.equal(`${received?.method} ${received?.path}`, 'POST /prompt')
  assert.equal(received?.headers.authorization, `Bearer ${secret}`)
  assert.deepEqual(received?.json, {
    client_id: id,
    prompt_id: id,
    prompt: {
      ...graph,
      '3': { class_type: 'KSampler', inputs: { seed: 7, positive: ['6', 0] } },
      '5': { class_type: 'EmptyLatentImage', inputs: { width: 640, height: 480 } },
      '6': { class_type: 'CLIPTextEncode', inputs: { text: 'a cat' } },
    },
  })
  await comfyui.start(callWith(row, 'generate', { prompt: 'a dog' }), contextOf(comfyui, server.url, { settings: {} }))
  assert.deepEqual(server.requests[1]?.json.prompt, {
    ...graph,
    '6': { class_type: 'CLIPTextEncode', inputs: { text: 'a dog' } },
  })
  assert.equal(server.requests[1]?.headers.authorization, undefined)
})

test('uploads images and masks first, and loads them under the returned names', async (t) => {
  const server = await serve(t, ({ path }) =>
    path === '/prompt'
      ? { json: { prompt_id: id, node_errors: {} } }
      : {
          json: {
            name: `stored-${server.requests.length}.png`,
            subfolder: server.requests.length === 1 ? 'sub' : '',
            type: 'input',
          },
        },
  )
  const row = await readTemplate(t, {
    capability: 'inpaint',
    graph,
    inputs: { prompt: '6.inputs.text', image: '10.inputs.image', mask: ['11.inputs.image'] },
    mask: 'transparent',
    output: '9',
  })
  await comfyui.start(callWith(row, 'inpaint', { prompt: 'x', images: [image], mask }), contextOf(comfyui, server.url))
  assert.deepEqual(
    server.requests.map(({ path }) => path),
    ['/upload/image', '/upload/image', '/prompt'],
  )
  const forms = await Promise.all(server.requests.slice(0, 2).map(({ form }) => form()))
  assert.deepEqual(await Promise.all(forms.map((form) => (form.get('image') as File).text())), [
    image.bytes.toString(),
    'transparent',
  ])
  assert.ok(forms.every((form) => form.get('overwrite') === 'true'))
  const sent = server.requests[2]?.json.prompt as typeof graph
  assert.equal(sent['10'].inputs.image, 'sub/stored-1.png')
  assert.equal(sent['11'].inputs.image, 'stored-2.png')
})

test('a failed upload means that nothing was started', async (t) => {
  let response: StubResponse | undefined
  const server = await serve(t, () => response)
  const row = await readTemplate(t, {
    capability: 'upscale',
    graph,
    inputs: { image: '10.inputs.image' },
    traits: { scales: [4] },
    output: '9',
  })
  const start = () => comfyui.start(callWith(row, 'upscale', { images: [image] }), contextOf(comfyui, server.url))
  assert.equal((await problemOf(start())).kind, 'down')
  response = { status: 500, body: '' }
  assert.equal((await problemOf(start())).kind, 'down')
  response = { json: {} }
  assert.equal((await problemOf(start())).kind, 'down')
  response = { status: 413, body: '' }
  assert.equal((await problemOf(start())).kind, 'invalid_request')
  assert.ok(server.requests.every(({ path }) => path === '/upload/image'))
})

test('the response to a graph decides whether it was accepted, and names the invalid node', async (t) => {
  let response: StubResponse | undefined
  const server = await serve(t, () => response)
  const row = await readTemplate(t, { capability: 'generate', graph, inputs, output: '9' })
  const start = () => comfyui.start(callWith(row, 'generate', { prompt: 'x' }), contextOf(comfyui, server.url))
  response = {
    status: 400,
    json: {
      error: { type: 'prompt_outputs_failed_validation', message: 'Prompt outputs failed validation', details: '' },
      node_errors: {
        '3': { errors: [{ type: 'value_not_in_list', message: 'Value not in list', details: 'sampler_name: x' }] },
      },
    },
  }
  const wrong = await problemOf(start())
  assert.equal(wrong.kind, 'invalid_request')
  assert.match(wrong.message, /node 3 \(KSampler\).*Value not in list: sampler_name: x/)
  const kinds: [StubResponse, string][] = [
    [
      { status: 400, json: { error: { type: 'no_prompt', message: 'No prompt provided' }, node_errors: {} } },
      'invalid_request',
    ],
    [{ status: 400, body: 'x' }, 'invalid_request'],
    [{ status: 401, body: secret }, 'auth'],
    [{ status: 500, body: '' }, 'outcome_unknown'],
    [{ json: { number: 1 } }, 'outcome_unknown'],
    [{ body: '<html>' }, 'outcome_unknown'],
  ]
  for (const [body, kind] of kinds) {
    response = body
    assert.equal((await problemOf(start())).kind, kind, JSON.stringify(body))
  }
  response = undefined
  await assert.rejects(start(), (error) => error instanceof HttpProblem && !error.isUnsent)
})

test('finds a job with an unknown outcome in the queue or the history, or reports it as never sent', async (t) => {
  let queue: unknown = { queue_running: [], queue_pending: [] }
  let history: unknown = {}
  const server = await serve(t, ({ path }) => ({ json: path === '/queue' ? queue : history }))
  const row = await readTemplate(t, { capability: 'generate', graph, inputs, output: '9' })
  const find = async () => comfyui.find?.(callWith(row, 'generate'), contextOf(comfyui, server.url))
  assert.equal(await find(), undefined)
  const found = { handle: { promptId: id }, requestId: id }
  queue = { queue_running: [], queue_pending: [[1, id, {}, {}, []]] }
  assert.deepEqual(await find(), found)
  queue = { queue_running: [[1, id, {}, {}, []]], queue_pending: [] }
  assert.deepEqual(await find(), found)
  queue = { queue_running: [[1, 'another']], queue_pending: [] }
  history = { [id]: { outputs: {}, status: { status_str: 'success', completed: true } } }
  assert.deepEqual(await find(), found)
  const promptId = '9c2c1c1e-7b1f-4c1e-9a55-0d3c7b1f4c1e'
  const elsewhere = { handle: { promptId }, requestId: promptId }
  const job = [1, promptId, graph, { client_id: id }, ['9']]
  history = {}
  queue = { queue_running: [[0, 'another', graph, { client_id: 'x' }, []]], queue_pending: [job] }
  assert.deepEqual(await find(), elsewhere, 'an old version gives it an id of its own')
  queue = { queue_running: [], queue_pending: [] }
  history = { another: { prompt: [0, 'another', graph, {}, []] }, [promptId]: { prompt: job, outputs: {} } }
  assert.deepEqual(await find(), elsewhere)
  queue = undefined
  await assert.rejects(find(), 'what cannot be looked up is not taken for never sent')
})

test('polls history and queue, and fetches the images', async (t) => {
  let queue: unknown = { queue_running: [], queue_pending: [[1, id]] }
  let history: unknown = {}
  const server = await serve(t, ({ path }) => {
    if (path.startsWith('/view')) return { headers: { 'content-type': 'image/png' }, body: image.bytes }
    return { json: path === '/queue' ? queue : history }
  })
  const poll = await pollOf(t, server.url)
  assert.deepEqual(await poll(), { pending: {} })
  queue = { queue_running: [], queue_pending: [] }
  const problem = await problemOf(poll())
  assert.deepEqual([problem.kind, problem.facts.billed], ['expired', 'no'])
  history = {
    [id]: {
      outputs: {
        '9': { images: [{ filename: 'a b&c.png', subfolder: 'x', type: 'output' }] },
        '8': { images: [{ filename: 'preview.png', subfolder: '', type: 'temp' }] },
      },
      status: { status_str: 'success', completed: true, messages: [] },
    },
  }
  assert.deepEqual(await poll(), { done: { images: [image.bytes], requestId: id } })
  const view = new URL(server.requests.at(-1)?.path ?? '', server.url)
  assert.deepEqual(Object.fromEntries(view.searchParams), { filename: 'a b&c.png', subfolder: 'x', type: 'output' })
})

test('reports the node of an error in a graph, and polls again after a temporary failure', async (t) => {
  let response: StubResponse | undefined
  const server = await serve(t, () => response)
  const poll = await pollOf(t, server.url)
  const ended = (entry: unknown): StubResponse => ({ json: { [id]: entry } })
  response = ended({
    outputs: {},
    status: {
      status_str: 'error',
      completed: false,
      messages: [
        ['execution_start', { prompt_id: id }],
        ['execution_error', { node_id: '3', node_type: 'KSampler', exception_message: `out of memory ${secret}\n` }],
      ],
    },
  })
  const failed = await problemOf(poll())
  assert.equal(failed.kind, 'no_output')
  assert.match(failed.message, /node 3 \(KSampler\): out of memory/)
  response = ended({ status: { status_str: 'error', messages: [['execution_interrupted', { node_id: '3' }]] } })
  assert.equal((await problemOf(poll())).kind, 'cancelled')
  const none = [{ outputs: {} }, { outputs: { '9': {} } }, { outputs: { '9': { images: [{}] } } }, {}]
  for (const entry of none) {
    response = ended(entry)
    const problem = await problemOf(poll())
    assert.equal(problem.kind, 'no_output')
    assert.match(problem.message, /node 9 \(SaveImage\)/)
  }
  response = { body: '<html>' }
  assert.deepEqual(await poll(), { pending: {} }, 'an unusable response: a billed result is requested again')
  response = { status: 502, body: '' }
  assert.deepEqual(await poll(), { pending: {} })
})

test('returns the text of the output node', async (t) => {
  const server = await serve(t, () => ({ json: { [id]: { outputs: { '9': { text: ['A cat.', 'Black.'] } } } } }))
  const row = await readTemplate(t, {
    capability: 'describe',
    graph,
    inputs: { image: '10.inputs.image' },
    output: '9',
  })
  const polled = await comfyui.poll?.({ promptId: id }, callWith(row, 'describe'), contextOf(comfyui, server.url))
  assert.deepEqual(polled, { done: { text: 'A cat.\nBlack.', requestId: id } })
})

test('interrupts only the cancelled job, never the job of another client', async (t) => {
  let running: string = 'another'
  const server = await serve(t, () => ({ json: { queue_running: [[1, running]], queue_pending: [] } }))
  const cancel = async () => comfyui.cancel?.({ promptId: id }, contextOf(comfyui, server.url))
  await cancel()
  running = id
  await cancel()
  assert.deepEqual(
    server.requests.map(({ method, path, json }) => [method, path, json]),
    [
      ['POST', '/queue', { delete: [id] }],
      ['GET', '/queue', {}],
      ['POST', '/queue', { delete: [id] }],
      ['GET', '/queue', {}],
      ['POST', '/interrupt', { prompt_id: id }],
    ],
  )
})

async function pollOf(t: TestContext, url: string) {
  const row = await readTemplate(t, { capability: 'generate', graph, inputs, output: '9' })
  return async () => comfyui.poll?.({ promptId: id }, callWith(row, 'generate'), contextOf(comfyui, url))
}

async function readTemplate(t: TestContext, template: unknown): Promise<ModelRow> {
  const [row] = await templates(t, { 'one.json': template })
  if (row === undefined) throw new Error('no row')
  return row
}

async function templates(t: TestContext, files: Record<string, unknown>): Promise<ModelRow[]> {
  return readTemplates(await folderOf(t, files))
}

async function folderOf(t: TestContext, files: Record<string, unknown>): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'comfyui-'))
  t.after(() => rm(folder, { recursive: true }))
  for (const [name, content] of Object.entries(files))
    await writeFile(join(folder, name), typeof content === 'string' ? content : JSON.stringify(content))
  return folder
}
