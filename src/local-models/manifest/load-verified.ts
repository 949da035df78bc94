/** Loads a model file, if it is still the one that was installed. */
import { hash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { FileChanged } from '../messages.ts'

/**
 * The runtime gets these bytes, and not the path: a file that changes after its hash was computed is never used. `folder`: of the
 * model.
 */
export async function loadVerified(folder: string, sha256: string): Promise<Uint8Array> {
  const bytes = await readFile(join(folder, modelFile)).catch((error: NodeJS.ErrnoException) => {
    throw new FileChanged(`its file can't be read (${error.code})`)
  })
  const found = hash('sha256', bytes)
  if (found === sha256) return bytes
  throw new FileChanged(`its file has changed since it was installed: the SHA-256 is ${found}, not ${sha256}`)
}

export const modelFile = 'model.onnx'
