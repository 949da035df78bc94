import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { createStore } from 'zustand/vanilla'
import { ApiError } from '../../api/client.ts'
import type { DraftPreview, PreviewOptions } from '../../api/drafts.ts'
import type { WorkflowDocument } from '../../api/workflow-document.ts'
import { testCatalogue } from '../document/test-catalogue.ts'
import { createDocumentStore } from './document-store.ts'
import { createLivePreviews } from './live-previews.ts'
import type { RunState } from './run.ts'

const catalogue = new Map(testCatalogue)
const make = testCatalogue.get('make')
if (make !== undefined) catalogue.set('paint', { ...make, id: 'paint', asks: 'generate' })

const document: WorkflowDocument = {
  name: 'a',
  nodes: {
    photo: { type: 'make', params: { source: 'a' } },
    soft: { type: 'blur', inputs: { image: 'photo' }, params: { width: 1 } },
    small: { type: 'blur', inputs: { image: 'soft' }, params: { width: 9 } },
  },
  output: { node: 'small' },
}

type Answer = DraftPreview | Error

/** `soft` needs an image of a model, and `ground` does not. */
const painted: WorkflowDocument = {
  name: 'b',
  nodes: {
    small: { type: 'lay', inputs: { image: 'soft', overlay: 'ground' }, params: { width: 9 } },
    soft: { type: 'blur', inputs: { image: 'scene' }, params: { width: 1 } },
    scene: { type: 'paint', params: { prompt: 'A door' } },
    ground: { type: 'make', params: { source: 'a' } },
  },
  output: { node: 'small' },
}

/** Requests wait until the test responds to them. */
function begin(opened = document) {
  const store = createDocumentStore(opened)
  const run = createStore(
    () => ({ values: {}, isRunning: false, isOpened: true, nodes: new Map(), forecast: [] }) as unknown as RunState,
  )
  const requests: { options: PreviewOptions; signal: AbortSignal; respond(answer?: Answer): void }[] = []
  /** Decodes each image immediately, or when the test does it. */
  const decoding: { isHeld: boolean; resolves: (() => void)[] } = { isHeld: false, resolves: [] }
  let idles = 0
  const previews = createLivePreviews({
    document: store,
    run,
    catalogue,
    request: (options, signal) =>
      new Promise((resolve, reject) => {
        const width = Number(options.document.nodes.soft?.params?.width)
        const image = { data: `${options.quality} ${options.node} ${width}`, format: 'png' as const, width, height: 1 }
        const usual = { node: options.node, width, height: 1, image }
        const respond = (answer: Answer = usual) => (answer instanceof Error ? reject(answer) : resolve(answer))
        signal.addEventListener('abort', () => reject(signal.reason))
        requests.push({ options, signal, respond })
      }),
    decode: async () => {
      if (decoding.isHeld) await new Promise<void>((resolve) => decoding.resolves.push(resolve))
    },
    idle: async () => {
      idles += 1
    },
    settleMs: 1,
    pauseMs: 0,
    quietMs: 0,
  })
  const stop = previews.start()
  const change = (width: number, id = 'soft') =>
    store.getState().change('Change', (draft) => {
      const node = draft.nodes[id]
      if (node !== undefined) node.params = { width }
    })
  const sent = async (count: number) => {
    await until(() => requests.length >= count)
    assert.equal(requests.length, count)
    return requests[count - 1] ?? assert.fail()
  }
  const shown = (id = 'soft') => previews.nodes.getState().get(id)
  /** Cards that show no image of a run. Returns the functions that end this. */
  const cards = (...ids: string[]) => ids.map((id) => previews.watch(id, { isQuiet: true }))
  const forecast = (node: string, servedFrom: 'cache' | null) => {
    const step = { node, action: 'run', servedFrom, cost: null }
    run.setState({ forecast: [step] as unknown as RunState['forecast'] })
  }
  /** The queue for cards without an image looked for the next one. */
  const queueLooked = async () => {
    const before = idles
    previews.watch('nothing', { isQuiet: true })()
    await until(() => idles > before)
    await nextTurn()
  }
  return { store, run, previews, requests, decoding, change, sent, shown, cards, forecast, queueLooked, stop }
}

