/** The files of the built console in memory. Each is read and hashed once. */
import { readdir, readFile, stat } from 'node:fs/promises'
import { join, sep } from 'node:path'
import { mediaTypeOf } from './media-types.ts'
import { type StaticFile, staticFile } from './static-file.ts'

/** Files by request path: `/assets/index-Bno0.js`. Other paths are not found. */
export type ConsoleFiles = ReadonlyMap<string, StaticFile>

export interface ConsoleStore {
  /** `run`: the page of run links. */
  page(name: 'console' | 'run'): Promise<string>
  file(path: string): Promise<StaticFile | undefined>
}

/** Reads the files at the first request, and again after a new build. */
export function createConsoleStore(folder: string): ConsoleStore {
  let version = ''
  let files: Promise<ConsoleFiles> = Promise.resolve(new Map())
  let previous: Promise<ConsoleFiles> = files

  async function current(): Promise<ConsoleFiles> {
    const found = await stat(join(folder, 'index.html')).catch((error) => {
      // The build is being replaced.
      if (version === '') throw error
    })
    const foundVersion = found ? `${found.mtimeMs} ${found.size}` : version
    if (version !== foundVersion) {
      version = foundVersion
      previous = files
      files = readFiles(folder)
      files.catch(() => {
        version = ''
      })
    }
    return files
  }

  return {
    async page(name) {
      const path = name === 'run' ? '/run/index.html' : '/index.html'
      const page = (await current()).get(path)
      if (page === undefined) throw new Error(`The console has no ${path}.`)
      return page.bytes.toString('utf8')
    },
    // A page that was loaded before a new build needs the previous files.
    file: async (path) => (await current()).get(path) ?? (await previous).get(path),
  }
}

async function readFiles(folder: string): Promise<ConsoleFiles> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const names = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name))
  const sources = names.filter((name) => mediaTypeOf(name) !== undefined)
  const files = sources.map(async (name): Promise<[string, StaticFile]> => {
    const file = staticFile(mediaTypeOf(name) ?? 'application/octet-stream', await readFile(name))
    return [name.slice(folder.length).replaceAll(sep, '/'), file]
  })
  return new Map(await Promise.all(files))
}
