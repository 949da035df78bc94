import { createHash } from 'node:crypto'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { StoredBytes } from '../../domain/images/image.ts'

/** Hashed in less than a millisecond. */
const sliceBytes = 1_048_576

/** Hashes a slice in each turn of the event loop. */
export async function factsOf(bytes: Buffer): Promise<StoredBytes> {
  const hash = createHash('sha256')
  for (let at = 0; at < bytes.byteLength; at += sliceBytes) {
    if (at > 0) await nextTurn()
    hash.update(bytes.subarray(at, at + sliceBytes))
  }
  return { bytes: bytes.byteLength, sha256: hash.digest('hex') }
}
