import assert from 'node:assert/strict'
import { test } from 'node:test'
import { document } from '../../../test/contract/records.ts'
import type { Delivery } from '../../domain/delivery/delivery.ts'
import { allowsHost } from '../../domain/delivery/delivery.ts'
import type { ParameterDeclaration } from '../../domain/workflows/workflow.ts'
import { checkDelivery } from './check-delivery.ts'

const parameters = [
  { name: 'headline', type: 'string', required: true },
  { name: 'exp', type: 'number', default: 1 },
] as ParameterDeclaration[]
const issues = (delivery: Delivery | undefined) =>
  checkDelivery({ ...document(), parameters, ...(delivery && { delivery }) }).map(({ path }) => path)

test('a document without delivery has no rules, and one with its required parameters is valid', () => {
  assert.deepEqual(issues(undefined), [])
  assert.deepEqual(issues({ parameters: ['headline'] }), [])
})

test('unknown, repeated and reserved names, and required parameters that are missing, are issues', () => {
  assert.deepEqual(issues({ parameters: ['headlin'] }), ['delivery.parameters.0', 'delivery.parameters'])
  assert.deepEqual(issues({ parameters: ['headline', 'headline'] }), ['delivery.parameters.1'])
  assert.deepEqual(issues({ parameters: ['headline', 'exp'] }), ['delivery.parameters.1'])
  assert.deepEqual(issues({}), ['delivery.parameters'])
})

test('a host is allowed by its name, or by a wildcard for the hosts below a name', () => {
  const hosts = ['images.example.com', '*.example.org']
  for (const host of ['images.example.com', 'a.example.org', 'a.b.example.org'])
    assert.ok(allowsHost(hosts, host), host)
  for (const host of [
    'example.com',
    'x.images.example.com',
    'example.org',
    'badexample.org',
    'a.example.org.evil.com',
    '',
  ])
    assert.ok(!allowsHost(hosts, host), host)
})
