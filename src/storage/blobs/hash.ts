import { hash, webcrypto } from 'node:crypto'

/** Below this the event loop hashes faster than it can ask a thread. */
const hashedInThreadBytes = 262_144

/** In hexadecimal digits. */
export async function sha256Of(bytes: Buffer): Promise<string> {
  if (bytes.byteLength < hashedInThreadBytes) return hash('sha256', bytes)
  return Buffer.from(await webcrypto.subtle.digest('SHA-256', bytes)).toString('hex')
}
