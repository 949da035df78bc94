/** test/contract/migrations.ts tests the effects of migrations on every engine. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { migrations } from './migrations/index.ts'

test('the names of the migrations are dates, in the order of the list', () => {
  const names = Object.keys(migrations)
  assert.ok(names.length > 0)
  assert.deepEqual(names, names.toSorted())
  for (const name of names) assert.match(name, /^\d{4}-\d\d-\d\d-[a-z0-9-]+$/)
})
