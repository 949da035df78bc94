import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sessionTokenOf } from './cookie.ts'

const token = 'a'.repeat(43)

test('the session is found among other cookies', () => {
  const found: [cookies: string | undefined, token: string | undefined][] = [
    [undefined, undefined],
    ['', undefined],
    ['a=1; b=2', undefined],
    [`not_tintype_session=${token}`, undefined],
    [`a=tintype_session=${token}`, undefined],
    [`tintype_session=${token}`, token],
    [`a=1;  tintype_session = ${token} ;b=2`, token],
    ['tintype_session', 'malformed'],
    ['tintype_session=; a=1', 'malformed'],
    [`tintype_session=${token}; a=1; tintype_session=${token}`, 'malformed'],
    [`tintype_session=${token}=`, 'malformed'],
  ]
  for (const [cookies, expected] of found) assert.equal(sessionTokenOf(cookies), expected, cookies)
})

test('thousands of cookies and spaces take linear time', () => {
  for (const cookies of ['a=;'.repeat(100_000), ' '.repeat(200_000), ';tintype_session '.repeat(20_000)])
    assert.equal(sessionTokenOf(`${cookies};tintype_session=${token}; tintype_session=x`), 'malformed')
})
