import assert from 'node:assert/strict'
import { test } from 'node:test'
import { rowOf } from './rows.ts'

const rows = [{ name: 'gemini-*', can: { write: {} } }]

test('a name that would become another path of the API is that of no model', () => {
  for (const rest of ['2.5-flash', 'x@001', 'x:0', 'a/b'])
    assert.equal(rowOf(rows, `gemini-${rest}`)?.name, `gemini-${rest}`)
  for (const rest of ['x/../../v1/files', 'x/.', 'x//y', 'x?key=', 'x#', 'x%2e%2e', 'x\\..', 'x y', 'x\n'])
    assert.equal(rowOf(rows, `gemini-${rest}`), undefined, rest)
})
