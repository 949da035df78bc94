/** Messages between the service and the processes of the C2PA library. */
import type { CredentialsReport } from '../domain/credentials/credentials.ts'

/** Roots of the certificates that a signer may have. PEM. */
export interface TrustedRoots {
  /** Trust anchors of the operator: `CREDENTIALS_TRUST_FILE`. */
  others: string
  /**
   * Certificates of this installation. A manifest records by them that the signer of an ingredient was trusted. Readers
   * decide for themselves.
   */
  installation: string
}

export interface LibraryOptions {
  roots: TrustedRoots
  /** The certificate of this installation, DER. Its issuer has other customers, so a signer is an own one by it alone. */
  ownLeaf?: Uint8Array | undefined
  /** Name and version of the program, for the claim generator. */
  generator: { name: string; version: string }
}

export interface SentFile {
  mediaType: string
  bytes: Uint8Array
}

export interface SignJob {
  kind: 'sign'
  file: SentFile
  /** JSON of the manifest. */
  definition: string
  ingredients: { definition: string; file: SentFile }[]
  /** Name in the spelling of the library. */
  algorithm: string
  /** Exact size of the signature. */
  coseBytes: number
}

export interface ReadJob {
  kind: 'read'
  file: SentFile
}

/** Jobs of the library: the options, once, and the signature of a claim, which is undefined if signing failed. */
export type LibraryQuestion = 'options' | { claim: Uint8Array }

export type LibraryResult =
  | { signed: Uint8Array }
  | { report: CredentialsReport | undefined }
  /** The library rejected it. The text is of the library. */
  | { problem: string }
