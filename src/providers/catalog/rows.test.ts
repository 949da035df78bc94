import assert from 'node:assert/strict'
import { test } from 'node:test'
import { mergeRows, rowOf } from './rows.ts'

const rows = [{ name: 'gemini-*', can: { write: {} } }]

test('a name that would become another path of the API belongs to no model', () => {
  for (const rest of ['2.5-flash', 'x@001', 'x:0', 'a/b'])
    assert.equal(rowOf(rows, `gemini-${rest}`)?.name, `gemini-${rest}`)
  for (const rest of ['x/../../v1/files', 'x/.', 'x//y', 'x?key=', 'x#', 'x%2e%2e', 'x\\..', 'x y', 'x\n'])
    assert.equal(rowOf(rows, `gemini-${rest}`), undefined, rest)
})

test('the price of one operation does not change those of the others', () => {
  const asOf = '2026-11'
  const table = { per: 'image', usd: 0.04, asOf } as const
  const price = { per: 'image', usd: 0.02, asOf } as const
  const rows = [{ name: 'gpt', can: { generate: {}, edit: {} }, price: table }]
  const [one] = mergeRows(rows, new Map([['gpt', { price: { edit: price } }]]))
  assert.deepEqual(one?.price, { generate: table, edit: price })
  const [all] = mergeRows(rows, new Map([['gpt', { price }]]))
  assert.deepEqual(all?.price, price)
})
