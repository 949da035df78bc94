/** Verifies files of callers: nothing is stored, and the pixels are not decoded, so damaged images can be verified too. */
import { readFile } from 'node:fs/promises'
import type { Credentials, CredentialsReport } from '../domain/credentials.ts'
import type { ImageFormat, StagedBlob } from '../domain/image.ts'
import { Fault, invalidRequest } from '../errors.ts'
import { limits } from '../limits.ts'

export interface Verified {
  format: ImageFormat
  /** Bytes. */
  size: number
  sha256: string
  /** Null if the file has no Content Credentials. */
  credentials: CredentialsReport | null
}

export interface Verification {
  /**
   * Reads the Content Credentials of a staged file, and leaves the file to the caller. Throws `invalid_request` if it is not an
   * image in a known format, and `rate_limited` if too many files of the account wait.
   */
  verify(accountId: string, staged: StagedBlob, signal: AbortSignal): Promise<Verified>
}

interface Dependencies {
  credentials: Pick<Credentials, 'read'>
  /** The format of a file by its bytes. */
  formatOf(bytes: Buffer): ImageFormat | undefined
}

export function createVerification({ credentials, formatOf }: Dependencies): Verification {
  /** Files that are read or wait, by account. */
  const waiting = new Map<string, number>()

  async function read(accountId: string, staged: StagedBlob, signal: AbortSignal): Promise<Verified> {
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
    return { format, size: staged.bytes, sha256: staged.sha256, credentials: report ?? null }
  }

  return {
    async verify(accountId, staged, signal) {
      const count = waiting.get(accountId) ?? 0
      if (count >= limits.verificationsWaitingMax) throw tooMany()
      waiting.set(accountId, count + 1)
      try {
        return await read(accountId, staged, signal)
      } finally {
        const left = (waiting.get(accountId) ?? 1) - 1
        if (left > 0) waiting.set(accountId, left)
        else waiting.delete(accountId)
      }
    },
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
