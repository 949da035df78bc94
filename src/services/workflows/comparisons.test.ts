import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { createPixelBudget } from '../../engine/run/pixel-budget.ts'
import { Fault } from '../../errors.ts'
import { createComparisonSlots } from './comparison-slots.ts'
import { createComparisons } from './comparisons.ts'

const [examples, before] = [['one', 'two', 'three'], ['before']]

const workflowOf = (document: object) => ({ document, parameters: [], warnings: [] })

/** Comparisons of three examples, whose dry runs end when the test lets them. Only the new version renders for long. */
function setup(options: { waitingMax?: number; seconds?: number } = {}) {
  const rendering: { account: string; end(): void }[] = []
  const comparisons = createComparisons({
    workflows: {
      find: async () => ({ id: 'wf_1', version: 1 }),
      findVersion: async () => ({ document: { examples: before.map((name) => ({ name })) } }),
    },
    documents: {
      require: async (_: string, document: object) => ({ workflow: workflowOf(document) }),
      checkVersion: async ({ document }: { document: object }) => ({ workflow: workflowOf(document) }),
    },
    dryRuns: {
      async render(_: object, __: object, { account }: { account: string }) {
        const { promise, resolve } = Promise.withResolvers<void>()
        rendering.push({ account, end: resolve })
        await promise
        throw new Fault('invalid_request', 'Nothing is drawn here.')
      },
    },
    sources: {},
    fonts: {},
    brands: { usedBy: async () => ({ values: undefined, issues: [] }), warningsOf: async () => [] },
    compare: () => assert.fail('there is nothing to compare'),
    pixels: createPixelBudget(1e6, 1e6),
    slots: createComparisonSlots({
      runningMax: 2,
      waitingMax: options.waitingMax ?? 5,
      seconds: options.seconds ?? 60,
    }),
    secondsEach: 60,
  } as unknown as Parameters<typeof createComparisons>[0])
  const start = (account: string, signal = new AbortController().signal) =>
    comparisons.preview(account, 'wf_1', { examples: examples.map((name) => ({ name })) }, { signal })
  /** Ends what an account renders now, and waits until the next dry runs have started. */
  const end = async (account: string) => {
    for (const execution of rendering.filter((candidate) => candidate.account === account)) {
      rendering.splice(rendering.indexOf(execution), 1)
      execution.end()
    }
    await setImmediate()
  }
  return { start, end, accounts: () => rendering.map(({ account }) => account) }
}

async function run(comparisons: ReturnType<typeof setup>, account: string, times: number): Promise<void> {
  for (let time = 0; time < times; time += 1) await comparisons.end(account)
}

test('two accounts with long comparisons do not block a third: slots change after each example', async () => {
  const all = setup()
  const results = ['a', 'b', 'c'].map((account) => all.start(account))
  await setImmediate()
  assert.deepEqual(all.accounts(), ['a', 'b'])
  // Both sides of one example.
  await run(all, 'a', 2)
  assert.deepEqual(all.accounts().sort(), ['b', 'c'])
  await run(all, 'c', 2)
  assert.deepEqual(all.accounts().sort(), ['a', 'b'])
  for (const account of ['a', 'b', 'c', 'a', 'b', 'c', 'a', 'b', 'c']) await run(all, account, 2)
  for (const { examples: compared } of await Promise.all(results)) assert.equal(compared.length, 3)
})

test('an account never has both slots, and a comparison above the queue limit is rejected', async () => {
  const all = setup({ waitingMax: 1 })
  const results = ['a', 'b', 'c'].map((account) => all.start(account))
  await setImmediate()
  const refused = (error: unknown) => error instanceof Fault && error.code === 'unavailable'
  await assert.rejects(all.start('a'), refused)
  await assert.rejects(all.start('d'), refused)
  for (let time = 0; time < 10; time += 1) for (const account of ['a', 'b', 'c']) await all.end(account)
  await Promise.all(results)
})

test('a comparison that waits too long ends as unavailable', async () => {
  const all = setup({ seconds: 0.01 })
  const running = ['a', 'b'].map((account) => all.start(account))
  await setImmediate()
  await assert.rejects(all.start('c'), /waited for more than 1 s/)
  for (let time = 0; time < 6; time += 1) for (const account of ['a', 'b']) await all.end(account)
  await Promise.all(running)
})
