/** Stores the images that files of the command line name, each once. */
import { hash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { basename, dirname, resolve } from 'node:path'
import { invalidRequest } from '../errors.ts'
import type { CliApi } from './target.ts'

/** Stores bytes, and returns the id of their image. */
export type StoreImage = (bytes: Buffer, name: string) => Promise<string>

/** Returns the id of the image at a path relative to the file. */
export function uploadFrom(file: string, store: StoreImage): (path: string) => Promise<string> {
  const ids = new Map<string, Promise<string>>()
  return (path) => {
    const image = resolve(dirname(file), path)
    const id = ids.get(image) ?? read(image, path).then((bytes) => store(bytes, basename(image)))
    ids.set(image, id)
    return id
  }
}

async function read(file: string, path: string): Promise<Buffer> {
  return readFile(file).catch((cause) => {
    throw invalidRequest([{ path, message: `can't be read (${(cause as NodeJS.ErrnoException).code})` }])
  })
}

/** Bytes that the account has under this name are not uploaded again. */
export function storeOnce({ client, request }: CliApi): StoreImage {
  return async (bytes, name) => {
    const sha256 = hash('sha256', bytes)
    // The search finds parts of names, too.
    for await (const found of client.images.list({ source: 'upload', search: name }, request)) {
      if (found.name !== name || found.size !== bytes.length || found.expiresAt !== undefined) continue
      if ((await etagOf(found.url, { client, request })).includes(sha256)) return found.id
    }
    return (await client.upload(new File([new Uint8Array(bytes)], name), request)).id
  }
}

/** The ETag of an image has the SHA-256 of its bytes. */
async function etagOf(url: string, { client, request }: Pick<CliApi, 'client' | 'request'>): Promise<string> {
  const { pathname, searchParams } = new URL(url)
  const file = pathname.split('/').at(-1) ?? ''
  const response = await client.images.content(file, Object.fromEntries(searchParams), request)
  await response.body?.cancel()
  return response.headers.get('etag') ?? ''
}
