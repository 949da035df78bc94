import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { dayMs } from '../../src/domain/accounts/activity.ts'
import type { Stores } from '../../src/storage/database/open.ts'
import { execution, lost, type OpenStores, success, tenant } from './records.ts'

type Tenant = Awaited<ReturnType<typeof tenant>>

const day = (n: number): string => `2026-03-0${n}`
const at = (n: number, ms = 0): number => Date.parse(day(n)) + ms
const range = { from: day(1), to: day(9) }

/** More rows than a statement supports. */
const oneADay = (accountId: string) =>
  Array.from({ length: 450 }, (_, i) => ({
    accountId,
    day: new Date(at(1) + i * dayMs).toISOString().slice(0, 10),
    requests: 1,
    refused: 0,
  }))

export function activityContract(name: string, open: OpenStores): void {
  describe(`activity on ${name}`, () => {
    test('requests are added to those of the same account and day, with any number of concurrent processes', async (t) => {
      const stores = await open(t)
      const [one, two] = [(await tenant(stores)).account.id, (await tenant(stores)).account.id]
      const counts = [
        { accountId: one, day: day(2), requests: 3, refused: 1 },
        { accountId: two, day: day(2), requests: 5, refused: 0 },
        { accountId: one, day: day(1), requests: 5_000_000_000, refused: 2 },
      ]
      await Promise.all(
        Array.from({ length: 20 }, (_, i) => stores.activity.addRequests(i % 2 ? counts : counts.toReversed())),
      )
      await stores.activity.addRequests([])
      assert.deepEqual(await stores.activity.requestsOf(one, range), [
        { day: day(1), requests: 100_000_000_000, refused: 40 },
        { day: day(2), requests: 60, refused: 20 },
      ])
      assert.deepEqual(await stores.activity.requestsOf(one, { from: day(2), to: day(9) }), [
        { day: day(2), requests: 60, refused: 20 },
      ])
      assert.deepEqual(await stores.activity.requestsOf(one, { from: day(1), to: day(1) }), [
        { day: day(1), requests: 100_000_000_000, refused: 40 },
      ])
      assert.deepEqual(await stores.activity.requestsOf('acct_unknown', range), [])
    })

    test('counts of more accounts than a statement supports are all written', async (t) => {
      const stores = await open(t)
      const { account } = await tenant(stores)
      await stores.activity.addRequests(oneADay(account.id))
      assert.equal((await stores.activity.requestsOf(account.id, { from: day(1), to: '2030-01-01' })).length, 450)
    })

    test('counts are written all or none, so that a retry counts nothing twice', async (t) => {
      const stores = await open(t)
      const { account } = await tenant(stores)
      const refused = { accountId: 'zzz_unknown', day: day(1), requests: 1, refused: 0 }
      await assert.rejects(stores.activity.addRequests([...oneADay(account.id), refused]))
      assert.deepEqual(await stores.activity.requestsOf(account.id, { from: day(1), to: '2030-01-01' }), [])
    })

    test('executions count on the day on which they end, to the millisecond, regardless of their start', async (t) => {
      const stores = await open(t)
      const owner = await tenant(stores)
      await end(stores, owner, { createdAt: at(1, dayMs - 400), completedAt: at(2, -1) })
      await end(stores, owner, { createdAt: at(1, 5), completedAt: at(2) })
      await end(stores, owner, { createdAt: at(2), completedAt: at(2, 987) })
      await end(stores, owner, { createdAt: at(2, 10), completedAt: at(2, 997) })
      await end(stores, owner, { createdAt: at(2), completedAt: at(2, 1_234) })
      await end(stores, owner, { createdAt: at(2), completedAt: at(2, 5), reason: 'timeout' })
      await end(stores, owner, { createdAt: at(2), completedAt: at(2, 6), reason: 'timeout' })
      await end(stores, owner, { createdAt: at(2), completedAt: at(2, 7), reason: 'input_invalid' })
      await end(stores, owner, { createdAt: at(3), completedAt: at(3, 5) })
      const cancelled = execution(owner.workflow, { createdAt: at(4) })
      await stores.executions.create(cancelled)
      await stores.executions.cancel(cancelled.id, { error: failed('cancelled'), completedAt: at(4, 9) })
      await stores.executions.create(execution(owner.workflow, { createdAt: at(4) }))
      await end(stores, await tenant(stores), { createdAt: at(2), completedAt: at(2, 5) })

      assert.deepEqual(sorted(await stores.activity.executionsOf(owner.account.id, range)), [
        { day: day(1), failures: [], durations: [[400, 1]] },
        {
          day: day(2),
          failures: [
            { reason: 'input_invalid', count: 1 },
            { reason: 'timeout', count: 2 },
          ],
          durations: [
            [990, 2],
            [1_240, 1],
            [86_000_000, 1],
          ],
        },
        { day: day(3), failures: [], durations: [[5, 1]] },
        { day: day(4), failures: [{ reason: 'cancelled', count: 1 }], durations: [] },
      ])
      const some = await stores.activity.executionsOf(owner.account.id, { from: day(3), to: day(3) })
      assert.deepEqual(
        some.map((each) => each.day),
        [day(3)],
      )
      assert.deepEqual(await stores.activity.executionsOf('acct_unknown', range), [])
    })

    test('closed days equal open ones, and executions that end on them later are not included', async (t) => {
      const stores = await open(t)
      const owner = await tenant(stores)
      const id = owner.account.id
      await end(stores, owner, { createdAt: at(1), completedAt: at(1, 10) })
      await end(stores, owner, { createdAt: at(1), completedAt: at(1, 20), reason: 'timeout' })
      await end(stores, owner, { createdAt: at(3), completedAt: at(3, 30), reason: 'timeout' })
      await end(stores, owner, { createdAt: at(5), completedAt: at(5, 4_321) })
      await end(stores, owner, { createdAt: at(6), completedAt: at(6, 50) })
      const before = sorted(await stores.activity.executionsOf(id, range))
      assert.equal(before.length, 4)

      const both = await Promise.all([
        stores.activity.closeNextDay(id, day(6)),
        stores.activity.closeNextDay(id, day(6)),
      ])
      assert.ok(both.includes(day(1)))
      const rest: (string | undefined)[] = []
      do rest.push(await stores.activity.closeNextDay(id, day(6)))
      while (rest.at(-1) !== undefined)
      assert.equal(rest.at(-1), undefined)
      const closed = [...both, ...rest].filter((each) => each !== undefined)
      assert.deepEqual([...new Set(closed)].sort(), [day(1), day(3), day(5)])
      assert.deepEqual(sorted(await stores.activity.executionsOf(id, range)), before)

      await end(stores, owner, { createdAt: at(4), completedAt: at(4, 1) })
      await end(stores, owner, { createdAt: at(6), completedAt: at(6, 1) })
      const after = await stores.activity.executionsOf(id, range)
      assert.deepEqual(
        after.map((each) => [each.day, each.durations.length]),
        [
          [day(1), 1],
          [day(3), 0],
          [day(5), 1],
          [day(6), 2],
        ],
      )
      assert.equal(await stores.activity.closeNextDay('acct_unknown', day(6)), undefined)
    })
  })
}

function failed(reason: 'timeout' | 'input_invalid' | 'cancelled') {
  return { ...lost, details: { ...lost.details, reason } }
}

/** An ended execution: completed, or failed with a reason. */
async function end(
  { executions }: Stores,
  { workflow }: Tenant,
  { createdAt, completedAt, reason }: { createdAt: number; completedAt: number; reason?: 'timeout' | 'input_invalid' },
): Promise<void> {
  await executions.create(execution(workflow, { createdAt }))
  const running = await executions.claimNext(createdAt)
  assert.ok(running)
  const { id, attempt } = running
  const written =
    reason === undefined
      ? await executions.complete(id, attempt, { ...success(running), completedAt })
      : await executions.fail(id, attempt, { error: failed(reason), steps: [], completedAt })
  assert.ok(written)
}

/** The order within a day is unspecified. */
function sorted<Row extends { failures: { reason: string }[] }>(rows: Row[]): Row[] {
  return rows.map((row) => ({
    ...row,
    failures: row.failures.toSorted((a, b) => (a.reason < b.reason ? -1 : 1)),
  }))
}
