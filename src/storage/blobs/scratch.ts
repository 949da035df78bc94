import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Clock } from '../../domain/clock.ts'
import { randomBase62 } from '../../domain/ids.ts'
import { removeFilesBefore } from './files.ts'

/** A temporary file this old belongs to nobody that still writes it. */
const leftoverMs = 3_600_000

/**
 * A folder for blobs that are on their way, made as needed and rid of what a crash left behind. Other processes may use
 * it at the same time. Gives names of files that nobody else has.
 */
export function openScratch(dir: string, clock: Clock): () => string {
  mkdirSync(dir, { recursive: true })
  removeFilesBefore(dir, clock.now() - leftoverMs)
  const ownName = randomBase62(16)
  let count = 0
  return () => join(dir, `${ownName}-${++count}`)
}
