/** Verifies files of callers: nothing is stored, and the pixels are not decoded, so damaged images can be verified too. */

import { hash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import type { CredentialState } from '../../domain/credentials/credential-state.ts'
import { type Credentials, type CredentialsReport, executionLabel } from '../../domain/credentials/credentials.ts'
import { parseExecutionFacts } from '../../domain/credentials/execution-facts.ts'
import { createFairQueue } from '../../domain/fair-queue.ts'
import type { ImageFormat, StagedBlob } from '../../domain/images/image.ts'
import { Fault, invalidRequest } from '../../errors.ts'
import { limits } from '../../limits.ts'
import type { Reexecute, Reexecution } from './reexecutions.ts'

export interface Verified {
  format: ImageFormat
  /** Bytes. */
  size: number
  sha256: string
  /** Null if the file has no Content Credentials. */
  credentials: CredentialsReport | null
  /** Set if it was requested. Null without the facts of an execution. */
  reexecution?: Reexecution | null
}

export interface VerifyOptions {
  signal: AbortSignal
  /** Executes the steps again that made the file. */
  reexecutes?: boolean | undefined
}

export interface Verification {
  /**
   * Reads the Content Credentials of a staged file, and leaves the file to the caller. Throws `invalid_request` if it is not an
   * image in a known format, and `rate_limited` if too many files of the account wait; to execute again, also as `Reexecute`.
   */
  verify(accountId: string, staged: StagedBlob, options: VerifyOptions): Promise<Verified>
}

interface Dependencies {
  credentials: Pick<Credentials, 'read'>
  /** The format of a file by its bytes. */
  formatOf(bytes: Buffer): ImageFormat | undefined
  /** Undefined without records. */
  reexecute?: Reexecute
}

export function createVerification({ credentials, formatOf, reexecute }: Dependencies): Verification {
  /** Files that are read or wait. */
  const files = createFairQueue({ perAccount: limits.verificationsWaitingMax })

  async function read(accountId: string, staged: StagedBlob, { signal, reexecutes }: VerifyOptions): Promise<Verified> {
    let format: ImageFormat | undefined
    const report = await credentials.read(
      async () => {
        // Only now, so that files that wait are not in memory.
        const bytes = await readFile(staged.path)
        format = formatOf(bytes)
        if (format === undefined) throw unknownFormat()
        return { format, bytes }
      },
      { signal, account: accountId },
    )
    if (format === undefined) throw unknownFormat()
    const verified = { format, size: staged.bytes, sha256: staged.sha256, credentials: report ?? null }
    if (!reexecutes) return verified
    const facts = parseExecutionFacts(report?.assertions[executionLabel])
    if (report === undefined || facts === undefined) return { ...verified, reexecution: null }
    if (report.state === 'invalid') return { ...verified, reexecution: unreliable }
    const output = { file: staged.path, facts }
    const reexecution = (await reexecute?.(accountId, output, signal)) ?? null
    return { ...verified, reexecution: reexecution && withSigner(reexecution, report.state) }
  }

  return {
    async verify(accountId, staged, options) {
      const leave = files.tryEnter({ account: accountId })
      if (leave === undefined) throw tooMany()
      try {
        return await read(accountId, staged, options)
      } finally {
        leave()
      }
    },
  }
}

/** A file of the caller, which stays as it is. Throws `invalid_request` if it can't be read. */
export async function stageFile(file: string): Promise<StagedBlob> {
  const bytes = await readFile(file).catch((error: NodeJS.ErrnoException) => {
    throw invalidRequest([{ path: file, message: `can't be read (${error.code})` }])
  })
  const sha256 = hash('sha256', bytes)
  return { path: file, bytes: bytes.length, sha256, commit: async () => {}, discard: async () => {} }
}

const unreliable: Reexecution = {
  result: 'impossible',
  message: 'The Content Credentials are invalid, so the recorded execution may be another one.',
  steps: [],
}

/** Anyone can sign any image with facts that are copied from another file. */
function withSigner(reexecution: Reexecution, state: CredentialState): Reexecution {
  if (reexecution.result !== 'partial' || state === 'trusted') return reexecution
  return {
    ...reexecution,
    message: `${reexecution.message} Its signer is unknown, so its facts may be those of another file.`,
  }
}

const retrySeconds = 1

function tooMany(): Fault {
  const limit = limits.verificationsWaitingMax
  const message = `${limit} files of the account are being verified, the maximum. Retry in ${retrySeconds} s.`
  return new Fault('rate_limited', message, { limit, retryAfterSeconds: retrySeconds })
}

function unknownFormat(): Fault {
  const message = 'is not an image in a known format. Send a JPEG, PNG, WebP, AVIF, TIFF, GIF or SVG.'
  return invalidRequest([{ path: 'file', message }])
}
