import assert from 'node:assert/strict'
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { catalogue } from '../operations/index.ts'
import type { ModelPackage } from './define-model.ts'
import { packagedModels, runtimePackages } from './registry.ts'
import { folderOf } from './store.ts'
import { noModels } from './test-models.ts'

const root = new URL('../../', import.meta.url)
const { packages } = json('models/package-lock.json') as {
  packages: Record<string, { version: string; integrity: string }>
}
const models = [...packagedModels.values()]

test('the models of the tests have the version and bytes that are installed elsewhere', () => {
  const expectedPackages = [
    ...models.filter(({ permissive }) => permissive).map((model) => model.package),
    ...runtimePackages,
  ]
  assert.ok(expectedPackages.length >= 4)
  for (const { name, version, integrity } of expectedPackages) {
    const locked = packages[`node_modules/${name}`]
    assert.deepEqual({ version: locked?.version, integrity: locked?.integrity }, { version, integrity }, name)
  }
})

test('models without a permissive licence are in no package list: users add them', () => {
  const listed = models.filter(({ package: { name } }) => packages[`node_modules/${name}`] !== undefined)
  assert.deepEqual(
    listed,
    models.filter(({ permissive }) => permissive),
  )
})

test('every model belongs to an operation, and declares its real size on disk', () => {
  for (const model of models) {
    assert.ok(catalogue.has(model.operation), model.name)
    const folder = folderOf(model.package)
    if (folder === undefined) continue
    const bytes = bytesOf(folder, model.package)
    assert.ok(Math.abs(bytes - model.bytes) < 0.1 * bytes, `${model.name}: ${bytes} bytes, not ${model.bytes}`)
  }
})

test('every graph of every installed model can be read', { skip: noModels }, async () => {
  let read = 0
  for (const { package: source, graphs, name } of models) {
    const folder = folderOf(source)
    if (folder === undefined) continue
    for (const graph of Object.values(graphs)) {
      assert.ok((await graph.load(folder)).length > 1_000, name)
      read += 1
    }
  }
  assert.ok(read >= 2)
})

function bytesOf(folder: string, { keep }: ModelPackage): number {
  const sizes = keep.map((path) => sizeOf(join(folder, path)))
  return sizes.reduce((sum, size) => sum + size, 0)
}

function sizeOf(path: string): number {
  const facts = statSync(path)
  if (!facts.isDirectory()) return facts.size
  return readdirSync(path).reduce((sum, name) => sum + sizeOf(join(path, name)), 0)
}

function json(file: string): unknown {
  return JSON.parse(readFileSync(new URL(file, root), 'utf8'))
}
