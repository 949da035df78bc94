import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createEviction } from './eviction.ts'

const now = 1_795_000_000_000
const minuteMs = 60_000

/** `deletedAt` and the number of files of each workflow. */
function open(workflows: Record<string, { deletedAt: number | null; files: number }>, workflowsMax?: number) {
  const looked: string[] = []
  const removals: [id: string, count: number][] = []
  const evict = createEviction({
    derivedFiles: {
      accounts: async () => [],
      sizes: async () => ({ bytes: 0, next: undefined }),
      evict: async () => ({ files: 0, bytes: 0 }),
      async nextWorkflow(afterId) {
        const id = Object.keys(workflows).find((each) => each > afterId && (workflows[each]?.files ?? 0) > 0)
        if (id === undefined) return undefined
        looked.push(id)
        return { id, deletedAt: workflows[id]?.deletedAt ?? null }
      },
      async removeOf(id, rowsMax) {
        const workflow = workflows[id]
        assert.ok(workflow)
        const count = Math.min(workflow.files, rowsMax)
        workflow.files -= count
        removals.push([id, count])
        return count
      },
    },
    clock: { now: () => now },
    bytesMax: 1_000,
    ...(workflowsMax === undefined ? {} : { workflowsMax }),
  })
  return { evict, removals, looked }
}

test('the files of deleted workflows are removed, in batches, once nothing reads them any more', async () => {
  const longAgo = now - 10 * minuteMs
  const { evict, removals } = open({
    wf_1: { deletedAt: longAgo, files: 1_200 },
    wf_2: { deletedAt: null, files: 3 },
    wf_3: { deletedAt: now - minuteMs, files: 3 },
    wf_4: { deletedAt: longAgo, files: 2 },
  })
  assert.equal(await evict(10_000), 1_202)
  assert.deepEqual(removals, [
    ['wf_1', 500],
    ['wf_1', 500],
    ['wf_1', 200],
    ['wf_4', 2],
  ])
})

test('a run removes at most as many files as it may, and the next one continues', async () => {
  const { evict, removals } = open({ wf_1: { deletedAt: 0, files: 700 }, wf_2: { deletedAt: 0, files: 5 } })
  assert.deepEqual([await evict(600), await evict(600)], [600, 105])
  assert.deepEqual(removals.slice(-2), [
    ['wf_1', 100],
    ['wf_2', 5],
  ])
  assert.equal(await evict(600), 0)
})

test('a run looks at a bounded number of workflows, and the next ones look at the others', async () => {
  const kept = { deletedAt: null, files: 1 }
  const { evict, looked } = open({ wf_1: kept, wf_2: kept, wf_3: kept }, 2)
  for (const _ of [1, 2, 3]) await evict(100)
  assert.deepEqual(looked, ['wf_1', 'wf_2', 'wf_3', 'wf_1', 'wf_2'])
})

test('a run that is stopped removes nothing more', async () => {
  const { evict, removals } = open({ wf_1: { deletedAt: 0, files: 5 } })
  assert.equal(await evict(100, AbortSignal.abort()), 0)
  assert.deepEqual(removals, [])
})

test('a workflow or account that fails keeps the others neither in a run nor in the next ones', async () => {
  const workflows = Array.from({ length: 12 }, (_, i) => `wf_${String(i).padStart(2, '0')}`)
  const accounts = Array.from({ length: 12 }, (_, i) => `acct_${String(i).padStart(2, '0')}`)
  const stuck = new Set(['wf_03', 'acct_05'])
  const lost = new Error('a statement took too long')
  let removed: string[] = []
  const evict = createEviction({
    derivedFiles: {
      accounts: async () => accounts,
      sizes: async () => ({ bytes: 1_100, next: undefined }),
      async evict(accountId) {
        if (stuck.has(accountId)) throw lost
        removed.push(accountId)
        return { files: 1, bytes: 100 }
      },
      async nextWorkflow(afterId) {
        const id = workflows.find((each) => each > afterId)
        return id === undefined ? undefined : { id, deletedAt: 0 }
      },
      async removeOf(id) {
        if (stuck.has(id)) throw lost
        removed.push(id)
        return 0
      },
    },
    clock: { now: () => now },
    bytesMax: 1_000,
  })
  const others = () => [...accounts, ...workflows].filter((id) => !stuck.has(id))
  await assert.rejects(evict(10_000), lost)
  assert.deepEqual(removed.toSorted(), others())
  // Ten in a row end the job, and the next runs begin behind them.
  for (const id of [...workflows.slice(0, 11), ...accounts.slice(0, 11)]) stuck.add(id)
  removed = []
  for (let run = 0; run < 4; run += 1) await evict(10_000).catch((error) => assert.equal(error, lost))
  assert.deepEqual([...new Set(removed)].toSorted(), others())
})

test('the bytes of an account are added up once for a run, in parts', async () => {
  const calls: string[] = []
  let files = 2_000
  const evict = createEviction({
    derivedFiles: {
      accounts: async () => ['acct_1', 'acct_2'],
      async sizes(accountId, _rowsMax, after) {
        calls.push(`sizes ${accountId}`)
        const next = after === undefined ? { usedAt: 1, key: 'last' } : undefined
        return { bytes: accountId === 'acct_1' ? 1_100 : 500, next }
      },
      async evict(accountId, { bytes, rowsMax }) {
        calls.push(`evict ${accountId} ${bytes}`)
        const count = Math.min(files, rowsMax, bytes)
        files -= count
        return { files: count, bytes: count }
      },
      nextWorkflow: async () => undefined,
      removeOf: async () => 0,
    },
    clock: { now: () => now },
    bytesMax: 1_000,
  })
  assert.equal(await evict(10_000), 1_200)
  assert.deepEqual(calls.slice(0, 5), [
    'sizes acct_1',
    'sizes acct_1',
    ...['evict acct_1 1200', 'evict acct_1 700', 'evict acct_1 200'],
  ])
  calls.length = 0
  assert.equal(await evict(600), 600)
  assert.deepEqual(
    calls.filter((call) => call.startsWith('evict')),
    ['evict acct_1 1200', 'evict acct_1 700'],
  )
})
