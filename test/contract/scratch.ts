import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const folders: string[] = []

/** A new folder, removed when the process ends, after everything in it was closed. */
export function scratchFolder(): string {
  const dir = mkdtempSync(join(tmpdir(), 'tintype-'))
  folders.push(dir)
  return dir
}

process.on('exit', () => {
  for (const dir of folders) rmSync(dir, { recursive: true, force: true })
})
