import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { describe, it } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import Type from 'typebox'
import { until } from '../../../test/harness/wait.ts'
import { systemClock } from '../../domain/clock.ts'
import { testProcesses } from '../../imaging/raster/test-images.ts'
import { defineOperation, type OperationContext, socket } from '../../operations/define.ts'
import { closed, common, gray, loading, plannerOf } from '../test-catalogue.ts'
import { createPixelBudget } from './pixel-budget.ts'
import { runPlan } from './run.ts'
import { createStepStates, enter, type State, type StepState, transitions } from './step-state.ts'

const states = Object.keys(transitions) as State[]

describe('the states of a step', () => {
  it('have the transitions of the table in the README', () => {
    const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8')
    const [, section = ''] = readme.split('## The states of a step\n')
    const rows = section.split('\n## ')[0]?.match(/^\| `.*$/gm) ?? []
    const table = rows.map((row) => {
      const [state = '', , next = ''] = row.split('|').slice(1)
      return [state.replaceAll(/[`\s]/g, ''), next.match(/\w+/g) ?? []]
    })
    assert.deepEqual(Object.fromEntries(table), transitions)
    assert.equal(table.length, states.length)
  })

  it('can all be reached from the first state', () => {
    const reached = new Set<State>(['idle'])
    for (const state of reached) for (const next of transitions[state]) reached.add(next)
    assert.deepEqual([...reached].sort(), [...states].sort())
  })

  it('reject every transition that is not in the table', () => {
    const planned = plan({ nodes: { a: { type: 'make' } }, output: { node: 'a', format: 'png' } })
    for (const from of states) {
      for (const to of states) {
        const [step] = createStepStates(planned).values()
        const state = { ...(step as StepState), state: from }
        if ((transitions[from] as readonly State[]).includes(to)) enter(state, to)
        else assert.throws(() => enter(state, to), new RegExp(`Step a cannot go from ${from} to ${to}\\.`))
      }
    }
  })
})

let runs = 0
/** The pixels that `make` made. */
let pixelsRef = new WeakRef<object>({})

const make = defineOperation({
  ...common,
  id: 'make',
  group: 'source',
  inputs: {},
  params: Type.Object({}, closed),
  outputs: { image: 'I.' },
  async run() {
    const image = gray(0)
    pixelsRef = new WeakRef(image.pixels?.data as Buffer)
    return { image }
  },
})
const load = loading(() => {
  runs += 1
})
const join = defineOperation({
  ...common,
  id: 'join',
  group: 'combine',
  inputs: { images: socket.many('A.') },
  params: Type.Object({ waits: Type.Boolean({ default: false }), text: Type.Optional(Type.String()) }, closed),
  outputs: { image: 'I.' },
  async run(_, { waits }) {
    if (waits) await until('the pixels of the first step are collected', () => isCollected(pixelsRef))
    return { image: gray(0) }
  },
})

const plan = plannerOf([make, load, join])

function run(nodes: object, output: object, open: OperationContext['open'] = async () => ({ bytes: Buffer.alloc(1) })) {
  return runPlan(plan({ nodes, output }), {
    processes: testProcesses,
    signal: new AbortController().signal,
    timeoutSeconds: 60,
    pixelsMax: 1e6,
    pixels: createPixelBudget(1e6, 1e7),
    open,
    encode: async () => ({ bytes: Buffer.alloc(1), format: 'png', width: 4, height: 2 }),
    reuse: {
      keyContext: {
        fingerprint: 'here',
        async identify() {
          await setImmediate()
          return undefined
        },
        fonts: async () => undefined,
      },
    },
    clock: systemClock,
    onProgress: () => undefined,
  })
}

async function isCollected(reference: WeakRef<object>): Promise<true | undefined> {
  setFlagsFromString('--expose-gc')
  await setImmediate()
  runInNewContext('gc')()
  return reference.deref() === undefined || undefined
}

describe('a result', () => {
  it('is garbage collected after its last reader, while the run continues', async () => {
    const nodes = {
      a: { type: 'make' },
      b: { type: 'join', inputs: { images: ['a'] } },
      c: { type: 'join', inputs: { images: ['b'] }, params: { waits: true } },
    }
    const { fault } = await run(nodes, { node: 'c', format: 'png' })
    assert.equal(fault, undefined)
  })

  it('is made once, even if all its readers ended before it would have started ahead of need', async () => {
    runs = 0
    const nodes = {
      a: { type: 'load', params: { source: 'http://x' } },
      b: { type: 'join', inputs: { images: ['a'] }, params: { text: '{{ nodes.a.width }}' }, when: false },
      c: { type: 'join', inputs: { images: ['b', 'b'] }, when: false },
      d: { type: 'load', params: { source: 'http://y' }, each: 3 },
      e: { type: 'join', inputs: { images: ['b', 'c', 'd'] } },
    }
    const { fault } = await run(nodes, { node: 'e', format: 'png', name: 'x{{ nodes.c.width }}' })
    assert.equal(fault, undefined)
    assert.equal(runs, 4)
  })
})