async function until(isSo: () => boolean): Promise<void> {
  const deadline = performance.now() + 60_000
  while (!isSo() && performance.now() < deadline) await nextTurn()
  assert.ok(isSo())
}

test('one request is in progress, and the next one has the last change', async () => {
  const { change, requests, sent, shown, stop } = begin()
  for (const width of [2, 3, 4, 5]) change(width)
  const first = await sent(1)
  assert.equal(first.options.document.nodes.soft?.params?.width, 2)
  for (const width of [6, 7]) change(width)
  first.respond()
  const second = await sent(2)
  assert.equal(second.options.document.nodes.soft?.params?.width, 7)
  // The earlier image is shown meanwhile.
  await until(() => shown()?.url !== undefined)
  assert.deepEqual([shown()?.width, shown()?.isStale], [2, true])
  second.respond()
  await until(() => shown()?.isStale === false)
  assert.deepEqual([shown()?.width, requests.length], [7, 2])
  assert.deepEqual([second.options.quality, second.options.maxSide], ['fast', 512])
  stop()
})

test('the next request is sent while an image is decoded, and an older image never replaces a newer one or a problem', async () => {
  const { change, decoding, sent, shown, stop } = begin()
  decoding.isHeld = true
  change(2)
  ;(await sent(1)).respond()
  await until(() => decoding.resolves.length === 1)
  change(3)
  ;(await sent(2)).respond()
  await until(() => decoding.resolves.length === 2)
  decoding.resolves[1]?.()
  await until(() => shown()?.width === 3)
  decoding.resolves[0]?.()
  change(4)
  ;(await sent(3)).respond()
  await until(() => decoding.resolves.length === 3)
  change(5)
  ;(await sent(4)).respond(new ApiError(409, { error: { code: 'execution_required', details: { nodes: ['scene'] } } }))
  await until(() => shown()?.problem !== undefined)
  decoding.resolves[2]?.()
  for (let turn = 0; turn < 5; turn += 1) await nextTurn()
  assert.deepEqual([shown()?.width, shown()?.problem !== undefined], [3, true])
  stop()
})

test('a watched node follows the changes of others, and becomes exact after the last one', async () => {
  const { change, previews, requests, sent, shown, stop } = begin()
  const leave = previews.watch('small', { isExact: true, maxSide: 900 })
  change(2)
  const edited = await sent(1)
  edited.respond()
  // The exact image replaces the fast one if it is due before that was requested.
  for (let count = 2; !shown('small')?.url?.includes('exact'); count++) {
    const { options, respond } = await sent(count)
    assert.deepEqual([options.node, options.maxSide], ['small', options.quality === 'exact' ? undefined : 900])
    respond()
    await until(() => requests.length > count || shown('small')?.url?.includes('exact') === true)
  }
  leave()
  change(3)
  await until(() => requests.at(-1)?.options.document.nodes.soft?.params?.width === 3)
  assert.equal(requests.at(-1)?.options.node, 'soft')
  assert.equal(shown('small'), undefined)
  stop()
})

test('a change that only a run can show keeps the image, and says so', async () => {
  const { change, sent, shown, stop } = begin()
  change(2)
  const first = await sent(1)
  first.respond()
  await until(() => shown()?.isStale === false)
  const url = shown()?.url
  change(3)
  const refused = await sent(2)
  refused.respond(new ApiError(409, { error: { code: 'execution_required', details: { nodes: ['scene'] } } }))
  await until(() => shown()?.problem !== undefined)
  assert.deepEqual(shown()?.problem, { kind: 'run', nodes: ['scene'] })
  assert.deepEqual([shown()?.url, shown()?.isStale], [url, true])
  change(4)
  const invalid = await sent(3)
  const issues = [{ path: 'nodes.soft', message: 'is too wide' }]
  invalid.respond(new ApiError(400, { error: { code: 'invalid_request', details: { issues } } }))
  await until(() => shown()?.problem?.kind === 'invalid')
  change(5)
  const right = await sent(4)
  right.respond()
  await until(() => shown()?.problem === undefined && shown()?.isStale === false)
  stop()
})

