import assert from 'node:assert/strict'
import { readdirSync } from 'node:fs'
import { test } from 'node:test'
import Value from 'typebox/value'
import { upscale } from '../operations/filter/upscale.ts'
import { modelIssues } from './catalog/models-file.ts'
import type { ModelRow, Provider } from './define.ts'
import { providersById } from './index.ts'

const adapters = new URL('adapters/', import.meta.url)
const all = [...providersById.values()]

test('every adapter is in the list of providers, under the name of its file', async () => {
  const files = readdirSync(adapters).filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
  const found = new Map<string, string>()
  for (const file of files)
    for (const value of Object.values(await import(new URL(file, adapters).href)))
      if (isProvider(value)) found.set(value.id, file)
  assert.ok(found.size >= 12, `found ${found.size}`)
  assert.deepEqual([...found.keys()].sort(), [...providersById.keys()].sort())
  for (const [id, file] of found) assert.equal(file, `${id}.ts`)
})

test('no two providers use the same variable', () => {
  const names = all.flatMap(({ settings, baseUrl }) => [
    ...new Set([...Object.values(settings).flatMap((setting) => setting.names), ...baseUrl.names]),
  ])
  assert.ok(names.length > 24, `found ${names.length}`)
  assert.deepEqual(
    names.filter((name, n) => names.indexOf(name) !== n),
    [],
  )
})

test('every row is valid for MODELS_FILE, and has a capability', async () => {
  let count = 0
  for (const provider of all) {
    const rows = await rowsOf(provider)
    count += rows.length
    const models = Object.fromEntries(rows.map(({ name, ...row }) => [`${provider.id}/${name}`, row]))
    assert.deepEqual(modelIssues({ models }), [], provider.id)
    assert.equal(Object.keys(models).length, rows.length, `${provider.id} has two rows of one name`)
    assert.deepEqual(
      rows.filter(({ can }) => Object.keys(can).length === 0).map(({ name }) => name),
      [],
    )
  }
  assert.ok(count > 60, `found ${count}`)
})

test('no row lists a scale that no node can request', async () => {
  const rows = (await Promise.all(all.map(rowsOf))).flat()
  const scales = new Set(rows.flatMap(({ can }) => can.upscale?.scales ?? []))
  assert.deepEqual(
    [...scales].filter((scale) => !Value.Check(upscale.params, Value.Default(upscale.params, { scale }))),
    [],
  )
  assert.deepEqual(scales, new Set([2, 4]))
})

test('every capability has a provider', async () => {
  const rows = (await Promise.all(all.map(rowsOf))).flat()
  const capabilities = new Set(rows.flatMap(({ can }) => Object.keys(can)))
  assert.deepEqual([...capabilities].sort(), [
    'describe',
    'edit',
    'generate',
    'inpaint',
    'judge',
    'remove-background',
    'upscale',
    'write',
  ])
})

function isProvider(value: unknown): value is Provider {
  return typeof value === 'object' && value !== null && 'id' in value && 'start' in value && 'models' in value
}

async function rowsOf({ models }: Provider): Promise<readonly ModelRow[]> {
  return typeof models === 'function' ? models({}) : models
}
