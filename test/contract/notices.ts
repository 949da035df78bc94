import assert from 'node:assert/strict'
import { describe, type TestContext, test } from 'node:test'
import type { ExecutionNotice, ExecutionNotices } from '../../src/domain/executions/execution-notice.ts'

interface Opened {
  notices: ExecutionNotices
  /** Errors that listeners threw so far. */
  errors: unknown[]
  /** Returns when the sent notices have been delivered. */
  flush(): Promise<void>
}

export function noticesContract(name: string, open: (t: TestContext) => Promise<Opened>): void {
  describe(`notices ${name}`, () => {
    test('every listener gets every notice, in order', async (t) => {
      const { notices, flush } = await open(t)
      const received: ExecutionNotice[][] = [[], []]
      for (const each of received) notices.listen((notice) => each.push(notice))
      const sent: ExecutionNotice[] = [
        { kind: 'enqueued' },
        { kind: 'changed', executionId: 'exec_1' },
        { kind: 'ended', executionId: 'exec_1' },
        { kind: 'cancelled', executionId: 'exec_2' },
      ]
      for (const notice of sent) notices.send(notice)
      await flush()
      assert.deepEqual(received, [sent, sent])
    })

    test('an error of a listener affects neither other listeners nor the sender', async (t) => {
      const { notices, errors, flush } = await open(t)
      let received = 0
      const broken = new Error('broken')
      notices.listen(() => {
        throw broken
      })
      notices.listen(() => received++)
      notices.send({ kind: 'enqueued' })
      notices.send({ kind: 'enqueued' })
      await flush()
      assert.equal(received, 2)
      assert.deepEqual(errors, [broken, broken])
    })

    test('a listener that stopped gets no more notices, and the others still do', async (t) => {
      const { notices, flush } = await open(t)
      let received = 0
      const listener = () => {
        received++
      }
      const stop = notices.listen(listener)
      notices.listen(listener)
      stop()
      stop()
      notices.send({ kind: 'enqueued' })
      await flush()
      assert.equal(received, 1)
    })

    test('listeners can be added and removed while a notice is delivered', async (t) => {
      const { notices, flush } = await open(t)
      const received: string[] = []
      const stopFirst = notices.listen(() => {
        received.push('first')
        stopFirst()
        stopSecond()
        notices.listen(() => received.push('late'))
      })
      const stopSecond = notices.listen(() => received.push('second'))
      notices.send({ kind: 'enqueued' })
      await flush()
      assert.deepEqual(received, ['first'])
      notices.send({ kind: 'enqueued' })
      await flush()
      assert.deepEqual(received, ['first', 'late'])
    })
  })
}
