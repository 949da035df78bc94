import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { duration, nameOption, parameter, permissionList, planName, rateLimit } from './options.ts'
import { print } from './print.ts'

describe('the command line', () => {
  it('parses durations, permissions, plans and parameters, and rejects ambiguous values', () => {
    assert.equal(duration('30d'), 2_592_000_000)
    assert.equal(duration('90s'), 90_000)
    assert.deepEqual(permissionList('storage:read, workflows:execute'), ['storage:read', 'workflows:execute'])
    assert.equal(planName('pro'), 'pro')
    assert.equal(rateLimit('500'), 500)
    assert.deepEqual([' Site ', ''].map(nameOption), [' Site ', ''])
    assert.deepEqual(parameter('headline=a=b', { x: '1' }), { x: '1', headline: 'a=b' })
    for (const wrong of [
      () => duration('30'),
      () => duration('soon'),
      () => permissionList('storage:delete'),
      () => planName('gold'),
      () => rateLimit('0'),
      () => rateLimit('1.5'),
      () => parameter('=x', {}),
      () => parameter('x', {}),
      () => nameOption(' \t'),
    ]) {
      assert.throws(wrong)
    }
  })
  it('prints one JSON value per line, or aligned columns', () => {
    assert.equal(print({ a: [1, null] }, true), '{"a":[1,null]}\n')
    assert.equal(
      print(
        [
          { id: 'x', name: 'Long name' },
          { id: 'longer', name: null },
        ],
        false,
      ),
      'id      name\nx       Long name\nlonger  -\n',
    )
    assert.equal(print([], false), '(none)\n')
  })
  it('cuts the longest cells to the width of a terminal, but not the first column, and never elsewhere', () => {
    const rows = [{ id: 'img_0123456789', name: 'a'.repeat(50), kind: 'upload' }]
    const [head = '', line = ''] = print(rows, false, 40).split('\n')
    assert.equal(line, `img_0123456789  ${'a'.repeat(15)}…  upload`)
    assert.ok(head.length <= 40)
    assert.equal(print(rows, false).split('\n')[1], `img_0123456789  ${'a'.repeat(50)}  upload`)
    assert.match(print(rows, false, 10), /^img_0123456789 {2}a{7}… {2}upload$/m)
  })
  it('prints control characters of names as spaces, so that a name cannot change the terminal', () => {
    assert.equal(print([{ name: 'a\u001b[2Jb\nc' }], false), 'name\na [2Jb c\n')
  })
})
