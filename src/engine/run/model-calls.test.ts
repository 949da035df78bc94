import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { systemClock } from '../../domain/clock.ts'
import type { CallSite, ModelCallRecord } from '../../domain/models/model.ts'
import { Fault, failure } from '../../errors.ts'
import { testProcesses } from '../../imaging/raster/test-images.ts'
import type { StepReuse, StoredCheckpoint } from '../cache/ports.ts'
import { createChecker } from '../check/check.ts'
import { type Plan, planExecution } from '../plan/plan.ts'
import { callOf, memory, modelCatalogue, scriptedInvoke, scriptedModels } from '../test-models.ts'
import type { InvokeModel } from './model-calls.ts'
import { createPixelBudget } from './pixel-budget.ts'
import { type RunOptions, type RunResult, runPlan } from './run.ts'

function planOf(nodes: object, output: object | string = 'a', parameters: object[] = []): Plan {
  const settings = typeof output === 'string' ? { node: output, format: 'png' } : output
  const check = createChecker(modelCatalogue, scriptedModels())
  const { workflow, issues } = check({ name: 'T', parameters, nodes, output: settings })
  assert.ok(workflow, JSON.stringify(issues))
  const { plan, issues: wrong } = planExecution(workflow, {})
  assert.ok(plan, JSON.stringify(wrong))
  return plan
}

async function run(
  plan: Plan,
  invokeModel: InvokeModel | undefined,
  more: Partial<RunOptions> & {
    store?: ReturnType<typeof memory>
    checkpoints?: Map<string, StoredCheckpoint>
    standard?: string
    notReady?: string[]
    reusesSteps?: boolean
  } = {},
) {
  const { store, checkpoints, standard, notReady = [], reusesSteps = true, ...options } = more
  const models = scriptedModels(standard)
  const reuse: StepReuse = {
    cache: store?.cache,
    checkpoints,
    keyContext: {
      fingerprint: 'here',
      identify: async () => undefined,
      fonts: async () => [],
      models: (requirements) => {
        const { chain } = models.choose(requirements)
        return { chain, ready: models.ready(chain).filter(({ model }) => !notReady.includes(model)) }
      },
    },
  }
  const result = await runPlan(plan, {
    processes: testProcesses,
    signal: new AbortController().signal,
    timeoutSeconds: 20,
    pixelsMax: 1e6,
    pixels: createPixelBudget(1e6, 1e7),
    open: async () => ({ bytes: Buffer.alloc(0) }),
    encode: async ({ width, height }) => ({ bytes: Buffer.from('x'), format: 'png', width, height }),
    clock: systemClock,
    onProgress: () => undefined,
    invokeModel,
    ...(reusesSteps ? { reuse } : {}),
    ...options,
  })
  const step = (id: string) => result.steps.find(({ node }) => node === id)
  return { result, step, status: (id: string) => step(id)?.servedFrom ?? step(id)?.status }
}

const make = { type: 'make' }
const join = (image: string, more: object = {}) => ({ type: 'join', inputs: { image }, ...more })

test('a call is identified by node, item and its position among the calls of one run of the operation', async () => {
  const { invokeModel, sites } = scriptedInvoke()
  const { result } = await run(planOf({ a: { type: 'paint', params: { times: 2 } } }), invokeModel)
  assert.equal(result.fault, undefined)
  assert.deepEqual(sites, [
    { node: 'a', item: -1, ordinal: 0 },
    { node: 'a', item: -1, ordinal: 1 },
  ] satisfies CallSite[])
  const list = scriptedInvoke()
  const nodes = { l: { type: 'look', inputs: { image: 'm' }, each: 3 }, m: make, p: paintOf(['l']) }
  await run(planOf(nodes, 'p'), list.invokeModel)
  const looks = list.sites.filter(({ node }) => node === 'l')
  assert.deepEqual(looks.map(({ item, ordinal }) => [item, ordinal]).sort(), [
    [0, 0],
    [1, 0],
    [2, 0],
  ])
})

const paintOf = (images: string[]) => ({ type: 'paint', inputs: { images }, params: { model: 'a/rich' } })

test('a step reports its calls in the order of items and calls, in whatever order they arrive', async () => {
  const gates = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const invokeModel: InvokeModel = async ({ node, item }, _, { onCalls }) => {
    if (node === 'l' && item === 0) await gates[0]?.promise
    onCalls([callOf(`${node}${item}`)])
    gates[0]?.resolve()
    return { model: 'a/rich', images: [], text: 't' }
  }
  const plan = planOf({ m: make, l: { type: 'look', inputs: { image: 'm' }, each: 2 }, p: paintOf(['l']) }, 'p')
  const { step } = await run(plan, invokeModel)
  assert.deepEqual(
    step('l')?.calls?.map(({ model }) => model),
    ['l0', 'l1'],
  )
})

