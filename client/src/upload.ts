/** Bodies with files: forms, and uploads that report progress. */
import type { Send } from './transport.ts'
import type { FileInput } from './types.ts'

export interface UploadProgress {
  /** Bytes of the file that were sent. */
  loaded: number
  /** Bytes of the file. */
  total: number
}

/** A content and its name; undefined for content without a name. */
export interface NamedFile {
  blob: Blob
  name: string | undefined
}

/** Reads a path lazily: the blob is read for each attempt, not stored in memory. */
export async function openFile(file: FileInput): Promise<NamedFile> {
  if (typeof file === 'string') return openPath(file)
  if (file instanceof Blob) return { blob: file, name: 'name' in file ? String(file.name) : undefined }
  return { blob: new Blob([file as Uint8Array<ArrayBuffer>]), name: undefined }
}

interface FileSystem {
  openAsBlob(path: string): Promise<Blob>
}

async function openPath(path: string): Promise<NamedFile> {
  // A name that bundlers don't resolve: builds for browsers have no file system.
  const name = 'node:fs'
  const { openAsBlob } = (await import(/* @vite-ignore */ /* webpackIgnore: true */ name).catch((cause: unknown) => {
    throw new TypeError('A path needs a file system: in a browser, pass a File or Blob.', { cause })
  })) as FileSystem
  try {
    return { blob: await openAsBlob(path), name: path.split(/[\\/]/).pop() }
  } catch (cause) {
    throw new TypeError(`The file "${path}" can't be read.`, { cause })
  }
}

/** The form of the fields. Fields without a value are omitted. */
export async function formOf(fields: object): Promise<FormData> {
  const form = new FormData()
  for (const [name, value] of Object.entries(fields)) {
    if (value === undefined || value === null) continue
    if (name !== 'file') form.append(name, String(value))
  }
  // Last, so that the service knows the other fields when the file arrives.
  const { file } = fields as { file?: FileInput }
  if (file === undefined) return form
  const { blob, name } = await openFile(file)
  form.append('file', blob, name ?? 'file')
  return form
}

/**
 * Reports the bytes of the file that were sent. In pages and dedicated workers, `XMLHttpRequest` counts bytes that were handed to the network.
 * Node, Bun and Deno: bytes that `fetch` has read, which are ahead of the network by its buffers. Elsewhere, such as in service workers, only start and end
 * are reported.
 */
export function sendWithProgress(
  size: number,
  report: (progress: UploadProgress) => void,
  fetch: typeof globalThis.fetch | undefined,
): Send {
  let reported: number | undefined
  const reportSent = (sent: number): void => {
    const loaded = Math.max(0, Math.min(size, sent))
    if (loaded !== reported) report({ loaded, total: size })
    reported = loaded
  }
  return async (url, init) => {
    reportSent(0)
    const isServer =
      typeof (globalThis as { process?: { versions?: { node?: string } } }).process?.versions?.node === 'string'
    const Xhr = (globalThis as { XMLHttpRequest?: new () => Xhr }).XMLHttpRequest
    if (fetch === undefined && !isServer && Xhr)
      return sendByXhr(new Xhr(), url, init, (loaded, total) => reportSent(loaded - (total - size)))
    const counted = isServer ? countedBody(init, reportSent) : init
    const response = await (fetch ?? globalThis.fetch)(url, counted)
    reportSent(size)
    return response
  }
}

type Init = Parameters<Send>[1]

/** Encodes the form as a stream of counted bytes. */
function countedBody(init: Init, reportSent: (loaded: number) => void): Init {
  const encoded = new Response(init.body as FormData)
  const headers = new Headers(init.headers)
  headers.set('content-type', encoded.headers.get('content-type') ?? '')
  let loaded = 0
  const counter = new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, controller) {
      loaded += chunk.byteLength
      reportSent(loaded)
      controller.enqueue(chunk)
    },
  })
  const streaming = { ...init, headers, body: encoded.body?.pipeThrough(counter), duplex: 'half' }
  return streaming as Init
}

/** The part of XMLHttpRequest that is used: its types are those of pages only. */
interface Xhr {
  status: number
  responseText: string
  upload: { onprogress: ((event: { loaded: number; total: number }) => void) | null }
  onload: (() => void) | null
  onerror: (() => void) | null
  onabort: (() => void) | null
  open(method: string, url: string): void
  setRequestHeader(name: string, value: string): void
  getAllResponseHeaders(): string
  send(body: unknown): void
  abort(): void
}

function sendByXhr(
  xhr: Xhr,
  url: string,
  { method = 'POST', headers, body, signal }: Init,
  onProgress: (loaded: number, total: number) => void,
): Promise<Response> {
  return new Promise((resolve, reject) => {
    const abort = (): void => xhr.abort()
    const end = (settle: () => void) => (): void => {
      signal.removeEventListener('abort', abort)
      settle()
    }
    xhr.open(method, url)
    for (const [name, value] of headers) xhr.setRequestHeader(name, value)
    xhr.upload.onprogress = ({ loaded, total }) => onProgress(loaded, total)
    xhr.onload = end(() => {
      const lines = xhr
        .getAllResponseHeaders()
        .trim()
        .split(/[\r\n]+/)
      const pairs = lines.flatMap((line): [string, string][] => {
        const at = line.indexOf(':')
        return at > 0 ? [[line.slice(0, at), line.slice(at + 1).trim()]] : []
      })
      resolve(new Response(xhr.status === 204 ? null : xhr.responseText, { status: xhr.status, headers: pairs }))
    })
    xhr.onerror = end(() => reject(new TypeError('The connection was refused or cut.')))
    xhr.onabort = end(() => reject(signal.reason))
    signal.addEventListener('abort', abort, { once: true })
    xhr.send(body)
  })
}
