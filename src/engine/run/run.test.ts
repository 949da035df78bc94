import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { until } from '../../../test/harness/wait.ts'
import { systemClock } from '../../domain/clock.ts'
import type { Step } from '../../domain/executions/execution.ts'
import { Fault, failure } from '../../errors.ts'
import { testProcesses } from '../../imaging/raster/test-images.ts'
import type { ImageMetadata } from '../../imaging/types.ts'
import { createChecker } from '../check/check.ts'
import type { CheckedWorkflow } from '../check/checked-workflow.ts'
import { type Plan, planExecution } from '../plan/plan.ts'
import { events, testCatalogue } from '../test-catalogue.ts'
import { createPixelBudget } from './pixel-budget.ts'
import { runPlan } from './run.ts'

const check = createChecker(testCatalogue)

function planOf(nodes: object, output: object, parameters: object[] = [], values = {}): Plan {
  const { workflow, issues } = check({ name: 'Test', parameters, nodes, output })
  assert.deepEqual(issues, undefined)
  const result = planExecution(workflow as CheckedWorkflow, values)
  assert.deepEqual(result.issues, undefined)
  return result.plan as Plan
}

async function run(plan: Plan, { signal = new AbortController().signal, timeoutSeconds = 10 } = {}) {
  events.length = 0
  let progress = 0
  let metadata: ImageMetadata | undefined
  const result = await runPlan(plan, {
    processes: testProcesses,
    signal,
    timeoutSeconds,
    pixelsMax: 1e6,
    pixels: createPixelBudget(1e6, 1e7),
    open: async () => ({ bytes: Buffer.alloc(0) }),
    encode: async (image, { format = 'png', quality = 0 }) => {
      if (format === 'auto') throw new Error('no plan here has it')
      const { width, height } = image
      metadata = image.metadata
      return { bytes: Buffer.from([Number(quality)]), format, width, height }
    },
    clock: systemClock,
    onProgress: () => progress++,
  })
  return { ...result, metadata, progress, states: states(result.steps) }
}

const states = (steps: Step[]) => Object.fromEntries(steps.map(({ node, status }) => [node, status]))

const make = { type: 'make' }
const wait = (from: string, name: string, ms: number) => ({
  type: 'wait',
  inputs: { image: from },
  params: { name, ms },
})

describe('a plan', () => {
  it('returns the image of its output node, and records every step', async () => {
    const nodes = {
      a: { type: 'make', params: { width: 3 } },
      b: make,
      c: { type: 'join', inputs: { image: 'a', overlay: 'b', more: ['a', 'b'] } },
    }
    const { output, steps, progress } = await run(planOf(nodes, { node: 'c', format: 'webp', quality: 7, name: 'x' }))
    assert.equal(output?.width, 26)
    assert.equal(output?.format, 'webp')
    assert.equal(output?.name, 'x')
    assert.equal(output?.bytes?.[0], 7)
    assert.deepEqual(states(steps), { a: 'completed', b: 'completed', c: 'completed' })
    for (const step of steps) assert.ok(step.startedAt !== null && step.durationMs !== null && step.width !== null)
    assert.ok(progress >= 6)
  })
  it('runs independent branches at the same time', async () => {
    const nodes = {
      a: make,
      x: wait('a', 'x', 40),
      y: wait('a', 'y', 40),
      c: { type: 'join', inputs: { image: 'x', overlay: 'y' } },
    }
    await run(planOf(nodes, { node: 'c' }))
    assert.deepEqual(events.slice(0, 2).sort(), ['begin x', 'begin y'])
  })
  it('passes values of nodes to templates and to the output settings', async () => {
    const nodes = {
      a: { type: 'make', params: { width: 30, color: 'red' } },
      b: { type: 'make', params: { width: '{{ nodes.a.width | plus: 1 }}', height: 2 } },
    }
    const { output } = await run(planOf(nodes, { node: 'b', name: '{{ nodes.a.caption }}, {{ nodes.b.height }} high' }))
    assert.equal(output?.width, 31)
    assert.equal(output?.name, 'red 30, 2 high')
  })
  it('skips a node whose `when` becomes false by values of another node, and passes on its first input', async () => {
    const nodes = {
      a: make,
      b: { type: 'join', when: '{{ nodes.a.width | minus: 10 }}', inputs: { image: 'a', overlay: 'a' } },
    }
    const { output, states: found } = await run(planOf(nodes, { node: 'b' }))
    assert.equal(output?.width, 10)
    assert.deepEqual(found, { a: 'completed', b: 'skipped' })
  })
  it('skips a node that lost a required input; a skipped node has empty values', async () => {
    const parameters = [{ name: 'on', type: 'string' }]
    const nodes = {
      base: make,
      source: { type: 'make', when: '{{ on }}' },
      starved: { type: 'join', inputs: { image: 'source' } },
      c: { type: 'join', inputs: { image: 'base', overlay: 'starved' } },
      d: {
        type: 'make',
        params: { width: '{{ nodes.source.caption | size | plus: 4 }}', height: '{{ nodes.c.width }}' },
      },
    }
    const { output, states: found } = await run(planOf(nodes, { node: 'd' }, parameters))
    assert.deepEqual([output?.width, output?.height], [4, 10])
    assert.deepEqual(found, {
      base: 'completed',
      source: 'skipped',
      starved: 'skipped',
      c: 'completed',
      d: 'completed',
    })
  })
})

