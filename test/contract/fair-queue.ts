import assert from 'node:assert/strict'
import { describe, type TestContext, test } from 'node:test'
import { sql } from 'kysely'
import { type PlanName, plans } from '../../src/domain/accounts/plan.ts'
import { type Execution, TooManyWaiting } from '../../src/domain/executions/execution.ts'
import type { Workflow } from '../../src/domain/workflows/workflow.ts'
import type { Database } from '../../src/storage/database/open.ts'
import { createRandom } from '../faults/random.ts'
import { execution, lost, refused, success, tenant } from './records.ts'

/** Several connections to one database, like several processes. */
export type OpenHandles = (t: TestContext, count: number) => Promise<Database[]>

const waitingOfA = 2_000
const tries = 100
const bounds = { attemptsMax: 3, error: lost }

export function fairQueueContract(name: string, open: OpenHandles): void {
  async function openSetup(t: TestContext) {
    const [database] = await open(t, 1)
    assert.ok(database)
    const { stores } = database
    return { database, stores, executions: stores.executions }
  }

  /** Starts the next execution and ends it. */
  async function runNext({ executions }: Database['stores']): Promise<Execution | undefined> {
    const started = await executions.claimNext(20)
    if (started) assert.equal(await executions.complete(started.id, started.attempt, success(started)), true)
    return started
  }

  describe(`the fair queue on ${name}`, () => {
    for (const [planOfA, planOfB] of [
      ['pro', 'pro'],
      ['enterprise', 'starter'],
    ] as const) {
      test(`while ${waitingOfA} executions of a ${planOfA} account wait, one of a ${planOfB} account is among the next two to start`, async (t) => {
        const { database, stores, executions } = await openSetup(t)
        const [a, b] = [await tenantOn(database, planOfA), await tenantOn(database, planOfB)]
        await addMany(database, a, waitingOfA)
        const positions: number[] = []
        for (let i = 0; i < tries; i++) {
          // Some executions of A start between those of B.
          for (let n = i % 4; n > 0; n--) await runNext(stores)
          const created = execution(b)
          await executions.create(created)
          let position = 1
          while ((await runNext(stores))?.id !== created.id) position += 1
          positions.push(position)
        }
        assert.ok(Math.max(...positions) <= 2, String(positions))
      })
    }

    test('two processes that claim at the same time start an execution of B among their next two', async (t) => {
      const handles = await open(t, 2)
      const [first] = handles
      assert.ok(first)
      const [a, b] = [await tenantOn(first, 'enterprise'), await tenantOn(first, 'starter')]
      await addMany(first, a, 500)
      for (let i = 0; i < tries; i++) {
        const created = execution(b)
        await first.stores.executions.create(created)
        const started: Execution[] = []
        // One that finds the account of the other claim locked starts nothing, and retries.
        while (started.length < 2) {
          const claims = await Promise.all(handles.map(({ stores }) => stores.executions.claimNext(20)))
          started.push(...claims.filter((each) => each !== undefined))
        }
        assert.ok(
          started.some(({ id }) => id === created.id),
          `try ${i}`,
        )
        for (const claimed of started) {
          await first.stores.executions.complete(claimed.id, claimed.attempt, success(claimed))
        }
      }
    })

    test('accounts with waiting executions take turns by the weight of their plan', async (t) => {
      const { database, executions } = await openSetup(t)
      const names = ['starter', 'pro', 'enterprise'] as const
      const counts = new Map<string, number>()
      for (const plan of names) await addMany(database, await tenantOn(database, plan), 100, plan)
      for (let i = 0; i < 140; i++) {
        const started = await runNext(database.stores)
        const plan = String(started?.parameters.plan)
        counts.set(plan, (counts.get(plan) ?? 0) + 1)
      }
      const total = names.reduce((sum, plan) => sum + plans[plan].weight, 0)
      for (const plan of names) {
        const share = (140 * plans[plan].weight) / total
        assert.ok(Math.abs((counts.get(plan) ?? 0) - share) <= 1, `${plan}: ${counts.get(plan)} of ${share}`)
      }
      assert.equal(await executions.countPending(), 160)
    })

    test('an account that was idle or at its limit for long has no turns saved up', async (t) => {
      const { database, stores } = await openSetup(t)
      const [a, b] = [await tenantOn(database, 'pro'), await tenantOn(database, 'pro')]
      await addMany(database, a, 100)
      for (let i = 0; i < 50; i++) await runNext(stores)
      await addMany(database, b, 50)
      const order: string[] = []
      for (let i = 0; i < 20; i++) order.push((await runNext(stores))?.accountId === a.accountId ? 'a' : 'b')
      assert.ok(!/a{2}|b{3}/.test(order.join('')), order.join(''))
    })

    test('accounts with one waiting execution each do not displace one with many', async (t) => {
      const { database, stores, executions } = await openSetup(t)
      const heavy = await tenantOn(database, 'starter')
      await addMany(database, heavy, 100)
      const light = await Promise.all(Array.from({ length: 5 }, () => tenantOn(database, 'starter')))
      for (const each of light) await executions.create(execution(each))
      let ofHeavy = 0
      for (let i = 0; i < 210; i++) {
        const started = await runNext(stores)
        const again = light.find(({ accountId }) => accountId === started?.accountId)
        if (again) await executions.create(execution(again))
        else ofHeavy += 1
      }
      // Its weight against that of the largest plan for each of the five.
      assert.ok(ofHeavy >= Math.floor(210 / 21) - 1, String(ofHeavy))
    })

    test('the queue of an account has the limit of its plan, also after a change of the plan, and counts what runs', async (t) => {
      const { database, stores, executions } = await openSetup(t)
      const workflow = await tenantOn(database, 'pro')
      const queue = async () => {
        const row = await database.kysely
          .selectFrom('account_queues')
          .select(['waiting', 'running', 'running_max', 'may_start'])
          .where('account_id', '=', workflow.accountId)
          .executeTakeFirstOrThrow()
        return { ...row }
      }
      for (const plan of Object.keys(plans) as PlanName[]) {
        await stores.accounts.update(workflow.accountId, { plan })
        assert.equal((await queue()).running_max, plans[plan].runningMax, plan)
      }
      await stores.accounts.update(workflow.accountId, { plan: 'starter' })
      const { runningMax } = plans.starter
      await addMany(database, workflow, runningMax + 2)
      for (let i = 0; i < runningMax; i++) assert.ok(await executions.claimNext(20))
      assert.equal(await executions.claimNext(20), undefined)
      const limit = { running: runningMax, running_max: runningMax }
      assert.deepEqual(await queue(), { ...limit, waiting: 2, may_start: 0 })
      await stores.accounts.update(workflow.accountId, { plan: 'pro' })
      const started = (await executions.claimNext(20)) ?? assert.fail()
      await stores.accounts.update(workflow.accountId, { plan: 'starter' })
      await executions.release(started.id, started.attempt, 30)
      const fails = { error: lost, steps: [], completedAt: 30 }
      assert.deepEqual(await queue(), { ...limit, waiting: 2, may_start: 0 })
      const [running] = (await executions.list(workflow.accountId, { limit: 1, offset: 0 }, { status: 'running' }))
        .items
      assert.ok(running && (await executions.fail(running.id, running.attempt, fails)))
      assert.deepEqual(await queue(), { ...limit, running: runningMax - 1, waiting: 2, may_start: 1 })
    })

    test('within an account, executions that were started before come first, then synchronous ones, then the oldest', async (t) => {
      const { stores, executions } = await openSetup(t)
      const { workflow } = await tenant(stores)
      const add = async (createdAt: number, isAsync: boolean) => {
        const created = execution(workflow, { createdAt })
        await executions.create(created, { isAsync })
        return created.id
      }
      const again = await add(9, true)
      assert.equal((await executions.claimNext(10))?.id, again)
      const asyncs = [await add(1, true), await add(2, true)]
      const syncs = [await add(3, false), await add(4, false)]
      await executions.release(again, 1, 20)
      const order: (string | undefined)[] = []
      for (let i = 0; i < 6; i++) order.push((await executions.claimNext(30))?.id)
      assert.deepEqual(order, [again, ...syncs, ...asyncs, undefined])
    })

    test('a retried attempt does not overtake other accounts', async (t) => {
      const { database, stores, executions } = await openSetup(t)
      const [a, b] = [await tenantOn(database, 'pro'), await tenantOn(database, 'pro')]
      await addMany(database, a, 10)
      const started = await executions.claimNext(20)
      assert.equal(started?.accountId, a.accountId)
      const created = execution(b)
      await executions.create(created)
      await executions.recover({ ...bounds, now: 30, only: { executionId: started?.id ?? '', attempt: 1 } })
      assert.equal((await runNext(stores))?.id, created.id)
      assert.equal((await executions.claimNext(40))?.id, started?.id)
    })

    test('an account runs no more executions than its plan allows, and the others start', async (t) => {
      const { database, executions } = await openSetup(t)
      const [a, b] = [await tenantOn(database, 'starter'), await tenantOn(database, 'starter')]
      const { runningMax } = plans.starter
      await addMany(database, a, runningMax + 5)
      const started: Execution[] = []
      for (let i = 0; i < runningMax; i++) started.push((await executions.claimNext(20)) ?? assert.fail(`${i}`))
      assert.equal(await executions.claimNext(20), undefined)
      const created = execution(b)
      await executions.create(created)
      assert.equal((await executions.claimNext(20))?.id, created.id)
      assert.equal(await executions.claimNext(20), undefined)
      const [first] = started
      assert.ok(first)
      await executions.complete(first.id, first.attempt, success(first))
      assert.equal((await executions.claimNext(20))?.accountId, a.accountId)
      assert.equal(await executions.claimNext(20), undefined)
    })

    test('many claims at the same time start no more than the plan allows', async (t) => {
      const handles = await open(t, 4)
      const [first] = handles
      assert.ok(first)
      const a = await tenantOn(first, 'starter')
      await addMany(first, a, 60)
      for (let round = 0; round < 30; round++) {
        await Promise.all(
          handles.flatMap(({ stores }) => [stores.executions.claimNext(1), stores.executions.claimNext(1)]),
        )
      }
      const { items } = await first.stores.executions.list(a.accountId, { limit: 60, offset: 0 }, { status: 'running' })
      assert.equal(items.length, plans.starter.runningMax)
    })

    test('an execution runs as it is recorded if none waits', async (t) => {
      const { database, executions } = await openSetup(t)
      const a = await tenantOn(database, 'pro')
      const created = execution(a)
      const recorded = await executions.create(created, { startFor: { worker: 'wrk_1' } })
      assert.deepEqual(recorded, { ...created, status: 'running', attempt: 1, startedAt: created.createdAt })
      assert.deepEqual(await executions.find(a.accountId, created.id), recorded)
      assert.equal(await executions.countPending(), 0)
      const page = await executions.readEvents(a.accountId, created.id, 0)
      assert.deepEqual(page, {
        status: 'running',
        eventCount: 2,
        events: [
          { status: 'pending', at: created.createdAt },
          { status: 'running', at: created.createdAt },
        ],
      })
      assert.equal(await executions.complete(created.id, 1, success(recorded)), true)
    })

    test('an execution waits as it is recorded while one of any account waits', async (t) => {
      const { database, executions } = await openSetup(t)
      const [a, b] = [await tenantOn(database, 'pro'), await tenantOn(database, 'pro')]
      const first = execution(a)
      await executions.create(first)
      for (const owner of [a, b]) {
        const second = execution(owner)
        assert.deepEqual(await executions.create(second, { startFor: {} }), second)
      }
      assert.equal(await executions.countPending(), 3)
      assert.equal((await executions.claimNext(20))?.id, first.id)
    })

    test('an account whose plan has no API access starts nothing', async (t) => {
      const { database, executions } = await openSetup(t)
      const a = await tenantOn(database, 'free')
      await assert.rejects(executions.create(execution(a), { startFor: {} }), TooManyWaiting)
    })

    test('of concurrent submissions in two processes exactly as many start as the plan allows', async (t) => {
      const handles = await open(t, 2)
      const [first] = handles
      assert.ok(first)
      const a = await tenantOn(first, 'starter')
      const { runningMax } = plans.starter
      const claimed: (Execution | undefined)[] = []
      const submitted = await Promise.all(
        Array.from({ length: 4 * runningMax }, async (_, i) => {
          const { executions } = (handles[i % 2] as Database).stores
          if (i % 4 === 3) claimed.push(await executions.claimNext(20))
          return executions.create(execution(a), { startFor: {} })
        }),
      )
      const claimRest = async (): Promise<void> => {
        const next = await first.stores.executions.claimNext(20)
        claimed.push(next)
        if (next !== undefined) await claimRest()
      }
      await claimRest()
      const running = submitted.filter(({ status }) => status === 'running').length
      assert.equal(running + claimed.filter((each) => each !== undefined).length, runningMax)
    })

    test('excluded accounts are skipped', async (t) => {
      const { database, executions } = await openSetup(t)
      const [a, b] = [await tenantOn(database, 'pro'), await tenantOn(database, 'pro')]
      await addMany(database, a, 3)
      const except = [a.accountId]
      assert.equal(await executions.claimNext(20, { except }), undefined)
      const created = execution(b)
      await executions.create(created)
      assert.equal((await executions.claimNext(20, { except }))?.id, created.id)
      assert.equal(await executions.claimNext(20, { except: [...except, b.accountId] }), undefined)
    })

    test('executions of an account that loses API access wait until it has access again', async (t) => {
      const { database, stores, executions } = await openSetup(t)
      const a = await tenantOn(database, 'pro')
      await addMany(database, a, 2)
      await stores.accounts.update(a.accountId, { plan: 'free' })
      assert.equal(await executions.claimNext(20), undefined)
      assert.equal(await executions.countPending(), 0)
      await assert.rejects(executions.create(execution(a)), TooManyWaiting)
      await stores.accounts.update(a.accountId, { plan: 'pro' })
      assert.equal((await executions.claimNext(20))?.accountId, a.accountId)
    })

    test('of 40 concurrent submissions in two processes exactly as many are accepted as there is room for', async (t) => {
      const handles = await open(t, 2)
      const [first] = handles
      assert.ok(first)
      const [a, b] = [await tenantOn(first, 'starter'), await tenantOn(first, 'starter')]
      const submit = async (of: Workflow, count: number, waitingMax?: number) => {
        const all = await Promise.allSettled(
          Array.from({ length: count }, (_, i) =>
            handles[i % 2]?.stores.executions.create(execution(of), { waitingMax }),
          ),
        )
        const refusals = all.flatMap((each) => (each.status === 'rejected' ? [each.reason as TooManyWaiting] : []))
        for (const each of refusals) assert.ok(each instanceof TooManyWaiting, String(each))
        return refusals.map(({ of: owner, limit }) => `${owner} ${limit}`)
      }
      // The limit of all accounts: 25 more, above the fair share of 20.
      const [c, d, e] = [await tenantOn(first, 'pro'), await tenantOn(first, 'pro'), await tenantOn(first, 'pro')]
      await addMany(first, d, 5)
      await addMany(first, e, 30)
      assert.deepEqual(await submit(c, 40, 60), Array(15).fill('service 60'))
      assert.equal(await first.stores.executions.countPending(), 60)
      const { waitingMax } = plans.starter
      await addMany(first, a, waitingMax - 10)
      assert.deepEqual(await submit(a, 40), Array(30).fill(`account ${waitingMax}`))
      // The account at its limit doesn't prevent others from submitting.
      assert.deepEqual(await submit(b, 2), [])
      assert.deepEqual(await submit(b, 2 * waitingMax), Array(waitingMax + 2).fill(`account ${waitingMax}`))
      // The limit of all accounts is exceeded: one more account has a sixth of it.
      const f = await tenantOn(first, 'starter')
      assert.deepEqual(await submit(f, 40, 60), Array(30).fill('service 60'))
      assert.equal(await first.stores.executions.countPending(), 60 + 2 * waitingMax + 10)
    })

    test('an account at its limit is rejected for its own limit, also while its executions start', async (t) => {
      const handles = await open(t, 2)
      const [first, second] = handles
      assert.ok(first && second)
      const a = await tenantOn(first, 'starter')
      const waitingMax = 20
      await addMany(first, a, waitingMax / 2)
      const refusals: TooManyWaiting[] = []
      let submits = true
      const submit = async () => {
        for (let i = 0; i < 60; i++)
          await first.stores.executions.create(execution(a), { waitingMax }).catch((error) => refusals.push(error))
      }
      const claim = async () => {
        while (submits) await runNext(second.stores)
      }
      const claiming = claim()
      await Promise.all([submit(), submit(), submit(), submit()])
      submits = false
      await claiming
      assert.ok(refusals.length > 0)
      assert.deepEqual(refusals.filter(({ of }) => of !== 'account').map(String), [])
    })

    test('accounts that fill the limit of all cannot displace accounts below their fair share, and only those', async (t) => {
      const { database, executions } = await openSetup(t)
      const waitingMax = 12
      /** The number of accepted executions of 13, and the rejection of the next. */
      const fill = async (of: Workflow) => {
        for (let accepted = 0; accepted < 13; accepted++) {
          const refusal = await executions.create(execution(of), { waitingMax }).then(
            () => undefined,
            (error) => error,
          )
          if (refusal === undefined) continue
          assert.ok(refusal instanceof TooManyWaiting, String(refusal))
          return `${accepted}, ${refusal.of} ${refusal.limit}`
        }
        throw new Error('all were accepted')
      }
      const owners = await Promise.all(Array.from({ length: 13 }, () => tenantOn(database, 'pro')))
      const filled: string[] = []
      for (const each of owners) filled.push(await fill(each))
      const refusals = [6, 6].map((n) => `${n}, account 6`)
      // The limit, divided by 3, 4, 5 and so on.
      refusals.push(...[4, 3, 2, 2, 1, 1, 1, 1, 1, 1, 0].map((n) => `${n}, service ${waitingMax}`))
      assert.deepEqual(filled, refusals)
      // An account that has more than its share is rejected until it has less.
      const [a] = owners
      assert.ok(a)
      assert.equal(await fill(a), '0, account 6')
      while ((await executions.claimNext(20))?.accountId !== a.accountId);
      assert.equal(await fill(a), `0, service ${waitingMax}`)
    })

    test('one account has at most half of the total limit of waiting executions, and the rest is for others', async (t) => {
      const { database, executions } = await openSetup(t)
      const [a, b] = [await tenantOn(database, 'enterprise'), await tenantOn(database, 'starter')]
      const submit = (of: Workflow) => executions.create(execution(of), { waitingMax: 5 })
      for (const each of [a, a, b, b]) await submit(each)
      const isRefused = (of: string, limit: number) => (error: unknown) =>
        error instanceof TooManyWaiting && error.of === of && error.limit === limit
      await assert.rejects(submit(a), isRefused('account', 2))
      const c = await tenantOn(database, 'starter')
      await submit(c)
      await assert.rejects(submit(c), isRefused('service', 5))
      await assert.rejects(submit(a), isRefused('account', 2))
    })

    test('the counter of waiting executions is correct after any concurrent changes', async (t) => {
      const handles = await open(t, 3)
      const [first] = handles
      assert.ok(first)
      const owners = [
        await tenantOn(first, 'pro'),
        await tenantOn(first, 'starter'),
        await tenantOn(first, 'enterprise'),
      ]
      for (const seed of [1, 2, 3]) {
        await Promise.all(handles.map((handle, i) => work(handle, owners, seed * 10 + i)))
        assert.deepEqual(await storedWaiting(first), await countedWaiting(first))
      }
      assert.ok([...(await countedWaiting(first)).values()].some((count) => count > 0))
      const undone = first.kysely.transaction().execute(async (trx) => {
        await sql`delete from executions where status = 'pending'`.execute(trx)
        throw new Error('undone')
      })
      await assert.rejects(undone, /undone/)
      assert.deepEqual(await storedWaiting(first), await countedWaiting(first))
      await sql`delete from executions where status = 'pending'`.execute(first.kysely)
      assert.deepEqual(await storedWaiting(first), await countedWaiting(first))
    })
  })
}

