/** Files of commands: input that is read, and output that is complete or absent. */
import { accessSync, constants, createWriteStream, openAsBlob, statSync } from 'node:fs'
import { rename, rm } from 'node:fs/promises'
import { basename, dirname } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { Fault, invalidRequest } from '../errors.ts'

/** The content of a file with its name. It is read while it is sent, not before. */
export async function fileToSend(path: string): Promise<File> {
  const stats = statSync(path, { throwIfNoEntry: false })
  if (stats === undefined) throw invalidRequest([{ path, message: "can't be read (ENOENT)" }])
  if (!stats.isFile()) throw invalidRequest([{ path, message: 'is not a file' }])
  try {
    accessSync(path, constants.R_OK)
  } catch (error) {
    throw invalidRequest([{ path, message: `can't be read (${(error as NodeJS.ErrnoException).code})` }])
  }
  return new File([await openAsBlob(path)], basename(path))
}

/** Throws `invalid_request` if the file can't be written. Checked before work that takes time or money. */
export function requireWritable(path: string, option: string): void {
  const problem = (message: string) => invalidRequest([{ path: option, message }])
  if (path === '-') return
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory())
    throw problem(`is ${JSON.stringify(path)}, which is a folder. Add the name of a file.`)
  try {
    accessSync(dirname(path), constants.W_OK)
  } catch {
    throw problem(`is in ${JSON.stringify(dirname(path))}, which does not exist or is not writable.`)
  }
}

/**
 * Writes the body of a response to a file, which is complete or absent, or to standard output (`-`). A body that is cut is requested again for a
 * file. Returns its bytes.
 */
export async function writeResponse(request: () => Promise<Response>, path: string): Promise<number> {
  for (let tries = 1; ; tries += 1) {
    const { body } = await request()
    try {
      return await write(body, path)
    } catch (error) {
      // The error of a stream of `fetch` that was cut. Those of files are others.
      if (!(error instanceof TypeError) || tries === triesMax || path === '-') throw cut(error)
    }
  }
}

const triesMax = 5

async function write(body: Response['body'], path: string): Promise<number> {
  let size = 0
  const counted = async function* () {
    if (body === null) return
    for await (const chunk of Readable.fromWeb(body as never)) {
      size += (chunk as Uint8Array).byteLength
      yield chunk as Uint8Array
    }
  }
  if (path === '-') {
    await pipeline(counted, process.stdout, { end: false })
    return size
  }
  const part = `${path}.part`
  try {
    await pipeline(counted, createWriteStream(part))
    await rename(part, path)
  } catch (error) {
    await rm(part, { force: true })
    throw error
  }
  return size
}

function cut(error: unknown): unknown {
  if (error instanceof TypeError)
    return new Fault('unavailable', 'The response ended early, several times.', {}, { cause: error })
  const { code, path, message } = error as NodeJS.ErrnoException
  return code === undefined
    ? error
    : invalidRequest([{ path: path ?? '', message: `can't be written (${code}): ${message}` }])
}
