import assert from 'node:assert/strict'
import { test } from 'node:test'
import { failureOf } from './failures.ts'

test('does not repeat words that an adapter already uses', () => {
  const messageOf = (message: string) => failureOf({ model: 'a/b', kind: 'refused', message, billed: 'no' }).message
  const help = 'Change the prompt or the images.'
  assert.equal(
    messageOf('Acme AI rejected the content: no such pictures.'),
    `a/b rejected the content: no such pictures. ${help}`,
  )
  assert.equal(messageOf('Acme AI rejected the content.'), `a/b rejected the content. ${help}`)
  assert.equal(messageOf('It is unsafe.'), `a/b rejected the content: It is unsafe. ${help}`)
})