/** A workflow of a new account. */
async function tenantOn({ stores }: Database, plan: PlanName): Promise<Workflow> {
  const { account, workflow } = await tenant(stores)
  await stores.accounts.update(account.id, { plan })
  return workflow
}

async function addMany({ kysely, stores }: Database, of: Workflow, count: number, plan = ''): Promise<void> {
  const template = execution(of, { parameters: { plan } })
  await stores.executions.create(template, { isAsync: true })
  await sql`
    with recursive numbers (n) as (select 1 union all select n + 1 from numbers where n < ${sql.lit(count - 1)})
    insert into executions (id, account_id, workflow_id, workflow_version, parameters, status, attempt, created_at, steps, event_count, rank)
    select id || '_' || n, account_id, workflow_id, workflow_version, parameters, status, attempt, created_at + n, steps, event_count, rank
    from executions, numbers where id = ${template.id} and ${sql.lit(count)} > 1`.execute(kysely)
}

/** Random changes by one process. */
async function work({ stores: { executions, accounts } }: Database, owners: Workflow[], seed: number): Promise<void> {
  const { below, pick } = createRandom(seed)
  const created: string[] = []
  const running: Execution[] = []
  for (let i = 0; i < 60; i++) {
    const kind = below(9)
    const picked = running.length > 0 ? pick(running) : undefined
    if (kind <= 2) {
      const next = execution(pick(owners))
      created.push(next.id)
      await executions.create(next, { isAsync: below(2) === 0 })
    } else if (kind <= 4) {
      const next = await executions.claimNext(i)
      if (next) running.push(next)
    } else if (kind === 5 && created.length > 0)
      await executions.cancel(pick(created), { error: refused, completedAt: i })
    else if (kind === 6 && picked) await executions.release(picked.id, picked.attempt, i)
    else if (kind === 7 && picked) {
      const only = { executionId: picked.id, attempt: picked.attempt }
      await executions.recover({ ...bounds, now: i, only })
    } else if (kind === 8 && picked) {
      if (below(3) === 0) await executions.claim(picked.id, i, bounds)
      else if (below(2) === 0) await executions.complete(picked.id, picked.attempt, success(picked))
      else await executions.fail(picked.id, picked.attempt, { error: lost, steps: [], completedAt: i })
    } else await accounts.update(pick(owners).accountId, { plan: pick(['pro', 'starter', 'enterprise'] as const) })
  }
}

async function storedWaiting({ kysely }: Database): Promise<Map<string, number>> {
  const rows = await kysely
    .selectFrom('account_queues')
    .select(['account_id', 'waiting'])
    .orderBy('account_id')
    .execute()
  return new Map(rows.map(({ account_id, waiting }) => [account_id, Number(waiting)]))
}

async function countedWaiting({ kysely }: Database): Promise<Map<string, number>> {
  const { rows } = await sql<{ id: string; n: number }>`
    select accounts.id, (select count(*) from executions where account_id = accounts.id and status = 'pending') as n
    from accounts order by accounts.id`.execute(kysely)
  return new Map(rows.map(({ id, n }) => [id, Number(n)]))
}