test('reports each change of a call, and keeps the calls of a step that fails', async () => {
  const notified: string[] = []
  const invokeModel: InvokeModel = async (_place, _ask, { onCalls }) => {
    onCalls([callOf('a/plain', 'down')])
    onCalls([callOf('a/plain', 'down'), callOf('a/rich', 'refused')])
    throw failure('provider_refused', 'No.')
  }
  const onProgress: RunOptions['onProgress'] = ([step]) =>
    notified.push(step?.calls?.map(({ outcome }) => outcome).join() ?? '')
  const { result, step } = await run(planOf({ a: { type: 'paint' } }), invokeModel, { onProgress })
  assert.equal(result.fault?.details.reason, 'provider_refused')
  assert.equal(step('a')?.status, 'failed')
  assert.equal(step('a')?.calls?.length, 2)
  assert.ok(notified.includes('down') && notified.includes('down,refused'))
})

test('the operation builds the request of a model call, and its errors are errors of the operation', async () => {
  const invokeModel: InvokeModel = async (_place, { request }) => {
    await assert.rejects(request(), (error) => error instanceof Fault && error.details.reason === 'internal')
    throw failure('timeout', 'Seen.')
  }
  const broken = new Map(modelCatalogue)
  const paint = modelCatalogue.get('paint')
  assert.ok(paint)
  broken.set('paint', {
    ...paint,
    async run(_, __, context) {
      const request = async () => {
        throw new TypeError('a bug')
      }
      await context.invokeModel?.({ capability: 'generate', requirements: [], onUnknownOutcome: 'fail', request })
      return {}
    },
  })
  const { workflow } = createChecker(broken)({ name: 'T', nodes: { a: { type: 'paint' } }, output: { node: 'a' } })
  assert.ok(workflow)
  const { plan } = planExecution(workflow, {})
  assert.ok(plan)
  assert.match((await run(plan, invokeModel)).result.fault?.message ?? '', /Seen/)
})

test('aborts running calls with the fault of a failed step, and waits for their reports', async () => {
  let reason: unknown
  const invokeModel: InvokeModel = async ({ node }, _, { signal, onCalls }) => {
    if (node === 'bad') throw failure('provider_refused', 'No.')
    onCalls([callOf('a/plain', 'submitting')])
    await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()))
    reason = signal.reason
    // As long as a provider needs to cancel.
    for (let i = 0; i < 5; i += 1) await setImmediate()
    onCalls([callOf('a/plain', 'cancelled')])
    throw signal.reason
  }
  const nodes = {
    a: join('slow', { inputs: { image: 'slow', other: 'bad' } }),
    slow: { type: 'paint' },
    bad: { type: 'paint' },
  }
  const { result, step } = await run(planOf(nodes), invokeModel)
  assert.equal(result.fault?.details.node, 'bad')
  assert.equal(reason, result.fault)
  assert.equal(step('slow')?.status, 'cancelled')
  assert.deepEqual(
    step('slow')?.calls?.map(({ outcome }) => outcome),
    ['cancelled'],
  )
})

test('a call gets the reason why the run is stopped', async () => {
  const stop = new AbortController()
  class Ending extends Error {}
  let reason: unknown
  const invokeModel: InvokeModel = async (_place, _ask, { signal }) => {
    setImmediate().then(() => stop.abort(new Ending()))
    await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()))
    reason = signal.reason
    throw reason
  }
  await run(planOf({ a: { type: 'paint' } }), invokeModel, { signal: stop.signal })
  assert.ok(reason instanceof Ending)
})

test('a cached step makes no model calls, nor do the steps that only it needs', async () => {
  const store = memory()
  const plan = planOf({ p: { type: 'paint', params: { seed: 1, model: 'a/rich' } }, b: join('p'), a: join('b') })
  const first = scriptedInvoke()
  await run(plan, first.invokeModel, { store })
  assert.deepEqual(first.calledNodes(), ['p'])
  const second = scriptedInvoke()
  const { status, step } = await run(plan, second.invokeModel, { store })
  assert.deepEqual(second.calledNodes(), [])
  assert.equal(status('p'), 'cache')
  assert.equal(step('p')?.calls, undefined)
})

test('calls the model every time if there is no seed, and does not reuse the steps after it', async () => {
  const store = memory()
  const plan = planOf({ a: { type: 'paint' } })
  await run(plan, scriptedInvoke().invokeModel, { store })
  const { invokeModel, calledNodes } = scriptedInvoke()
  await run(plan, invokeModel, { store })
  assert.deepEqual(calledNodes(), ['a'])
  assert.equal(store.results.size, 0)
})

