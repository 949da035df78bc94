import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Price } from '../define.ts'
import { computeCost, rangeOf } from './prices.ts'

const asOf = '2026-11'
const tokens: Price = { per: 'tokens', inputUsd: 10, outputUsd: 40, inputMax: 1_000, outputMax: 5_000, asOf }

test('computes a price in whole micro-dollars, rounded up', () => {
  assert.equal(computeCost({ per: 'call', usd: 0.07, asOf }, undefined, []), 70_000)
  assert.equal(computeCost({ per: 'call', usd: 0.000_000_1, asOf }, undefined, []), 1)
  assert.equal(
    computeCost({ per: 'image', usd: 0.04, asOf }, undefined, [
      { width: 1, height: 1 },
      { width: 1, height: 1 },
    ]),
    80_000,
  )
  assert.equal(computeCost({ per: 'megapixel', usd: 0.03, asOf }, undefined, [{ width: 1_000, height: 1_500 }]), 45_000)
  assert.equal(computeCost({ per: 'second', usd: 0.001, secondsMax: 60, asOf }, { seconds: 2.5 }, []), 2_500)
  assert.equal(computeCost({ per: 'unit', usd: 0.02, unitsMax: 5, asOf }, { units: 3 }, []), 60_000)
  assert.equal(computeCost(tokens, { inputTokens: 100, outputTokens: 1_000 }, []), 41_000)
})

test('the cost is unknown if the usage was not reported', () => {
  assert.equal(computeCost({ per: 'second', usd: 1, secondsMax: 60, asOf }, {}, []), undefined)
  assert.equal(computeCost({ per: 'unit', usd: 1, unitsMax: 5, asOf }, undefined, []), undefined)
  assert.equal(computeCost(tokens, { inputTokens: 5 }, []), undefined)
})

test('ignores an implausible usage', () => {
  for (const units of [-1, Number.NaN, Number.POSITIVE_INFINITY, 1e308])
    assert.equal(computeCost({ per: 'unit', usd: 1, unitsMax: 5, asOf }, { units }, []), undefined)
  assert.equal(computeCost(tokens, { inputTokens: -5, outputTokens: 5 }, []), undefined)
})

test('no price exceeds the largest exact sum', () => {
  const dear: Price = { per: 'unit', usd: 1e6, unitsMax: 1e9, asOf }
  assert.ok(rangeOf(dear, { traits: {} }).maxMicros * 1_000 < Number.MAX_SAFE_INTEGER)
})

test('enlarging an image of unknown size can cost as much as the largest one', () => {
  const megapixel: Price = { per: 'megapixel', usd: 0.03, asOf }
  const { maxMicros } = rangeOf(megapixel, { scale: 4, traits: { scales: [2, 4] } })
  const costMicros = computeCost(megapixel, undefined, [{ width: 4 * 2_000, height: 4 * 2_000 }]) ?? 0
  assert.ok(costMicros > 1_900_000 && costMicros <= maxMicros)
  assert.equal(rangeOf(megapixel, { traits: { scales: [2, 4] } }).maxMicros, maxMicros)
})

test('the maximum usage limits the reservation', () => {
  assert.deepEqual(rangeOf(tokens, { traits: {} }), { minMicros: 0, maxMicros: 210_000 })
  const megapixel: Price = { per: 'megapixel', usd: 0.01, asOf }
  assert.equal(rangeOf(megapixel, { size: { width: 2_000, height: 1_000 }, traits: {} }).maxMicros, 20_000)
  const enlarged = { imageSize: { width: 1_000, height: 1_000 }, traits: { scales: [2, 4] } }
  assert.equal(rangeOf(megapixel, { ...enlarged, scale: 2 }).maxMicros, 40_000)
  assert.equal(rangeOf(megapixel, enlarged).maxMicros, 160_000)
  const listed = { traits: { sizes: { listed: ['1000x1000', '2000x1000'] } } }
  assert.deepEqual(rangeOf(megapixel, listed), { minMicros: 10_000, maxMicros: 20_000 })
})
