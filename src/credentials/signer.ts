/** Signers: who signs the claims of manifests. */
import { type KeyObject, sign, type X509Certificate } from 'node:crypto'
import type { SigningChain } from './chain.ts'
import { type Algorithm, algorithms } from './cose.ts'

export interface Signer {
  algorithm: Algorithm
  /** The leaf is the first one. */
  certificates: readonly X509Certificate[]
  /** Signs exactly these bytes. ECDSA: r and s, as in IEEE P1363. Throws a `Fault`, and the reason of the signal. */
  sign(bytes: Buffer, signal: AbortSignal): Promise<Buffer>
}

export function createKeySigner({ algorithm, certificates }: SigningChain, key: KeyObject): Signer {
  return {
    algorithm,
    certificates,
    sign: async (bytes) => sign(algorithms[algorithm].hash, bytes, { key, dsaEncoding: 'ieee-p1363' }),
  }
}

/** The message of an error, to be a part of a sentence. */
export function reasonOf(error: unknown): string {
  return (error instanceof Error ? error.message : String(error)).replace(/\.$/, '')
}
