import { BlobMissing, type BlobStore } from '../../domain/images/image.ts'
import { sha256 } from './archive.ts'
import type { BlobFacts } from './blob-facts.ts'

const blobsAhead = 16
/** Larger blobs are opened when it is their turn. */
const readAheadBytesMax = 1_048_576

interface Ahead {
  blob: BlobFacts
  /** The bytes. Call it only once. Throws `BlobMissing`. */
  content(): Promise<AsyncIterable<Uint8Array>>
}

/** Blobs in their order. The next small blobs are read ahead, because a store on the network has a delay for each. */
export async function* readAhead(blobs: BlobStore, list: AsyncIterable<BlobFacts>): AsyncGenerator<Ahead, void> {
  const waiting: Ahead[] = []
  for await (const blob of list) {
    waiting.push(begin(blobs, blob))
    const first = waiting.length > blobsAhead ? waiting.shift() : undefined
    if (first !== undefined) yield first
  }
  yield* waiting
}

function begin(blobs: BlobStore, blob: BlobFacts): Ahead {
  if (blob.bytes > readAheadBytesMax) return { blob, content: () => blobs.open(blob.key) }
  const bytes = blobs.read(blob.key)
  // The error is thrown when it is its turn.
  bytes.catch(() => {})
  return { blob, content: async () => once(await bytes) }
}

/** The blobs of one record after another. If one blob of a record is missing, all of them count as missing. */
export async function* readWhole(blobs: BlobStore, records: AsyncIterable<string[]>): AsyncGenerator<Ahead, void> {
  for await (const keys of records) {
    const read = await Promise.allSettled(keys.map((key) => blobs.read(key)))
    const lost = read.find((result) => result.status === 'rejected')
    if (lost !== undefined && !(lost.reason instanceof BlobMissing)) throw lost.reason
    for (const [i, key] of keys.entries()) {
      const result = read[i]
      const bytes = result?.status === 'fulfilled' ? result.value : Buffer.alloc(0)
      const blob = { key, bytes: bytes.byteLength, hash: sha256().update(bytes).digest('hex') }
      yield { blob, content: lost ? () => Promise.reject(lost.reason) : async () => once(bytes) }
    }
  }
}

async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array, void> {
  yield bytes
}
