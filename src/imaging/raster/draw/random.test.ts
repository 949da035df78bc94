import assert from 'node:assert/strict'
import { test } from 'node:test'
import { normalOf, randomOf, shareOf } from './random.ts'

test('a seed always gives the same numbers, another seed gives different ones', () => {
  const first = (seed: number) => {
    const random = randomOf(seed)
    return Array.from({ length: 4 }, random)
  }
  assert.deepEqual(first(1), first(1))
  assert.notDeepEqual(first(1), first(2))
  assert.notDeepEqual(first(0), [0, 0, 0, 0])
  // Written down, so that pictures of saved workflows never change.
  assert.deepEqual(first(1), [2_442_144_158, 3_238_099_751, 3_819_917_871, 2_104_621_829])
})

test('uniform numbers cover 0 to 1 evenly, and every bit is set half of the time', () => {
  const random = randomOf(5)
  const counts = new Array<number>(20).fill(0)
  for (let at = 0; at < 100_000; at += 1) {
    const share = shareOf(random)
    assert.ok(share >= 0 && share < 1)
    counts[Math.floor(share * 20)] = (counts[Math.floor(share * 20)] ?? 0) + 1
  }
  for (const count of counts) assert.ok(Math.abs(count - 5_000) < 300, `${counts}`)
  const bits = new Array<number>(32).fill(0)
  for (let at = 0; at < 20_000; at += 1) {
    const value = random()
    for (let bit = 0; bit < 32; bit += 1) bits[bit] = (bits[bit] ?? 0) + ((value >>> bit) & 1)
  }
  for (const count of bits) assert.ok(Math.abs(count - 10_000) < 300, `${bits}`)
})

test('normal numbers have mean 0, deviation 1 and no correlation', () => {
  const random = randomOf(9)
  const values = Array.from({ length: 200_000 }, () => normalOf(random))
  const mean = values.reduce((a, b) => a + b, 0) / values.length
  const variance = values.reduce((a, b) => a + b * b, 0) / values.length
  const together = values.reduce((sum, value, at) => sum + value * (values[at - 1] ?? 0), 0) / values.length
  const near = values.filter((value) => Math.abs(value) < 1).length / values.length
  assert.ok(Math.abs(mean) < 0.01 && Math.abs(variance - 1) < 0.02 && Math.abs(together) < 0.01)
  assert.ok(Math.abs(near - 0.6827) < 0.02, `${near} within one deviation`)
})
