import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { createStore } from 'zustand/vanilla'
import { ApiError } from '../../api/client.ts'
import type { DraftPreview, PreviewOptions } from '../../api/drafts.ts'
import type { WorkflowDocument } from '../../api/workflow-document.ts'
import { testCatalogue as catalogue } from '../document/test-catalogue.ts'
import { createDocumentStore } from './document-store.ts'
import { createLivePreviews } from './live-previews.ts'
import type { RunState } from './run.ts'

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

/** Requests wait until the test responds to them. */
function begin() {
  const store = createDocumentStore(document)
  const run = createStore(() => ({ values: {}, isRunning: false, nodes: new Map() }) as unknown as RunState)
  const requests: { options: PreviewOptions; respond(answer?: Answer): void }[] = []
  /** Decodes each image immediately, or when the test does it. */
  const decoding: { isHeld: boolean; resolves: (() => void)[] } = { isHeld: false, resolves: [] }
  const previews = createLivePreviews({
    document: store,
    run,
    catalogue,
    request: (options) =>
      new Promise((resolve, reject) => {
        const width = Number(options.document.nodes.soft?.params?.width)
        const image = { data: `${options.quality} ${options.node} ${width}`, format: 'png' as const, width, height: 1 }
        const usual = { node: options.node, width, height: 1, image }
        const respond = (answer: Answer = usual) => (answer instanceof Error ? reject(answer) : resolve(answer))
        requests.push({ options, respond })
      }),
    decode: async () => {
      if (decoding.isHeld) await new Promise<void>((resolve) => decoding.resolves.push(resolve))
    },
    settleMs: 1,
    pauseMs: 0,
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
  return { store, run, previews, requests, decoding, change, sent, shown, stop }
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