test('a limit of the service delays the next request', async () => {
  const { change, sent, shown, stop } = begin()
  change(2)
  const first = await sent(1)
  first.respond(new ApiError(429, { error: { code: 'rate_limited' } }, new Headers({ 'retry-after': '0' })))
  const again = await sent(2)
  again.respond()
  await until(() => shown()?.isStale === false)
  stop()
})

test('the images of a run of the same nodes replace the live ones', async () => {
  const { store, run, change, sent, shown, stop } = begin()
  change(2)
  const first = await sent(1)
  first.respond()
  await until(() => shown()?.isStale === false)
  const executed = store.getState().document
  const nodes = new Map([['soft', { status: 'completed' as const }]])
  run.setState({ isRunning: true, executed, nodes })
  assert.ok(shown())
  // The response to this request comes after the run.
  change(2.5)
  const late = await sent(2)
  run.setState({ executed: store.getState().document })
  run.setState({ isRunning: false })
  assert.equal(shown(), undefined)
  late.respond()
  change(3)
  const next = await sent(3)
  assert.equal(shown(), undefined)
  next.respond()
  await until(() => shown()?.width === 3)
  stop()
})

test('an immediate watch requests the image now and after each run, and a node that is no longer watched is not requested', async () => {
  const { store, run, previews, requests, sent, shown, stop } = begin()
  const leave = previews.watch('small', { isExact: true, isImmediate: true })
  previews.watch('photo', { isImmediate: true })()
  const first = await sent(1)
  assert.deepEqual([first.options.node, first.options.quality], ['small', 'exact'])
  first.respond()
  await until(() => shown('small')?.isExact === true)
  const nodes = new Map([['small', { status: 'completed' as const }]])
  run.setState({ isRunning: true, executed: store.getState().document, nodes } as never)
  run.setState({ isRunning: false })
  const second = await sent(2)
  assert.equal(second.options.node, 'small')
  second.respond()
  await until(() => shown('small') !== undefined)
  leave()
  run.setState({ isRunning: true })
  run.setState({ isRunning: false })
  assert.equal(requests.length, 2)
  stop()
})

test('moving a card requests nothing', async () => {
  const { store, requests, stop } = begin()
  store.getState().change('Move', (draft) => {
    draft.layout = { soft: { x: 1, y: 2 } } as never
  })
  await nextTurn()
  assert.equal(requests.length, 0)
  stop()
})

test('a change of another node keeps the live images that it does not affect', async () => {
  const { change, requests, sent, shown, stop } = begin()
  change(2, 'soft')
  const first = await sent(1)
  first.respond()
  await until(() => shown('soft')?.isStale === false)
  // `small` comes after `soft`.
  change(3, 'small')
  const second = await sent(2)
  assert.equal(second.options.node, 'small')
  second.respond()
  await until(() => shown('small')?.isStale === false)
  assert.deepEqual([shown('soft')?.width, shown('soft')?.isStale], [2, false])
  change(4, 'photo')
  await sent(3)
  assert.deepEqual([shown('soft'), shown('small'), requests.at(-1)?.options.node], [undefined, undefined, 'photo'])
  stop()
})

test('an earlier result that is chosen shows in the watched images, and the variations of a run that is shown do not', async () => {
  const { store, previews, sent, requests, stop } = begin()
  previews.watch('small')
  store.getState().setVariations({ photo: 'v1' })
  assert.equal(requests.length, 0)
  store.getState().vary('Choose', { photo: 'v2' })
  const { options, respond } = await sent(1)
  assert.deepEqual([options.node, options.variations], ['small', { photo: 'v2' }])
  respond()
  stop()
})