test('does not reuse the result of the previous default model', async () => {
  const store = memory()
  const plan = planOf({ m: make, a: { type: 'look', inputs: { image: 'm' } } })
  await run(plan, scriptedInvoke().invokeModel, { store, standard: 'a/plain' })
  const rich = { describe: { model: 'a/rich', images: [], text: 'a cat' } }
  const other = scriptedInvoke(rich)
  await run(plan, other.invokeModel, { store, standard: 'a/rich' })
  assert.deepEqual(other.calledNodes(), ['a'])
  const again = scriptedInvoke(rich)
  await run(plan, again.invokeModel, { store, standard: 'a/rich' })
  assert.deepEqual(again.calledNodes(), [])
})

test('does not reuse results of a fallback, or of the steps after it, if the first model may respond again', async () => {
  const store = memory()
  const look = { type: 'look', inputs: { image: 'm' }, params: { model: 'a/rich', fallback: ['a/plain'] } }
  const plan = planOf({ m: make, l: look, a: join('l') })
  await run(plan, scriptedInvoke({ describe: { model: 'a/plain', images: [], text: 'so so' } }).invokeModel, { store })
  const first = scriptedInvoke()
  const { status } = await run(plan, first.invokeModel, { store })
  assert.deepEqual([first.calledNodes(), status('l'), status('a')], [['l'], 'completed', 'completed'])
  const again = scriptedInvoke()
  await run(plan, again.invokeModel, { store })
  assert.deepEqual(again.calledNodes(), [])
})

test('does not cache results of an execution that resumes one in which a fallback responded', async () => {
  const look = { type: 'look', inputs: { image: 'm' }, params: { model: 'a/rich', fallback: ['a/plain'] } }
  const nodes = (fails: boolean) => ({ m: make, l: look, b: join('l'), a: join('b', { params: { fails } }) })
  const plainResponse = { describe: { model: 'a/plain', images: [], text: 'so so' } }
  const store = memory()
  const failed = await run(planOf(nodes(true)), scriptedInvoke(plainResponse).invokeModel, { store })
  const resumed = await run(planOf(nodes(false)), scriptedInvoke().invokeModel, {
    store,
    checkpoints: checkpointsOf(failed.result),
  })
  assert.equal(resumed.status('b'), 'resumed')
  const { invokeModel, calledNodes } = scriptedInvoke()
  await run(planOf(nodes(false)), invokeModel, { store })
  assert.deepEqual(calledNodes(), ['l'])
})

test('reuses the result of a fallback until the unavailable first model becomes available', async () => {
  const store = memory()
  const look = { type: 'look', inputs: { image: 'm' }, params: { model: 'a/rich', fallback: ['a/plain'] } }
  const plan = planOf({ m: make, a: look })
  const plainResponse = { describe: { model: 'a/plain', images: [], text: 'so so' } }
  await run(plan, scriptedInvoke(plainResponse).invokeModel, { store, notReady: ['a/rich'] })
  const second = scriptedInvoke(plainResponse)
  await run(plan, second.invokeModel, { store, notReady: ['a/rich'] })
  const third = scriptedInvoke()
  await run(plan, third.invokeModel, { store })
  assert.deepEqual([second.calledNodes(), third.calledNodes()], [[], ['a']])
})

test('makes no calls for a node that only a node skipped at run time needs, and reports it as skipped', async () => {
  const plan = planOf({
    m: make,
    p: { type: 'paint' },
    a: join('m', { inputs: { image: 'm', other: 'p' }, when: '{{ nodes.m.tone | minus: 1 }}' }),
  })
  for (const store of [undefined, memory()]) {
    const { invokeModel, calledNodes } = scriptedInvoke()
    const { result, status } = await run(plan, invokeModel, store ? { store } : {})
    assert.equal(result.fault, undefined)
    assert.deepEqual(calledNodes(), [])
    assert.equal(status('p'), 'skipped')
  }
  const without = scriptedInvoke()
  const { status } = await run(plan, without.invokeModel, { reusesSteps: false })
  assert.deepEqual([without.calledNodes(), status('p')], [[], 'skipped'])
})

test('makes no calls for a node that only the templates of a skipped node name', async () => {
  const plan = planOf({
    m: make,
    s: { type: 'say' },
    l: { type: 'look', inputs: { image: 'm' } },
    a: join('m', { params: { text: '{{ nodes.s.text }} {{ nodes.l.text }}' }, when: '{{ nodes.m.tone | minus: 1 }}' }),
  })
  const { invokeModel, calledNodes } = scriptedInvoke()
  const { result } = await run(plan, invokeModel, { store: memory() })
  assert.equal(result.fault, undefined)
  assert.deepEqual(calledNodes(), [])
})

