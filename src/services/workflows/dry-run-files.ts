/** Temporary files of the images of one rendering: in memory, all outputs of a workflow together would be gigabytes. */
import { readFile } from 'node:fs/promises'
import type { BlobStore, StagedBlob } from '../../domain/images/image.ts'
import { failure } from '../../errors.ts'
import { limits } from '../../limits.ts'

export interface DryRunFile {
  /** Bytes. */
  size: number
  sha256: string
  read(): Promise<Buffer>
}

export interface DryRunFiles {
  /** Throws `limit_exceeded` if the files of the rendering are too large together. */
  add(bytes: Buffer): Promise<DryRunFile>
  /** Removes all files. */
  discard(): Promise<void>
}

/** `bytesMax`: of all files together. */
export function createDryRunFiles(
  stage: BlobStore['stage'],
  bytesMax: number = limits.renderedFilesBytesMax,
): DryRunFiles {
  const staged = new Set<StagedBlob>()
  let bytesOfAll = 0
  let isDiscarded = false
  return {
    async add(bytes) {
      bytesOfAll += bytes.length
      if (bytesOfAll > bytesMax) throw tooLarge(bytesMax)
      const file = await stage(inOnePart(bytes), { bytesMax: bytes.length })
      // Encoding can't be stopped, so it may end after its run.
      if (isDiscarded) {
        await file.discard()
        throw new Error('the rendering has ended')
      }
      staged.add(file)
      return { size: file.bytes, sha256: file.sha256, read: () => readFile(file.path) }
    },

    async discard() {
      isDiscarded = true
      for (const file of staged) await file.discard()
      staged.clear()
    },
  }
}

async function* inOnePart(bytes: Buffer) {
  yield bytes
}

function tooLarge(bytesMax: number) {
  return failure(
    'limit_exceeded',
    `The images of the example, each as it is served and without loss, have more than ${Math.floor(bytesMax / 1e6)} MB together, the maximum of a comparison. Make the images of the example smaller.`,
  )
}
