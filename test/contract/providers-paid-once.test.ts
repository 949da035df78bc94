/** Every provider with providers/calls, real records and files: after any fault, a call is paid once. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Fake, FakeOptions } from '../../fakes/src/fake.ts'
import type { Fault as Scripted } from '../../fakes/src/faults.ts'
import { startFake } from '../../fakes/src/index.ts'
import { systemClock } from '../../src/domain/clock.ts'
import type { AbortReason, ModelInvocation, ModelResponse } from '../../src/domain/models/model.ts'
import { Fault } from '../../src/errors.ts'
import { inspect } from '../../src/imaging/raster/read/inspect.ts'
import { testProcesses } from '../../src/imaging/raster/test-images.ts'
import type { CallDependencies } from '../../src/providers/calls/context.ts'
import { createModelClient } from '../../src/providers/calls/model-client.ts'
import { openSetup, running, type Setup, site } from '../../src/providers/calls/test-calls.ts'
import { buildModelTable } from '../../src/providers/catalog/table.ts'
import type { Provider, Started } from '../../src/providers/define.ts'
import { providersById } from '../../src/providers/index.ts'
import { isFull } from '../harness/repetitions.ts'
import { callOf, contextOf, type Subject, subjectsOf } from './providers-ask.ts'
import { isQueued, polls, results, submits, submitted, until } from './providers-faults.ts'

const textCapabilities = new Set(['describe', 'write', 'judge'])

const unknownOutcomes: readonly Scripted[] = [
  { do: 'status', status: 500, at: 'after' },
  { do: 'reset', at: 'after' },
  { do: 'truncate' },
]

const providers = [...providersById.values()]
// By default one that looks calls up, and one that polls jobs.
const tried = isFull ? providers : providers.filter(({ id }) => ['fal', 'openai'].includes(id))

for (const provider of tried) {
  const subject = (await subjectsOf(provider)).find(({ capability }) => !textCapabilities.has(capability))
  if (subject === undefined) continue
  // A call that may have been sent is not lost if the provider can look it up.
  const canBeLookedUp = provider.find !== undefined

  test(`${provider.id}: paid once`, { concurrency: 4 }, async (t) => {
    const trial = (name: string, run: (opened: Trial) => Promise<void>, options?: FakeOptions) =>
      t.test(name, async (t) => run(await openTrial(t, subject, options)))

    await Promise.all([
      trial('what was answered is there for the next attempt', async ({ invoke, fake }) => {
        const first = await invoke()
        const second = await invoke()
        assert.equal(first.images.length, 1)
        assert.deepEqual(second, first)
        assert.equal(submitted(fake, subject).length, 1)
        assert.equal(fake.billed().length, 1)
      }),

      trial('a provider that had no time is asked once more', async ({ invoke, fake }) => {
        fake.script({ when: submits(subject), do: 'status', status: 503, headers: { 'retry-after': '0' } })
        await invoke()
        assert.equal(submitted(fake, subject).length, 2)
        assert.equal(fake.billed().length, 1)
      }),

      ...unknownOutcomes.map((fault) =>
        trial(`${fault.do} after it was carried out, and another attempt: sent once`, async ({ invoke, fake }) => {
          fake.script({ ...fault, when: submits(subject) })
          for (const _ of [1, 2]) {
            if (canBeLookedUp) await invoke()
            else {
              const { reason, problem, billed } = (await failureOf(invoke())).details
              assert.deepEqual([reason, problem, billed], ['provider_unavailable', 'outcome_unknown', 'unknown'])
            }
          }
          assert.equal(submitted(fake, subject).length, 1)
          assert.equal(fake.billed().length, 1)
        }),
      ),

      trial(
        'a picture that is damaged is bad output, and is not made again by the same model',
        async ({ invoke, fake }) => {
          fake.script({ when: results(subject), do: 'corrupt', times: 99 })
          for (const _ of [1, 2]) assert.equal((await failureOf(invoke())).details.problem, 'bad_output')
          assert.equal(submitted(fake, subject).length, 1)
          assert.equal(fake.billed().length, 1)
        },
      ),

      ...(isQueued(subject)
        ? [
            trial(
              'a job goes on in another process: it is polled, not begun again',
              async ({ invoke, fake, restart }) => {
                const first = invoke()
                first.catch(() => undefined)
                await until(() => fake.log.some(({ method, path }) => method === 'GET' && polls.path.test(path)))
                await restart()
                const response = await invoke()
                assert.equal(response.images.length, 1)
                assert.equal(submitted(fake, subject).length, 1)
                assert.equal(fake.billed().length, 1)
              },
              { pollsMin: 12 },
            ),
          ]
        : []),

      ...(provider.cancel
        ? [
            trial(
              'what is given up is given up at the provider',
              async ({ invoke, fake, cancel, setup, execution }) => {
                fake.script({ when: submits(subject), do: 'stuck' })
                const invocation = invoke('cancelled')
                const settled = invocation.catch((error: unknown) => error)
                await until(() => fake.log.some(({ method, path }) => method === 'GET' && polls.path.test(path)))
                cancel()
                await settled
                const [call] = await setup.stores.providerCalls.at([execution], site)
                assert.equal(call?.state, 'cancelled')
                assert.ok(fake.log.some(({ path }) => /\/cancel$|\/interrupt$|\/queue$/.test(path)))
                assert.equal(submitted(fake, subject).length, 1)
              },
            ),
          ]
        : []),
    ])
  })
}

interface Trial {
  setup: Setup
  execution: string
  fake: Fake
  /** Another attempt of the same execution in the same process. */
  invoke(ending?: AbortReason): Promise<ModelResponse>
  cancel(): void
  /** Simulates the death of the process: the next attempt is in a new one. */
  restart(): Promise<void>
}

