import assert from 'node:assert/strict'
import { describe, type TestContext, test } from 'node:test'
import type { RateCounter } from '../../src/domain/accounts/rate.ts'
import { newId } from '../../src/domain/ids.ts'

/** `moveClock` advances the clock of the counter by these milliseconds. */
export type OpenRates = (t: TestContext) => Promise<{ counter: RateCounter; moveClock(ms: number): void }>

export function ratesContract(name: string, open: OpenRates): void {
  const account = () => newId('acct', 1_795_000_000_000)

  describe(`rates on ${name}`, () => {
    test('requests are counted per account from one to the end of one minute', async (t) => {
      const { counter, moveClock } = await open(t)
      const [owner, other] = [account(), account()]
      for (const used of [1, 2, 3]) {
        assert.deepEqual(await counter.count(owner, 60), { used, resetsInMs: 60_000 - (used - 1) * 10_000 })
        moveClock(10_000)
      }
      assert.deepEqual(await counter.count(other, 60), { used: 1, resetsInMs: 60_000 })
    })

    test('of 40 concurrent requests each is counted once', async (t) => {
      const { counter } = await open(t)
      const owner = account()
      const counts = await Promise.all(Array.from({ length: 40 }, () => counter.count(owner, 100)))
      assert.deepEqual(
        counts.map(({ used }) => used).sort((a, b) => a - b),
        Array.from({ length: 40 }, (_, i) => i + 1),
      )
    })

    test('over the limit every request is rejected until the minute ends, and then a new one starts', async (t) => {
      const { counter, moveClock } = await open(t)
      const owner = account()
      const over: boolean[] = []
      for (let i = 0; i < 6; i++) over.push((await counter.count(owner, 3)).used > 3)
      assert.deepEqual(over, [false, false, false, true, true, true])
      moveClock(59_000)
      const { used, resetsInMs } = await counter.count(owner, 3)
      assert.deepEqual([used > 3, resetsInMs], [true, 1_000])
      moveClock(1_001)
      assert.deepEqual(await counter.count(owner, 3), { used: 1, resetsInMs: 60_000 })
    })

    test('a window can last a day, next to those of a minute', async (t) => {
      const { counter, moveClock } = await open(t)
      const [link, other] = [account(), account()]
      const day = 86_400_000
      assert.deepEqual(await counter.count(link, 2, 86_400), { used: 1, resetsInMs: day })
      await counter.count(other, 2)
      moveClock(3_600_000)
      assert.deepEqual(await counter.count(other, 2), { used: 1, resetsInMs: 60_000 })
      assert.deepEqual(await counter.count(link, 2, 86_400), { used: 2, resetsInMs: day - 3_600_000 })
      const over = await counter.count(link, 2, 86_400)
      assert.deepEqual([over.used > 2, over.resetsInMs], [true, day - 3_600_000])
      moveClock(day - 3_600_000 + 1)
      assert.deepEqual(await counter.count(link, 2, 86_400), { used: 1, resetsInMs: day })
    })

    test('a raised limit applies immediately', async (t) => {
      const { counter } = await open(t)
      const owner = account()
      for (let i = 0; i < 5; i++) await counter.count(owner, 3)
      const { used } = await counter.count(owner, 300)
      assert.ok(used <= 6, `used ${used}`)
    })
  })
}
