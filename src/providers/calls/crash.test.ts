/**
 * The process dies at every point in turn: before and after each thing that the runner asks of its store, its files and
 * its provider. A new one continues with the same records. In every case the provider was called once.
 */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { plain } from '../../../test/harness/pictures.ts'
import type { CallOwner, ModelResponse } from '../../domain/models/model.ts'
import { Fault } from '../../errors.ts'
import type { Provider } from '../define.ts'
import { openSetup, running, scripted, site, withoutPauses, write } from './test-calls.ts'

/** Counts the calls before the process dies. The call at which it dies never returns. */
function createDeath(at: number) {
  let calls = 0
  const died = Promise.withResolvers<void>()
  const never = new Promise<never>(() => {})
  const step = (): boolean => {
    calls += 1
    if (calls < at) return true
    died.resolve()
    return false
  }
  return {
    died: died.promise,
    /** Dies before the work, or after it and before anybody learns of it. */
    async around<Value>(work: () => Promise<Value>): Promise<Value> {
      if (!step()) return never
      const value = await work()
      return step() ? value : never
    },
  }
}

type Death = ReturnType<typeof createDeath>

function mortal<Port extends object>(port: Port, death: Death): Port {
  return new Proxy(port, {
    get(target, name) {
      const value = Reflect.get(target, name)
      if (typeof value !== 'function') return value
      return (...all: unknown[]) => death.around(async () => value.apply(target, all))
    },
  })
}

function mortalProvider(provider: Provider, death: Death): Provider {
  const { start, poll, find } = provider
  return {
    ...provider,
    start: (...all) => death.around(() => start(...all)),
    ...(poll && { poll: (...all: Parameters<typeof poll>) => death.around(() => poll(...all)) }),
    ...(find && { find: (...all: Parameters<typeof find>) => death.around(() => find(...all)) }),
  }
}

interface Scenario {
  kind: 'queued' | 'found' | 'synchronous'
  /** Whether the outcome is always known, because the provider can look it up. */
  isCertain: boolean
}

const stories: Scenario[] = [
  { kind: 'synchronous', isCertain: false },
  { kind: 'queued', isCertain: false },
  { kind: 'found', isCertain: true },
]

for (const { kind, isCertain } of stories) {
  test(`a ${kind} call is paid once, wherever the process is killed`, async (t) => {
    withoutPauses(t)
    const setup = await openSetup(t)
    const png = await plain('png')
    const done = { done: { images: [png] } }
    let deaths = 0
    let responses = 0
    for (let at = 1; ; at++) {
      const jobs = new Set<string>()
      const handle = (id: string) => ({ handle: { id }, waitMs: 0 })
      const { provider, log } = scripted('one', {
        start(call) {
          jobs.add(call.id)
          return kind === 'synchronous' ? done : handle(call.id)
        },
        ...(kind !== 'synchronous' && { poll: (n: number) => (n === 1 ? { pending: { waitMs: 0 } } : done) }),
        ...(kind === 'found' && { find: (call: { id: string }) => (jobs.has(call.id) ? handle(call.id) : undefined) }),
      })
      const death = createDeath(at)
      const owner = await setup.begin()
      const dying = await setup.modelClient([mortalProvider(provider, death)], {
        calls: (calls) => mortal(calls, death),
      })
      const invocation = write({ capability: 'generate', model: 'one/model' })
      const first = dying.invoke(owner, site, invocation, running().run).then(
        () => 'survived' as const,
        (error) => Promise.reject(error),
      )
      const end = await Promise.race([first, death.died.then(() => 'died' as const)])
      assert.ok(log.starts.length <= 1)
      if (end === 'survived') {
        assert.ok(at > 8, `it asks for ${at} things`)
        break
      }
      deaths += 1
      const result = await outcome(setup, provider, owner)
      if (isCertain || result === 'response') assert.equal(result, 'response', `after death ${at}`)
      else assert.equal(result, 'outcome_unknown')
      if (result === 'response') responses += 1
      assert.equal(log.starts.length + (result === 'outcome_unknown' && log.starts.length === 0 ? 1 : 0), 1)
      const calls = await setup.stores.providerCalls.at([owner.executionId], site)
      assert.ok(calls.every(({ state }) => state !== 'submitting' && state !== 'accepted'))
    }
    assert.ok(responses > 0 && responses <= deaths)
    assert.equal(isCertain, responses === deaths)
  })
}

/** Outcome of a second process on the same records. */
async function outcome(
  setup: Awaited<ReturnType<typeof openSetup>>,
  provider: Provider,
  { executionId }: CallOwner,
): Promise<string> {
  const modelClient = await setup.modelClient([provider])
  const invocation = write({ capability: 'generate', model: 'one/model' })
  const response: ModelResponse | Fault = await modelClient
    .invoke(await setup.attempt(executionId), site, invocation, running().run)
    .catch((error) => {
      assert.ok(error instanceof Fault, `${error}`)
      return error
    })
  if (response instanceof Fault) return String(response.details.problem)
  assert.equal(response.images.length, 1)
  return 'response'
}
