/**
 * Random workflows of nodes that call models, have conditions and run over lists. With any cache content, each place
 * calls at most once, and only if it would without a cache, and only for results that aren't cached. `SEED` selects other
 * workflows.
 */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { systemClock } from '../../src/domain/clock.ts'
import type { StepReuse } from '../../src/engine/cache/ports.ts'
import { createChecker } from '../../src/engine/check/check.ts'
import { outputValues } from '../../src/engine/check/wires.ts'
import { needsOf, valueNeeds } from '../../src/engine/plan/dependencies.ts'
import { type Plan, planExecution } from '../../src/engine/plan/plan.ts'
import type { InvokeModel } from '../../src/engine/run/model-calls.ts'
import { createPixelBudget } from '../../src/engine/run/pixel-budget.ts'
import { runPlan } from '../../src/engine/run/run.ts'
import { memory, modelCatalogue, scriptedModels } from '../../src/engine/test-models.ts'
import { Fault } from '../../src/errors.ts'
import { testProcesses } from '../../src/imaging/raster/test-images.ts'
import { createRandom, type Random } from '../faults/random.ts'

const first = Number(process.env.SEED ?? 1)
const workflows = Number(process.env.WORKFLOWS ?? 100)
const models = scriptedModels('a/rich')
const check = createChecker(modelCatalogue, models)

type Node = { type: string; inputs?: object; params?: Record<string, unknown>; when?: string; each?: number }

/** Undefined for an invalid workflow, such as a list as output. */
function planOf(random: Random): Plan | undefined {
  const nodes: Record<string, Node> = { n0: { type: 'make', params: { tone: 1 + random.below(2) } } }
  const images = ['n0']
  const texts: string[] = []
  const count = 3 + random.below(6)
  for (let i = 1; i <= count; i += 1) {
    const type = random.pick(['make', 'join', 'join', 'paint', 'look', 'look', 'say'])
    const node: Node = { type, params: {} }
    const params: Record<string, unknown> = {}
    if (type === 'join')
      node.inputs = { image: random.pick(images), ...(random.below(3) ? { other: random.pick(images) } : {}) }
    if (type === 'look') node.inputs = { image: random.pick(images) }
    if (type === 'paint') node.inputs = random.below(2) ? { images: [random.pick(images)] } : {}
    if (type === 'join' && texts.length > 0 && random.below(2))
      params.text = `to {{ nodes.${random.pick(texts)}.text }}`
    if ((type === 'paint' || type === 'say') && random.below(2)) params.seed = random.below(2)
    if (type === 'make') params.tone = 1 + random.below(3)
    if (random.below(3) === 0) {
      const whens = [`{{ nodes.n0.tone | minus: 1 }}`, '{{ nodes.n0.tone | minus: 2 }}']
      if (texts.length > 0) whens.push(`{{ nodes.${random.pick(texts)}.text | size | minus: ${5 + random.below(2)} }}`)
      node.when = random.pick(whens)
    }
    if (random.below(10) === 0) node.each = 1 + random.below(2)
    const id = `n${i}`
    nodes[id] = { ...node, params }
    if (type !== 'say') images.push(id)
    if (type === 'look' || type === 'say') texts.push(id)
  }
  const [last = 'n0'] = images.slice(-1)
  nodes.end = { type: 'paint', inputs: { images: [last] }, params: { seed: 1 } }
  const name = texts.length > 0 && random.below(3) === 0 ? { name: `to {{ nodes.${random.pick(texts)}.text }}` } : {}
  const { workflow } = check({ name: 'Any', nodes, output: { node: 'end', format: 'png', ...name } })
  return workflow && planExecution(workflow, {}).plan
}

const keyContext: StepReuse['keyContext'] = {
  fingerprint: 'here',
  identify: async () => undefined,
  fonts: async () => [],
  models(requirements) {
    const { chain } = models.choose(requirements)
    return { chain, ready: models.ready(chain) }
  },
}

/** The places with a model call, sorted; or the error, for example of lists with different lengths. */
async function placesOf(plan: Plan, reuse: StepReuse | undefined, random: Random): Promise<string[] | Fault> {
  const places: string[] = []
  const invokeModel: InvokeModel = async ({ node, item, ordinal }) => {
    places.push(`${node} ${item} ${ordinal}`)
    for (let turns = random.below(4); turns > 0; turns -= 1) await setImmediate()
    return { model: 'a/rich', images: [], text: 'a cat' }
  }
  const { fault, steps } = await runPlan(plan, {
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
    ...(reuse ? { reuse } : {}),
  })
  if (fault) return fault
  assert.equal(new Set(places).size, places.length, 'a place was asked twice')
  const hasRun = new Set(steps.flatMap(({ node, servedFrom }) => (servedFrom ? [] : [node])))
  const values = new Set([...outputValues(plan.workflow), ...plan.steps.flatMap(valueNeeds)])
  for (const node of new Set(places.map((place) => place.split(' ')[0] ?? ''))) {
    if (node === 'end' || values.has(node)) continue
    const readers = plan.steps.filter((step) => needsOf(step).includes(node) && hasRun.has(step.node.id))
    assert.ok(readers.length > 0, `${node} was asked for nothing: ${JSON.stringify(plan.workflow.document.nodes)}`)
  }
  return places.sort()
}

test('each place calls a model at most once, only if it is needed, and never for a cached result', async (t) => {
  let looked = 0
  let saved = 0
  for (let seed = first; looked < workflows; seed += 1) {
    const random = createRandom(seed)
    const plan = planOf(random)
    if (plan === undefined) continue
    const { nodes } = plan.workflow.document
    const where = `SEED=${seed} ${JSON.stringify(nodes)}`
    const simple = await placesOf(plan, undefined, random)
    if (simple instanceof Fault) continue
    looked += 1
    const again = async (reuse: StepReuse) => {
      const places = await placesOf(plan, reuse, random)
      if (places instanceof Fault) throw new Error(where, { cause: places })
      return places
    }
    const result = await again({ keyContext })
    const store = memory()
    const cold = await again({ keyContext, cache: store.cache })
    const warm = await again({ keyContext, cache: store.cache })
    // With as little as one result, so that predictions have gaps.
    const left = random.pick([0, 1, store.results.size >> 1])
    while (store.results.size > left) store.results.delete(random.pick([...store.results.keys()]))
    const half = await again({ keyContext, cache: store.cache })
    const unneeded = [result, cold, warm, half].flat().filter((place) => !simple.includes(place))
    assert.deepEqual(unneeded, [], where)
    const hasDice = plan.steps.some(({ node: { operation, params } }) => {
      return ['paint', 'say'].includes(operation.id) && params.values.seed === undefined
    })
    if (!hasDice) assert.deepEqual(warm, [], where)
    saved += simple.length - warm.length
  }
  t.diagnostic(`${saved} calls were saved`)
  assert.ok(saved > 0)
})