describe('a node over a list', () => {
  const cards = {
    cards: {
      type: 'make',
      each: [3, '{{ wide }}', 5],
      params: { width: '{{ item }}', height: '{{ index | plus: 1 }}' },
    },
  }
  const parameters = [{ name: 'wide', type: 'number', default: 40 }]
  const widthOf = async (nodes: object, node: string, more = parameters) =>
    (await run(planOf(nodes, { node }, more))).output?.width

  it('returns one image per item, and a socket for many images gets all of them', async () => {
    const nodes = { ...cards, base: make, all: { type: 'join', inputs: { image: 'base', more: ['cards', 'base'] } } }
    const { output, steps } = await run(planOf(nodes, { node: 'all' }, parameters))
    assert.equal(output?.width, 10 + 3 + 40 + 5 + 10)
    assert.deepEqual([steps[0]?.count, steps[0]?.width, steps[2]?.count], [3, 3, undefined])
  })
  it('can be a count, and a template of a parameter can provide either', async () => {
    const over = (each: unknown, more: object[] = []) => ({
      base: make,
      cards: { type: 'make', each, params: { width: '{{ item }}' } },
      all: { type: 'join', inputs: { image: 'base', more: ['cards'] } },
      ...more,
    })
    assert.equal(await widthOf(over(3), 'all', []), 10 + 1 + 2 + 3)
    assert.equal(await widthOf(over('{{ wide | divided_by: 10 }}'), 'all'), 10 + 1 + 2 + 3 + 4)
    assert.equal(await widthOf(over('{{ "7,8" | split: "," }}'), 'all', []), 25)
    assert.equal(await widthOf(over(0), 'all', []), 10)
  })
  it('can have objects with dots in their keys, or nulls, as items', async () => {
    const item = (width: string) => ({ 'a.b': width, a: { b: '{{ wide }}' }, '': '{{ wide }}', c: ['{{ wide }}'] })
    const nodes = {
      cards: {
        type: 'make',
        each: [item('{{ wide | plus: 1 }}')],
        params: { width: '{{ item["a.b"] | plus: item.a.b }}' },
      },
      base: make,
      all: { type: 'join', inputs: { image: 'base', more: ['cards'] } },
    }
    assert.equal(await widthOf(nodes, 'all'), 10 + 41 + 40)
  })
  it('runs the next node once per image, with its item and the values of that item', async () => {
    const nodes = {
      ...cards,
      twice: { type: 'join', when: '{{ index }}', inputs: { image: 'cards', overlay: 'cards' } },
      text: {
        type: 'make',
        each: 3,
        params: { width: '{{ nodes.twice.width[index] | plus: item }}' },
      },
      base: make,
      all: { type: 'join', inputs: { image: 'base', more: ['text'] } },
    }
    // 3 is skipped and passed on, 40 and 5 are joined with themselves.
    assert.equal(await widthOf(nodes, 'all'), 10 + (3 + 1) + (80 + 2) + (10 + 3))
  })
  it('has lists as values; in the same list, the values of the item', async () => {
    const nodes = {
      ...cards,
      named: {
        type: 'join',
        inputs: { image: 'cards' },
        params: { box: { x: '{{ nodes.cards.width | minus: item }}' } },
      },
      last: { type: 'make', params: { width: '{{ nodes.named.width | last }}', height: '{{ nodes.cards.count }}' } },
    }
    const { output } = await run(planOf(nodes, { node: 'last' }, parameters))
    assert.deepEqual([output?.width, output?.height], [5, 3])
  })
  it('rejects two lists of different lengths', async () => {
    const nodes = {
      three: { type: 'make', each: 3 },
      two: { type: 'make', each: 2 },
      pairs: { type: 'join', inputs: { image: 'three', overlay: 'two' } },
      all: { type: 'join', inputs: { image: 'base', more: ['pairs'] } },
      base: make,
    }
    const { fault } = await run(planOf(nodes, { node: 'all' }))
    assert.match(fault?.message ?? '', /list of "three" has 3 items, and the list of "two" has 2/)
    assert.equal(fault?.details.node, 'pairs')
  })
  it('names the item in a failure', async () => {
    const nodes = {
      few: { type: 'make', each: 3, params: { width: '{{ nodes.base.width | times: item | times: 50 }}' } },
      all: { type: 'join', inputs: { image: 'base', more: ['few'] } },
      base: make,
    }
    const { fault } = await run(planOf(nodes, { node: 'all' }))
    assert.match(fault?.message ?? '', /nodes.few.params.width" .*\(image 3 of 3\)/)
  })
  it('passes on one image if it is skipped and its reader accepts many', async () => {
    const nodes = {
      ...cards,
      base: make,
      one: { type: 'join', when: false, inputs: { more: ['cards'], image: 'base' } },
    }
    assert.equal(await widthOf(nodes, 'one'), 10)
  })
})

it('keeps metadata of the source file with derived images, and not with an image that is passed on instead', async () => {
  const from = (images: string[], isNew: boolean) =>
    planOf(
      { a: { type: 'photograph' }, b: make, c: { type: 'last', inputs: { images }, params: { new: isNew } } },
      { node: 'c' },
    )
  assert.deepEqual((await run(from(['a', 'b'], true))).metadata, { density: 300 })
  assert.deepEqual((await run(from(['b', 'a'], false))).metadata, { density: 300 })
  assert.equal((await run(from(['a', 'b'], false))).metadata, undefined)
})

describe('an empty list', () => {
  const base = { base: make }
  it('leaves a node that reads only the list without an image, and such an output fails with the reason', async () => {
    const nodes = { none: { type: 'make', each: 0 }, all: { type: 'gather', inputs: { images: 'none' } } }
    const { fault } = await run(planOf(nodes, { node: 'all' }))
    assert.deepEqual([fault?.code, fault?.details.reason], ['workflow_failed', 'input_invalid'])
    assert.match(fault?.message ?? '', /the list of node "all" is empty/)
  })
  it('skips the node, and its count is empty', async () => {
    const nodes = {
      ...base,
      none: { type: 'wait', each: 3, when: false, inputs: { image: 'base' }, params: { name: 'x', ms: 0 } },
      all: { type: 'make', params: { width: '{{ nodes.none.count | default: 7 }}' } },
    }
    assert.equal((await run(planOf(nodes, { node: 'all' }))).output?.width, 7)
  })
  it('passes on the first image of a longer list for each skipped item of a node that reads another list entirely', async () => {
    const nodes = {
      ...base,
      two: { type: 'make', each: 2, params: { width: '{{ item }}' } },
      each: { type: 'gather', each: 3, when: '{{ item > 9 }}', inputs: { images: 'two' } },
      all: { type: 'join', inputs: { image: 'base', more: ['each'] } },
    }
    assert.equal((await run(planOf(nodes, { node: 'all' }))).output?.width, 10 + 1 + 1 + 1)
  })
})

describe('a failed run ends with one fault that names the node:', () => {
  it('an operation that fails, and the other branch is stopped', async () => {
    const nodes = {
      a: make,
      f: { type: 'fail', inputs: { image: 'a' }, params: { how: 'failure' } },
      x: wait('a', 'x', 5_000),
      c: { type: 'join', inputs: { image: 'f', overlay: 'x' } },
    }
    const { fault, states: found } = await run(planOf(nodes, { node: 'c' }))
    assert.deepEqual(fault?.details, { reason: 'input_invalid', node: 'f', operation: 'fail' })
    assert.deepEqual(found, { a: 'completed', f: 'failed', x: 'cancelled', c: 'cancelled' })
    assert.ok(!events.includes('end x'))
  })
  it('an operation that crashes: an internal fault without the text of the error', async () => {
    const nodes = { a: make, f: { type: 'fail', inputs: { image: 'a' }, params: { how: 'crash' } } }
    const { fault, steps } = await run(planOf(nodes, { node: 'f' }))
    assert.equal(fault?.details.reason, 'internal')
    assert.ok(!JSON.stringify([fault?.message, fault?.details, steps]).includes('secret'))
    assert.ok(fault?.cause instanceof TypeError)
  })
  it('a value of a node that a param does not accept, with the path of the param', async () => {
    const nodes = {
      a: { type: 'make', params: { width: 900 } },
      b: { type: 'make', params: { width: '{{ nodes.a.width | times: 2 }}' } },
    }
    const { fault } = await run(planOf(nodes, { node: 'b' }))
    assert.equal(fault?.details.reason, 'input_invalid')
    assert.equal(fault?.details.issues?.[0]?.path, 'nodes.b.params.width')
  })
  it('a busy machine: a timeout that says so', async () => {
    const nodes = { a: make, f: { type: 'fail', inputs: { image: 'a' }, params: { how: 'busy' } } }
    const { fault, steps } = await run(planOf(nodes, { node: 'f' }))
    assert.deepEqual([fault?.code, fault?.details.reason], ['workflow_failed', 'timeout'])
    assert.deepEqual([fault?.message, steps[1]?.error?.message], ['The machine is busy.', 'The machine is busy.'])
  })
  it('the deadline, even if an operation ignores the signal', async (t) => {
    t.mock.timers.enable({ apis: ['setTimeout'] })
    const deaf = { type: 'wait', inputs: { image: 'a' }, params: { name: 'deaf', ms: 1_000, deaf: true } }
    const running = run(planOf({ a: make, b: deaf }, { node: 'b' }), { timeoutSeconds: 5 })
    await until('the operation to run', () => events.includes('begin deaf') || undefined)
    t.mock.timers.tick(5_000)
    const { fault, states: found } = await running
    assert.equal(fault?.details.reason, 'timeout')
    assert.deepEqual(found, { a: 'completed', b: 'cancelled' })
    assert.ok(!events.includes('end deaf'))
  })
  it('a cancellation, with its reason', async () => {
    const controller = new AbortController()
    const running = run(planOf({ a: make, b: wait('a', 'b', 5_000) }, { node: 'b' }), controller)
    await until('the operation to run', () => events.includes('begin b') || undefined)
    controller.abort(failure('cancelled', 'Enough.'))
    const { fault } = await running
    assert.ok(fault instanceof Fault)
    assert.equal(fault.details.reason, 'cancelled')
  })
  it('a signal that was aborted before the start', async () => {
    const { fault, steps } = await run(planOf({ a: make }, { node: 'a' }), {
      signal: AbortSignal.abort(failure('cancelled', 'Enough.')),
    })
    assert.equal(fault?.details.reason, 'cancelled')
    assert.equal(steps[0]?.status, 'cancelled')
  })
})