test('cards without an image get one in the order of the graph, one after the other, once', async () => {
  const { cards, requests, sent, shown, queueLooked, stop } = begin()
  cards('small', 'soft', 'photo')
  for (const [index, id] of ['photo', 'soft', 'small'].entries()) {
    const { options, respond } = await sent(index + 1)
    assert.deepEqual([options.node, options.quality, options.maxSide], [id, 'fast', 512])
    respond()
    await until(() => shown(id)?.isQuiet === true)
  }
  cards('small')
  await queueLooked()
  assert.equal(requests.length, 3)
  stop()
})

test('a quiet request that fails shows nothing, and is not repeated before a change', async () => {
  const { cards, change, requests, sent, shown, queueLooked, stop } = begin()
  cards('photo', 'soft')
  const issues = [{ path: 'nodes.photo', message: 'is too wide' }]
  ;(await sent(1)).respond(new ApiError(400, { error: { code: 'invalid_request', details: { issues } } }))
  ;(await sent(2)).respond()
  await until(() => shown('soft') !== undefined)
  assert.equal(shown('photo'), undefined)
  // The first one is limited, and tried again.
  change(2, 'photo')
  ;(await sent(3)).respond()
  const limited = await sent(4)
  assert.equal(limited.options.node, 'soft')
  limited.respond(new ApiError(429, { error: { code: 'rate_limited' } }, new Headers({ 'retry-after': '0' })))
  ;(await sent(5)).respond()
  await until(() => shown('soft')?.isStale === false)
  await queueLooked()
  assert.equal(requests.length, 5)
  stop()
})

test('a service that refuses previews is not asked for the next card', async () => {
  const { cards, requests, sent, queueLooked, stop } = begin()
  cards('photo', 'soft')
  ;(await sent(1)).respond(new ApiError(403, { error: { code: 'forbidden' } }))
  await queueLooked()
  assert.equal(requests.length, 1)
  stop()
})

test('a change ends the quiet request, and the cards after it follow later', async () => {
  const { cards, change, sent, shown, stop } = begin()
  const [leave] = cards('small')
  ;(await sent(1)).respond()
  await until(() => shown('small')?.isStale === false)
  cards('photo')
  const quiet = await sent(2)
  assert.equal(quiet.options.node, 'photo')
  change(2, 'soft')
  assert.deepEqual([quiet.signal.aborted, shown('small')?.isStale], [true, true])
  const edited = await sent(3)
  assert.equal(edited.options.node, 'soft')
  edited.respond()
  const again = await sent(4)
  assert.equal(again.options.node, 'photo')
  again.respond()
  const after = await sent(5)
  assert.equal(after.options.node, 'small')
  after.respond()
  await until(() => shown('small')?.isStale === false)
  assert.deepEqual([shown('small')?.width, shown('small')?.isQuiet], [2, true])
  // The card is gone.
  leave?.()
  assert.equal(shown('small'), undefined)
  stop()
})

test('the last run and a run in progress have priority over cards without an image', async () => {
  const { run, cards, requests, sent, shown, queueLooked, stop } = begin()
  run.setState({ isOpened: false })
  cards('photo')
  await queueLooked()
  assert.equal(requests.length, 0)
  run.setState({ isOpened: true })
  const first = await sent(1)
  run.setState({ isRunning: true })
  assert.ok(first.signal.aborted)
  await queueLooked()
  assert.equal(requests.length, 1)
  run.setState({ isRunning: false })
  ;(await sent(2)).respond()
  await until(() => shown('photo') !== undefined)
  stop()
})

