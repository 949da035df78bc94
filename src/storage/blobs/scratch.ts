import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Clock } from '../../domain/clock.ts'
import { randomBase62 } from '../../domain/ids.ts'
import { removeFilesBefore } from './files.ts'

/** No process still writes a temporary file that is this old. */
const leftoverMs = 3_600_000

/**
 * A folder for staged blobs. Creates the folder if it is missing, and deletes the files that a crash left behind. Other processes may use
 * it at the same time: each file name is unique.
 */
export function openScratch(dir: string, clock: Clock): () => string {
  mkdirSync(dir, { recursive: true })
  removeFilesBefore(dir, clock.now() - leftoverMs)
  const ownName = randomBase62(16)
  let count = 0
  return () => join(dir, `${ownName}-${++count}`)
}
