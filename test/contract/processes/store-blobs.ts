/** Stores blobs endlessly, several at a time. Prints each key when it is durable. */

import { newId } from '../../../src/domain/ids.ts'
import { createFsBlobs } from '../../../src/storage/blobs/fs.ts'
import { contentOf } from './content.ts'

const [dir = ''] = process.argv.slice(2)
const blobs = createFsBlobs({ dir })

async function storeWithoutEnd(): Promise<never> {
  for (;;) {
    const key = `${newId('img', 1)}.png`
    const staged = await blobs.stage(inChunks(contentOf(key)), { bytesMax: 1_000_000 })
    await staged.commit(key)
    process.stdout.write(`${key}\n`)
  }
}

async function putWithoutEnd(): Promise<never> {
  for (;;) {
    const key = newId('step', 1)
    await blobs.put(key, contentOf(key))
    process.stdout.write(`${key}\n`)
  }
}

async function* inChunks(bytes: Buffer): AsyncIterable<Uint8Array> {
  for (let start = 0; start < bytes.byteLength; start += 10_000) yield bytes.subarray(start, start + 10_000)
}

await Promise.all([storeWithoutEnd(), storeWithoutEnd(), putWithoutEnd(), putWithoutEnd()])
