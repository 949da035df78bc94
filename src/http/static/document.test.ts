import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createDocument, createJsonDocument } from './document.ts'

test('a document is made once for all requests of its source, and again for another one', async () => {
  let times = 0
  const document = createJsonDocument((source: { text: string }) => {
    times += 1
    return source
  })
  const source = { text: 'a'.repeat(1_000) }
  const [file, same] = await Promise.all([document(source), document(source)])
  assert.equal(file, same)
  assert.equal(await document(source), file)
  assert.equal(times, 1)
  const json = JSON.stringify(source)
  assert.equal(String(file.bytes), json)
  const other = await document({ text: 'b' })
  assert.notEqual(other.hash, file.hash)
  assert.equal(times, 2)
})

test('a document that could not be read is read again for the next request', async () => {
  const results = [Promise.reject(new Error('EMFILE')), Promise.resolve(Buffer.from('x'))]
  const document = createDocument('text/plain', () => results.shift() ?? assert.fail('a third time'))
  await assert.rejects(document(''), /EMFILE/)
  assert.equal(String((await document('')).bytes), 'x')
})
