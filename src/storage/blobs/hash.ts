import { hash } from 'node:crypto'
import type { StoredBytes } from '../../domain/images/image.ts'

export function factsOf(bytes: Buffer): StoredBytes {
  return { bytes: bytes.byteLength, sha256: hash('sha256', bytes) }
}
