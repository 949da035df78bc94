/** Faults between an adapter and its provider, and the expected results. */
import assert from 'node:assert/strict'
import type { TestContext } from 'node:test'
import sharp from 'sharp'
import type { Fake, FakeOptions, Logged } from '../../fakes/src/fake.ts'
import type { Fault } from '../../fakes/src/faults.ts'
import { startFake } from '../../fakes/src/index.ts'
import type { Call, ProblemKind } from '../../src/providers/define.ts'
import { until as poll } from '../harness/wait.ts'
import {
  callOf,
  callProvider,
  contextOf,
  during,
  ProviderCallError,
  responseBytesMax,
  type Subject,
} from './providers-ask.ts'

interface Trial {
  subject: Subject
  fake: Fake
  call: Call
  t: TestContext
}

export interface FaultTest {
  name: string
  isFor(subject: Subject): boolean
  options?: FakeOptions
  run(trial: Trial): Promise<void>
}

/** The paid request. */
export function submits({ provider }: Subject): NonNullable<Fault['when']> {
  return provider.id === 'comfyui' ? { path: /^\/prompt$/ } : { method: 'POST' }
}

export function submitted({ log }: Fake, { provider }: Subject): Logged[] {
  const isPaid = (path: string) => (provider.id === 'comfyui' ? path === '/prompt' : !path.endsWith('/cancel'))
  return log.filter(({ method, path }) => method === 'POST' && isPaid(path))
}

