import { createHash } from 'node:crypto'
import { setImmediate as nextTurn } from 'node:timers/promises'

/** Hashed in less than a millisecond. */
const sliceBytes = 1_048_576

/** In hexadecimal digits. Hashes a slice in each turn of the event loop. */
export async function sha256Of(bytes: Buffer): Promise<string> {
  const hash = createHash('sha256')
  for (let at = 0; at < bytes.byteLength; at += sliceBytes) {
    if (at > 0) await nextTurn()
    hash.update(bytes.subarray(at, at + sliceBytes))
  }
  return hash.digest('hex')
}