test('makes no calls for a node that only a list with skipped items needs', async () => {
  const plan = planOf({
    m: { ...make, each: 2 },
    p: { type: 'paint' },
    j: join('m', { inputs: { image: 'm', other: 'p' }, when: '{{ nodes.m.tone | minus: 1 }}' }),
    a: { type: 'paint', inputs: { images: ['j'] }, params: { model: 'a/rich' } },
  })
  const { invokeModel, calledNodes } = scriptedInvoke()
  const { result, status } = await run(plan, invokeModel, { store: memory() })
  assert.equal(result.fault, undefined)
  assert.deepEqual(calledNodes(), ['a'])
  assert.equal(status('p'), 'skipped')
})

test('calls the model that decides first, and then the models that its decision requires', async () => {
  const plan = planOf({
    m: make,
    l: { type: 'look', inputs: { image: 'm' } },
    p: { type: 'paint' },
    a: join('m', { inputs: { image: 'm', other: 'p' }, when: '{{ nodes.l.text | size }}' }),
  })
  const { invokeModel, calledNodes } = scriptedInvoke()
  const { result } = await run(plan, invokeModel, { store: memory() })
  assert.equal(result.fault, undefined)
  assert.deepEqual(calledNodes(), ['l', 'p'])
})

test('makes no speculative call: it waits until the next step is known to be missing in the cache', async () => {
  // The key of `a` waits for what `l` says; `b`, between it and `p`, is a call that could start early.
  const plan = planOf({
    m: make,
    l: { type: 'look', inputs: { image: 'm' }, params: { model: 'a/plain' } },
    p: { type: 'paint', params: { seed: 1, model: 'a/rich' } },
    b: join('p'),
    a: join('b', { params: { text: '{{ nodes.l.text }}' } }),
  })
  const store = memory()
  await run(plan, scriptedInvoke().invokeModel, { store })
  const keys = [...store.results.keys()]
  assert.ok(keys.length >= 4)
  // Only the result of `a` is left, whose key was offered last.
  for (const key of keys.slice(0, -1)) store.results.delete(key)
  const { invokeModel, calledNodes } = scriptedInvoke()
  const { result, status } = await run(plan, invokeModel, { store })
  assert.equal(result.fault, undefined)
  assert.deepEqual(calledNodes(), ['l'])
  assert.deepEqual([status('a'), status('p')], ['cache', 'cache'])
})

test('a step without an image provides values for templates, from the cache as well', async () => {
  const store = memory()
  const plan = planOf({
    m: make,
    s: { type: 'say', params: { seed: 3, model: 'a/rich' } },
    a: join('m', { params: { text: '{{ nodes.s.text }}' } }),
  })
  const first = scriptedInvoke()
  const { result, step } = await run(plan, first.invokeModel, { store })
  assert.equal(result.fault, undefined)
  assert.deepEqual([first.calledNodes(), step('s')?.status, step('s')?.width], [['s'], 'completed', null])
  const second = scriptedInvoke()
  const { status } = await run(plan, second.invokeModel, { store })
  assert.deepEqual([second.calledNodes(), status('s')], [[], 'cache'])
})

test('a skipped step without an image has empty values', async () => {
  const plan = planOf(
    {
      m: make,
      s: { type: 'say', when: '{{ nodes.m.tone | minus: 1 }}' },
      a: join('m', { params: { text: '-{{ nodes.s.text }}-' } }),
    },
    { node: 'a', format: 'png', name: 'x{{ nodes.s.text }}' },
  )
  const { invokeModel, calledNodes } = scriptedInvoke()
  const { result, status } = await run(plan, invokeModel, { store: memory() })
  assert.equal(result.output?.name, 'x')
  assert.deepEqual([calledNodes(), status('s')], [[], 'skipped'])
})

function checkpointsOf(failed: RunResult): Map<string, StoredCheckpoint> {
  const checkpoints = new Map<string, StoredCheckpoint>()
  for (const { task, key, facts, packed } of failed.fault ? failed.finished : []) {
    const read = async () => Buffer.concat(packed?.parts ?? [])
    checkpoints.set(task, { key, facts, hasImages: packed !== undefined, read })
  }
  return checkpoints
}