/** A request for the state of a job. */
export const polls = { method: 'GET', path: /\/status$|\/v1\/predictions\/|get_result|\/history\/|\/results?\// }

export function isQueued({ provider, row }: Subject): boolean {
  return provider.poll !== undefined && (provider.id !== 'stability' || row.name === 'upscale-creative')
}

function returnsImage({ capability }: Subject): boolean {
  return capability !== 'write' && capability !== 'describe'
}

/** The source of the image: a file, the result, or the response itself. */
export function results(subject: Subject): NonNullable<Fault['when']> {
  if (!isQueued(subject)) return submits(subject)
  return { method: 'GET', path: subject.provider.id === 'stability' ? polls.path : /^\/files\/|^\/view$/ }
}

async function errorOf(
  { subject, fake, call }: Trial,
  options: { key?: string; signal?: AbortSignal } = {},
): Promise<ProviderCallError> {
  const error = await callProvider(subject, call, contextOf(subject.provider, fake, options)).then(
    () => undefined,
    (reason: unknown) => reason,
  )
  if (error instanceof ProviderCallError) return error
  throw new Error('it must fail as a provider does', { cause: error })
}

interface Expected {
  kind: ProblemKind | ProblemKind[]
  next?: ProviderCallError['classified']['next']
  /** The number of paid requests, and the number of jobs that the provider bills. */
  sent: number
  billed?: number
}

async function assertFailsWith(trial: Trial, expected: Expected): Promise<ProviderCallError> {
  const problem = await errorOf(trial)
  const { kind, next, message } = problem.classified
  const kinds = [expected.kind].flat()
  assert.ok(kinds.includes(kind), `${kind} is ${kinds.join(' or ')}: ${message}`)
  if (expected.next) assert.equal(next, expected.next)
  assert.equal(submitted(trial.fake, trial.subject).length, expected.sent, 'it is sent so often')
  if (expected.billed !== undefined) assert.equal(trial.fake.billed().length, expected.billed, 'it is paid so often')
  assert.ok(message.length <= 1000)
  return problem
}

const always = () => true
const hasKey = ({ provider }: Subject) => provider.id !== 'comfyui'
const isModerating = ({ provider, capability }: Subject) =>
  !['comfyui', 'removebg'].includes(provider.id) &&
  (capability === 'generate' || capability === 'edit' || capability === 'write')

export const faults: FaultTest[] = [
  {
    name: 'reports a rejected key without repeating it, and nothing is billed',
    isFor: hasKey,
    async run(trial) {
      const key = 'sk-wrong-0123456789abcdef'
      const { classified } = await errorOf(trial, { key })
      assert.equal(classified.kind, 'auth')
      assert.equal(classified.next, 'fall_back')
      assert.ok(!JSON.stringify(classified).includes(key.slice(3)))
      assert.equal(trial.fake.billed().length, 0)
    },
  },
  {
    name: 'reports too many requests with the wait, after one request',
    isFor: always,
    async run(trial) {
      trial.fake.script({ when: submits(trial.subject), do: 'status', status: 429, headers: { 'retry-after': '7' } })
      const { classified } = await assertFailsWith(trial, { kind: 'rate_limited', next: 'retry', sent: 1, billed: 0 })
      assert.equal(classified.facts.retryAfterMs, 7000)
    },
  },
  {
    name: 'reports used-up credit',
    // Gemini returns the same for the quota per minute, and Bedrock for that of throughput.
    isFor: ({ provider }) => !['comfyui', 'google', 'bedrock'].includes(provider.id),
    async run(trial) {
      trial.fake.script({ when: submits(trial.subject), do: 'quota' })
      await assertFailsWith(trial, { kind: 'quota', next: 'fall_back', sent: 1, billed: 0 })
    },
  },
  {
    name: 'an overloaded provider can be called again',
    isFor: always,
    async run(trial) {
      trial.fake.script({ when: submits(trial.subject), do: 'status', status: 503 })
      await assertFailsWith(trial, { kind: 'down', next: 'retry', sent: 1, billed: 0 })
    },
  },
  {
    name: 'a refused connection: nothing was sent, and the call can be repeated',
    isFor: always,
    async run(trial) {
      await trial.fake.close()
      await assertFailsWith(trial, { kind: 'down', next: 'retry', sent: 0 })
    },
  },
  ...([500, 502, 504] as const).map(
    (status): FaultTest => ({
      name: `${status} to a paid request leaves its outcome unknown, and it is not sent again`,
      isFor: status === 500 ? always : ({ capability }) => capability === 'generate',
      async run(trial) {
        trial.fake.script({ when: submits(trial.subject), do: 'status', status, at: 'after' })
        await assertFailsWith(trial, { kind: 'outcome_unknown', next: 'unknown', sent: 1, billed: 1 })
      },
    }),
  ),
  ...(['unread', 'before', 'after', 'middle'] as const).map(
    (at): FaultTest => ({
      name: `a reset connection (${at}) leaves the outcome unknown, and the request is not repeated`,
      isFor: always,
      async run(trial) {
        trial.fake.script({ when: submits(trial.subject), do: 'reset', at, times: 2 })
        const billed = at === 'after' || at === 'middle' ? 1 : 0
        await assertFailsWith(trial, {
          kind: 'outcome_unknown',
          next: 'unknown',
          sent: at === 'unread' ? 0 : 1,
          billed,
        })
      },
    }),
  ),
  {
    name: 'a truncated response leaves the outcome unknown',
    isFor: always,
    async run(trial) {
      trial.fake.script({ when: submits(trial.subject), do: 'truncate' })
      await assertFailsWith(trial, { kind: ['outcome_unknown', 'bad_output'], sent: 1, billed: 1 })
    },
  },
  {
    name: 'an HTML page instead of a response leaves the outcome unknown, and the request is not repeated',
    isFor: always,
    async run(trial) {
      trial.fake.script({ when: submits(trial.subject), do: 'html' })
      const { classified } = await assertFailsWith(trial, { kind: ['outcome_unknown', 'bad_output'], sent: 1 })
      assert.notEqual(classified.next, 'retry')
      assert.notEqual(classified.facts.billed ?? 'no', 'no')
    },
  },
  {
    name: 'does not follow a redirect with the key',
    isFor: always,
    async run(trial) {
      const other = await startFake('openai')
      trial.t.after(() => other.close())
      trial.fake.script({ when: submits(trial.subject), do: 'redirect', status: 307, to: `${other.url}/v1/steal` })
      await errorOf(trial)
      assert.deepEqual(other.log, [])
      assert.equal(submitted(trial.fake, trial.subject).length, 1)
    },
  },
  {
    name: 'a silent provider is left immediately when the signal aborts',
    isFor: always,
    async run({ subject, fake, call }) {
      fake.script({ when: submits(subject), do: 'hang' })
      const controller = new AbortController()
      const reason = new Error('the deadline of the test')
      const result = callProvider(subject, call, contextOf(subject.provider, fake, { signal: controller.signal }))
      const settled = result.then(
        () => undefined,
        (error: unknown) => error,
      )
      await until(() => submitted(fake, subject).length === 1)
      controller.abort(reason)
      assert.equal(await settled, reason)
    },
  },
  {
    name: 'reports declined content as refused, and calls no other model',
    isFor: isModerating,
    async run(trial) {
      trial.fake.script({ when: submits(trial.subject), do: 'moderated' })
      await assertFailsWith(trial, { kind: 'refused', next: 'fail', sent: 1 })
    },
  },
  {
    name: 'reports a response without a result',
    isFor: always,
    async run(trial) {
      trial.fake.script({ when: submits(trial.subject), do: 'empty' })
      const { classified } = await assertFailsWith(trial, {
        kind: ['no_output', 'bad_output', 'outcome_unknown'],
        sent: 1,
      })
      assert.notEqual(classified.next, 'retry')
    },
  },
  ...(['corrupt', 'bomb', 'no-image'] as const).map(
    (spoilt): FaultTest => ({
      name: `rejects bytes that are not an image (${spoilt}), and pays once`,
      isFor: returnsImage,
      async run({ subject, fake, call }) {
        fake.script({ when: results(subject), do: spoilt, times: 9 })
        const result = await callProvider(subject, call, contextOf(subject.provider, fake)).catch((error: unknown) => {
          assert.ok(error instanceof ProviderCallError && error.classified.kind !== 'refused', String(error))
        })
        for (const file of result?.files ?? [])
          await assert.rejects(
            sharp(file, { failOn: 'warning', limitInputPixels: 1e8 }).raw().toBuffer(),
            'it decodes: nothing was spoilt',
          )
        assert.equal(fake.billed().length, 1)
      },
    }),
  ),
  {
    name: 'stops reading an endless response at the size limit',
    isFor: always,
    async run(trial) {
      trial.fake.script({ when: results(trial.subject), do: 'huge', times: 9 })
      if (isQueued(trial.subject) && !returnsImage(trial.subject))
        trial.fake.script({ when: polls, do: 'huge', times: 9 })
      await assertFailsWith(trial, { kind: 'bad_output', sent: 1, billed: 1 })
      const sent = trial.fake.log.reduce((most, { sentBytes = 0 }) => Math.max(most, sentBytes), 0)
      assert.ok(sent > 0)
      // Bytes in buffers of the system count as sent.
      assert.ok(sent < 8 * responseBytesMax, `${sent} bytes were taken`)
    },
  },
  {
    name: 'repeats a failed poll, and does not start the job again',
    isFor: isQueued,
    async run({ subject, fake, call }) {
      fake.script([
        { when: polls, do: 'status', status: 502, times: 2 },
        { when: polls, do: 'reset' },
        { when: polls, do: 'status', status: 429, headers: { 'retry-after': '1' } },
      ])
      await callProvider(subject, call, contextOf(subject.provider, fake))
      assert.equal(submitted(fake, subject).length, 1)
      assert.equal(fake.billed().length, 1)
    },
  },
  {
    name: 'fetches a missing file again, and does not generate it again',
    isFor: (subject) => isQueued(subject) && returnsImage(subject) && subject.provider.id !== 'stability',
    async run({ subject, fake, call }) {
      fake.script({ when: results(subject), do: 'status', status: 502 })
      const { files } = await callProvider(subject, call, contextOf(subject.provider, fake))
      assert.equal(files.length, 1)
      assert.equal(fake.billed().length, 1)
    },
  },
  {
    name: 'reports a job that the provider no longer has as expired',
    isFor: isQueued,
    async run(trial) {
      trial.fake.script({ when: polls, do: 'expired', times: 9 })
      await assertFailsWith(trial, { kind: 'expired', next: 'fall_back', sent: 1 })
    },
  },
  {
    name: 'reports a file that the provider no longer has as expired',
    isFor: (subject) => isQueued(subject) && returnsImage(subject) && subject.provider.id !== 'stability',
    async run(trial) {
      trial.fake.script({ when: results(trial.subject), do: 'expired', times: 9 })
      await assertFailsWith(trial, { kind: 'expired', next: 'fall_back', sent: 1 })
    },
  },
  {
    name: 'reports a failed job, and does not start it again',
    isFor: ({ provider, ...rest }) => isQueued({ provider, ...rest }) && provider.id !== 'stability',
    async run(trial) {
      trial.fake.script({ when: submits(trial.subject), do: 'failed' })
      const { classified } = await assertFailsWith(trial, { kind: ['no_output', 'bad_output', 'down'], sent: 1 })
      assert.notEqual(classified.next, 'retry')
    },
  },
  {
    name: 'cancels a cancelled job at the provider',
    isFor: ({ provider }) => provider.cancel !== undefined,
    async run({ subject, fake, call }) {
      fake.script({ when: submits(subject), do: 'stuck' })
      const context = contextOf(subject.provider, fake)
      const started = await during('submit', context, () => subject.provider.start(call, context))
      assert.ok('handle' in started)
      assert.equal(fake.billed().length, 1)
      await subject.provider.cancel?.(JSON.parse(JSON.stringify(started.handle)), context)
      assert.equal(fake.billed().length, 0, 'what has not run is not paid')
      assert.ok((fake.log.at(-1)?.status ?? 0) < 300)
      // Cancelling again after a crash has no effect.
      await subject.provider.cancel?.(JSON.parse(JSON.stringify(started.handle)), context)
    },
  },
  {
    name: 'finds a call with an unknown outcome, or knows that it never arrived',
    isFor: ({ provider }) => provider.find !== undefined,
    async run({ subject, fake, call }) {
      const context = contextOf(subject.provider, fake)
      assert.equal(await subject.provider.find?.(call, context), undefined)
      fake.script({ when: submits(subject), do: 'reset', at: 'after' })
      await errorOf({ subject, fake, call } as Trial)
      const found = await subject.provider.find?.(call, context)
      assert.ok(found && 'handle' in found)
      assert.equal(await subject.provider.find?.(await callOf(subject), context), undefined)
      assert.equal(fake.billed().length, 1)
    },
  },
  {
    name: 'fetches a file of another origin without the key',
    isFor: (subject) =>
      isQueued(subject) && returnsImage(subject) && !['comfyui', 'stability'].includes(subject.provider.id),
    options: { filesElsewhere: true, key: 'the-secret-key-of-the-test' },
    async run({ subject, fake, call }) {
      const { files } = await callProvider(subject, call, contextOf(subject.provider, fake))
      assert.equal(files.length, 1)
      const fetched = fake.log.filter(({ isFile }) => isFile)
      assert.ok(fetched.length > 0)
      for (const { headers } of fetched) assert.ok(!JSON.stringify(headers).includes(fake.key), JSON.stringify(headers))
    },
  },
]

export async function until(isSo: () => boolean): Promise<void> {
  await poll('the provider to get there', () => isSo() || undefined)
}
