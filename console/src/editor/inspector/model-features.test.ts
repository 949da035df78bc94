import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { acceptsSeed } from './model-features.ts'

type Providers = Parameters<typeof acceptsSeed>[0]
type Model = Providers['providers'][number]['models'][number]

function model(name: string, can: Record<string, { seed?: boolean }>): Model {
  const features = Object.entries(can).map(([capability, feature]) => [capability, { ...feature, price: null }])
  return { model: name, can: Object.fromEntries(features), defaultFor: [], problem: null }
}

const models = [
  model('acme/plain', { generate: {}, edit: { seed: true } }),
  model('acme/seeded', { generate: { seed: true } }),
  model('acme/any-*', { generate: { seed: true } }),
  model('acme/any-one-*', { generate: {} }),
  model('local/tiny', { generate: {} }),
]
const provider = {
  ...{ id: 'acme', title: 'Acme', summary: '', docsUrl: null, configured: true, missing: [], problem: null },
  capabilities: [],
  models,
}
const listed = (generate: string[]) => ({ providers: [provider], defaults: { generate } }) as unknown as Providers

describe('a model accepts a seed', () => {
  const accepts = (chosen: unknown, capability = 'generate', defaults = ['acme/plain']) =>
    acceptsSeed(listed(defaults), capability, chosen)

  test('if its features for the capability of the node say so', () => {
    assert.equal(accepts('acme/seeded'), true)
    assert.equal(accepts('acme/plain'), false)
    assert.equal(accepts('acme/plain', 'edit'), true)
    assert.equal(accepts('tiny'), false)
  })

  test('if the longest name with * that matches says so', () => {
    assert.equal(accepts('acme/any-two'), true)
    assert.equal(accepts('acme/any-one-more'), false)
  })

  test('of the models that are tried if none is chosen, if one does', () => {
    assert.equal(accepts(undefined), false)
    assert.equal(accepts(''), false)
    assert.equal(accepts(undefined, 'generate', ['acme/plain', 'acme/seeded']), true)
    assert.equal(accepts(undefined, 'write'), false)
  })

  test('if it is not known: a template, or a model that no provider lists', () => {
    assert.equal(accepts('{{ model }}'), true)
    assert.equal(accepts('acme/unknown'), true)
    assert.equal(accepts('acme/seeded', 'edit'), true)
  })
})