test('an execution that resumes a failed one does not repeat completed calls', async () => {
  const nodes = (fails: boolean) => ({
    s: { type: 'say' },
    p: { type: 'paint' },
    a: join('p', { params: { text: '{{ nodes.s.text }}', fails } }),
  })
  const failed = await run(planOf(nodes(true)), scriptedInvoke().invokeModel, { store: memory() })
  const { invokeModel, calledNodes } = scriptedInvoke()
  const checkpoints = checkpointsOf(failed.result)
  const { result, status, step } = await run(planOf(nodes(false)), invokeModel, { store: memory(), checkpoints })
  assert.equal(result.fault, undefined)
  assert.deepEqual([calledNodes(), status('s'), status('p'), step('p')?.calls], [[], 'resumed', 'resumed', undefined])
})

test('keeps the call reports of earlier attempts with the step, without duplicates', async () => {
  const callsBefore = new Map([
    ['m', [callOf('x/before')]],
    ['a', [callOf('x/before'), callOf('a/rich')]],
  ])
  const plan = planOf({ m: make, a: paintOf(['m']) })
  const { step } = await run(plan, scriptedInvoke().invokeModel, { callsBefore })
  assert.deepEqual(step('m')?.calls, [callOf('x/before')])
  assert.deepEqual(step('a')?.calls, [callOf('a/rich'), callOf('x/before')])
})

test('keeps the calls of items that a new attempt did not reach', async () => {
  const callsBefore = new Map([['l', [callOf('a/0'), callOf('a/1'), callOf('a/2')]]])
  const invokeModel: InvokeModel = async ({ item }, _, { onCalls }) => {
    if (item !== 0) throw failure('provider_refused', 'No.')
    onCalls([callOf('a/0')])
    return { model: 'a/rich', images: [], text: 't' }
  }
  const plan = planOf({ m: make, l: { type: 'look', inputs: { image: 'm' }, each: 3 }, p: paintOf(['l']) }, 'p')
  const { result, step } = await run(plan, invokeModel, { callsBefore })
  assert.equal(result.fault?.details.reason, 'provider_refused')
  assert.deepEqual(
    step('l')?.calls?.map(({ model }) => model),
    ['a/0', 'a/1', 'a/2'],
  )
})

/** A call that is in progress until the run is stopped; then reports the outcome of its call. */
const endless =
  (...calls: ModelCallRecord[]): InvokeModel =>
  async (_place, _ask, { signal, onCalls }) => {
    await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()))
    for (let i = 0; i < 5; i += 1) await setImmediate()
    if (calls.length > 0) onCalls(calls)
    throw signal.reason
  }

const late: [string, InvokeModel, object][] = [
  [
    'it may have been billed',
    endless(callOf('a/plain', 'down'), { ...callOf('b/late', 'cancelled'), costSource: 'assumed', requestId: 'r' }),
    { provider: 'b', model: 'b/late', billed: 'unknown', providerRequestId: 'r' },
  ],
  ['it was billed', endless(callOf('b/late', 'timeout')), { provider: 'b', model: 'b/late', billed: 'yes' }],
  [
    'it was not billed',
    endless({ ...callOf('b/late', 'cancelled'), costUsd: 0, costSource: null }),
    { provider: 'b', model: 'b/late', billed: 'no' },
  ],
  ['it was not reported', endless(), { provider: 'a', model: 'a/plain', billed: 'unknown' }],
]
for (const [label, invokeModel, expected] of late) {
  test(`a timeout while a model call runs names the node and the model: ${label}`, async () => {
    const nodes = { a: join('p'), p: { type: 'paint' } }
    const { result, step, status } = await run(planOf(nodes), invokeModel, { timeoutSeconds: 0.05 })
    const details = { reason: 'timeout', problem: 'timeout', node: 'p', operation: 'paint', ...expected }
    assert.deepEqual(result.fault?.details, details)
    const model = 'model' in expected ? expected.model : ''
    assert.equal(
      result.fault?.message,
      `The execution did not finish within 0.05 seconds: node "p" was waiting for ${model}.`,
    )
    assert.deepEqual(step('p')?.error?.details, details)
    assert.deepEqual([status('p'), status('a')], ['failed', 'cancelled'])
  })
}

test('a timeout does not name a model if a fallback may have been running', async () => {
  const invokeModel: InvokeModel = async (site, calledNodes, run) => {
    run.onCalls([callOf('a/plain', 'down')])
    return endless()(site, calledNodes, run)
  }
  const { result } = await run(planOf({ a: { type: 'paint' } }), invokeModel, { timeoutSeconds: 0.05 })
  assert.deepEqual(result.fault?.details, {
    reason: 'timeout',
    problem: 'timeout',
    node: 'a',
    operation: 'paint',
    billed: 'unknown',
  })
})
