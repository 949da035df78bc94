import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Fault } from '../errors.ts'
import { rootOf, serviceOf } from './target.ts'

const stored = { url: 'https://stored.test', key: 'stored-key' }
const codeOf = (act: () => unknown): string => {
  try {
    act()
  } catch (error) {
    assert.ok(error instanceof Fault)
    return error.code
  }
  return 'none'
}

test('--local is the database, then the URL selects a service, then the login, then the database', () => {
  assert.equal(serviceOf({ local: true, url: 'https://other.test', key: 'k' }, stored), undefined)
  assert.deepEqual(serviceOf({ url: 'https://other.test/v1/', key: 'k' }, stored), {
    url: 'https://other.test',
    key: 'k',
  })
  assert.deepEqual(serviceOf({}, stored), stored)
  assert.equal(serviceOf({}, undefined), undefined)
  assert.equal(serviceOf({ url: '', key: '' }, undefined), undefined)
})

test('the stored key is sent to its own address only', () => {
  assert.deepEqual(serviceOf({ url: 'https://stored.test/' }, stored), stored)
  assert.equal(
    codeOf(() => serviceOf({ url: 'https://other.test' }, stored)),
    'unauthorized',
  )
  assert.equal(
    codeOf(() => serviceOf({ url: 'http://stored.test' }, stored)),
    'unauthorized',
  )
})

test('an account of the database is an error with a service, and so is something else than an address', () => {
  assert.equal(
    codeOf(() => serviceOf({ account: 'acct_1' }, stored)),
    'invalid_request',
  )
  assert.equal(serviceOf({ account: 'acct_1', local: true }, stored), undefined)
  for (const url of ['images.example.com', 'ftp://images.example.com', 'http:', '/v1'])
    assert.equal(
      codeOf(() => rootOf(url)),
      'invalid_request',
      url,
    )
})