async function openTrial(t: Parameters<typeof openSetup>[0], subject: Subject, options?: FakeOptions): Promise<Trial> {
  const fake = await startFake(subject.provider.id, options)
  t.after(() => fake.close())
  const setup = await openSetup(t)
  const call = await callOf(subject)
  const { executionId } = await setup.begin()
  let modelClient = await modelClientOf(setup, subject.provider, fake)
  let stop: () => void = () => undefined
  const invocation: ModelInvocation = {
    capability: subject.capability,
    model: `${subject.provider.id}/${subject.row.name}`,
    requirements: [],
    onUnknownOutcome: 'fail',
    request: async () => call.request,
  }
  t.after(() => modelClient.close(0))
  return {
    setup,
    execution: executionId,
    fake,
    async invoke(ending) {
      const { run, controller } = running(ending)
      stop = () => controller.abort(new Fault('internal_error', 'given up'))
      return modelClient.invoke(await setup.attempt(executionId), site, invocation, run)
    },
    cancel: () => stop(),
    async restart() {
      // The attempt has ended as well.
      stop()
      await modelClient.close(0)
      modelClient = await modelClientOf(setup, subject.provider, fake)
    },
  }
}

async function modelClientOf({ stores, blobs }: Setup, provider: Provider, fake: Fake) {
  const { settings, baseUrl, http } = contextOf(provider, fake)
  const configs = { [provider.id]: { settings, baseUrl } }
  const dependencies: CallDependencies = {
    models: await buildModelTable({ providers: [provider], configs, defaults: {}, file: undefined, local: () => [] }),
    providers: new Map([[provider.id, withoutDelays(provider)]]),
    configs,
    calls: stores.providerCalls,
    blobs,
    executions: stores.executions,
    inspect: (file, signal) => inspect(file, { processes: testProcesses, pixelsMax: 20_000_000, signal }),
    http: () => http,
    clock: systemClock,
    budgets: async () => ({ executionMicros: null, accountMonthMicros: null }),
    onError: (error) => assert.fail(error),
    othersFinishMs: 0,
  }
  return createModelClient(dependencies, dependencies)
}

/** Errors that allow an immediate retry. */
function withoutDelays(provider: Provider): Provider {
  const { start, poll } = provider
  const withoutDelay = (started: Started): Started => ('done' in started ? started : { ...started, waitMs: 1 })
  return {
    ...provider,
    start: async (...all) => withoutDelay(await start(...all)),
    ...(poll && {
      async poll(...all: Parameters<typeof poll>) {
        const polled = await poll(...all)
        return 'done' in polled ? polled : { pending: { ...polled.pending, waitMs: 1 } }
      },
    }),
  }
}

async function failureOf(response: Promise<unknown>): Promise<Fault> {
  const error = await response.then(
    () => undefined,
    (reason: unknown) => reason,
  )
  assert.ok(error instanceof Fault, `it fails as an execution does: ${error}`)
  return error
}