test('no image is requested for a card with a problem, without a required value, with a list, or in a large graph', async () => {
  const { store, cards, requests, queueLooked, stop } = begin({
    ...document,
    parameters: [{ name: 'size', type: 'number', required: true }],
    nodes: {
      bad: { type: 'make', params: { source: '' } },
      after: { type: 'blur', inputs: { image: 'bad' } },
      sized: { type: 'make', params: { width: '{{ size }}' } },
      many: { type: 'make', each: ['a', 'b'] },
    },
  })
  store.getState().setIssues([{ path: 'nodes.bad.params.source', message: 'is required' }], [])
  cards('bad', 'after', 'sized', 'many')
  await queueLooked()
  const large = begin({
    ...document,
    nodes: Object.fromEntries(Array.from({ length: 25 }, (_, index) => [`n${index}`, { type: 'make' }])),
  })
  large.cards('n1')
  await large.queueLooked()
  assert.deepEqual([requests.length, large.requests.length], [0, 0])
  stop()
  large.stop()
})

test('a card after a model gets an image as soon as the result of the model is known to be stored', async () => {
  const { cards, forecast, requests, sent, queueLooked, stop } = begin(painted)
  cards('small', 'soft', 'scene', 'ground')
  const first = await sent(1)
  assert.equal(first.options.node, 'ground')
  first.respond()
  forecast('scene', null)
  await queueLooked()
  assert.equal(requests.length, 1)
  forecast('scene', 'cache')
  for (const [index, id] of ['scene', 'soft', 'small'].entries()) {
    const { options, respond } = await sent(index + 2)
    assert.equal(options.node, id)
    respond()
  }
  stop()
})

test('typing a prompt requests nothing and says that only a run shows it, until its result is known to be stored', async () => {
  const { store, run, previews, forecast, change, requests, sent, shown, queueLooked, stop } = begin(painted)
  previews.watch('small', { isExact: true })
  const type = (prompt: string) =>
    store.getState().change('Change', ({ nodes: { scene } }) => {
      if (scene !== undefined) scene.params = { prompt }
    })
  for (const prompt of ['A r', 'A re', 'A red']) type(prompt)
  for (const id of ['scene', 'small']) assert.deepEqual(shown(id)?.problem, { kind: 'run', nodes: ['scene'] })
  change(3, 'soft')
  await queueLooked()
  assert.deepEqual([shown('soft')?.problem?.kind, requests.length], ['run', 0])
  forecast('scene', 'cache')
  const shownExactly = () => shown('small')?.isExact === true
  for (let count = 1; !shownExactly(); count++) {
    ;(await sent(count)).respond()
    await until(() => requests.length > count || shownExactly())
  }
  assert.equal(shown('soft')?.problem, undefined)

  // A run stores the result, so changes after the model are live.
  type('A blue')
  const nodes = new Map(Object.keys(painted.nodes).map((id) => [id, { status: 'completed' as const }]))
  run.setState({ isRunning: true, executed: store.getState().document, nodes } as never)
  run.setState({ isRunning: false })
  const count = requests.length
  assert.equal(shown('soft'), undefined)
  change(4, 'soft')
  await until(() => requests.length > count)
  assert.equal(requests[count]?.options.document.nodes.soft?.params?.width, 4)
  stop()
})

test('another value stops only the images of models that read it', async () => {
  const { run, store, previews, change, requests, sent, shown, queueLooked, stop } = begin({
    ...painted,
    parameters: [
      { name: 'place', type: 'string' },
      { name: 'title', type: 'string' },
    ],
    nodes: { ...painted.nodes, scene: { type: 'paint', params: { prompt: '{{ place }}' } } },
  })
  previews.watch('small')
  change(2, 'soft')
  ;(await sent(1)).respond()
  ;(await sent(2)).respond()
  await until(() => shown('small')?.isStale === false)
  run.setState({ values: { title: 'a' } })
  ;(await sent(3)).respond()
  ;(await sent(4)).respond()
  await until(() => shown('small')?.isStale === false)
  run.setState({ values: { title: 'a', place: 'b' } })
  await queueLooked()
  assert.deepEqual([shown('small')?.problem?.kind, requests.length], ['run', 4])
  // A pinned image needs no model.
  store.getState().change('Pin', ({ nodes: { scene } }) => {
    if (scene !== undefined) scene.pinned = 'img_1'
  })
  await until(() => requests.length > 4)
  stop()
})
