import type { BlobStore } from '../../domain/image.ts'
import type { BlobFacts } from './blob-facts.ts'

const blobsAhead = 16
/** A larger one is opened when its turn comes. */
const wholeBytesMax = 1_048_576

interface Ahead {
  blob: BlobFacts
  /** Its bytes, once. Throws `BlobMissing`. */
  content(): Promise<AsyncIterable<Uint8Array>>
}

/** In their order, with the small ones that come next read already: a store on the network answers each after a while. */
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
  if (blob.bytes > wholeBytesMax) return { blob, content: () => blobs.open(blob.key) }
  const bytes = blobs.read(blob.key)
  // Told when its turn comes.
  bytes.catch(() => {})
  return { blob, content: async () => once(await bytes) }
}

async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array, void> {
  yield bytes
}
