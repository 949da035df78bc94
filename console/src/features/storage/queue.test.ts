import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createUploadQueue } from './queue.ts'

interface SentFile {
  name: string
  end(): void
  fail(message: string): void
  signal: AbortSignal
}

function make() {
  const sent: SentFile[] = []
  let done = 0
  const queue = createUploadQueue(
    (file, { signal }) =>
      new Promise<void>((resolve, reject) => {
        signal.addEventListener('abort', () => reject(new Error('cancelled')))
        sent.push({ name: file.name, end: resolve, fail: (message) => reject(new Error(message)), signal })
      }),
    () => {
      done += 1
    },
  )
  return { queue, sent, done: () => done }
}

const files = (...names: string[]) => names.map((name) => new File(['x'], name))
const settled = () => new Promise((settle) => setImmediate(settle))

test('at most three uploads run at the same time, and each end starts the next', async () => {
  const { queue, sent, done } = make()
  queue.add(files('a', 'b', 'c', 'd'))
  assert.deepEqual(
    sent.map(({ name }) => name),
    ['a', 'b', 'c'],
  )
  sent[1]?.end()
  await settled()
  assert.deepEqual(
    sent.map(({ name }) => name),
    ['a', 'b', 'c', 'd'],
  )
  assert.equal(done(), 1)
})

test('a failed upload shows its error, does not stop the others, and can be retried', async () => {
  const { queue, sent } = make()
  queue.add(files('a', 'b'))
  sent[0]?.fail('is no image')
  await settled()
  assert.deepEqual(
    queue.list().map(({ status, problem }) => [status, problem]),
    [
      ['failed', 'is no image'],
      ['sending', undefined],
    ],
  )
  queue.retry(queue.list()[0]?.id ?? 0)
  assert.equal(sent.length, 3)
  sent[2]?.end()
  await settled()
  assert.equal(queue.list()[0]?.status, 'done')
  queue.clear()
  assert.equal(queue.list().length, 1)
})

test('a cancelled upload is removed, and its request aborted', async () => {
  const { queue, sent } = make()
  queue.add(files('a'))
  queue.cancel(queue.list()[0]?.id ?? 0)
  await settled()
  assert.ok(sent[0]?.signal.aborted)
  assert.deepEqual(queue.list(), [])
})
