import assert from 'node:assert/strict'
import { test } from 'node:test'
import { account, image as imageOf } from '../../../test/contract/records.ts'
import { createFairQueue } from '../../domain/fair-queue.ts'
import { Fault } from '../../errors.ts'
import { createRenditions } from './renditions.ts'

const image = imageOf({ accountId: account().id })

test('an account with too many bytes of files is busy: nothing is rendered or stored', async () => {
  const calls: string[] = []
  const added: [accountId: string, bytes: number][] = []
  const state = { isFull: true }
  const renditions = createRenditions({
    derivedFiles: {
      async add(file) {
        calls.push('add')
        return file
      },
    },
    blobs: {
      async put(_key, bytes) {
        calls.push('put')
        return { bytes: bytes.length, sha256: '' }
      },
      remove: async () => assert.fail(),
    },
    derivedBytes: {
      isFull: () => state.isFull,
      add: (accountId, bytes) => void added.push([accountId, bytes]),
    },
    async render() {
      calls.push('render')
      return { bytes: Buffer.from('bytes'), format: 'webp', width: 1, height: 1 }
    },
    waiting: createFairQueue({ perAccount: 10 }),
    clock: { now: () => 1_795_000_000_000 },
    perAccountMax: 2,
    seconds: 10,
  })
  const make = () => renditions.make(image, { width: 10, fit: 'inside', format: 'webp' }, 'v')
  await assert.rejects(
    make(),
    (error) => error instanceof Fault && error.code === 'unavailable' && error.details.deliveryStatus === 'busy',
  )
  assert.deepEqual([calls, added], [[], []])
  state.isFull = false
  assert.notEqual(await make(), 'deleted')
  assert.deepEqual(calls, ['render', 'put', 'add'])
  assert.deepEqual(added, [[image.accountId, 5]])
})
