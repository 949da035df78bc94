/**
 * The part of S3 that the blob store uses, in memory, with faults: each fault has the requests that it affects and the
 * effect. Signatures aren't checked, but `Content-MD5` is.
 */
import { createHash } from 'node:crypto'
import http from 'node:http'
import type { AddressInfo } from 'node:net'

export interface S3Request {
  method: string
  key: string
  query: URLSearchParams
}

interface S3Response {
  status: number
  headers?: Record<string, string>
  body?: Buffer | string
}

/** Changes a response, or the way to it. `respond` reads the request and carries it out. */
export type S3Fault = (
  request: http.IncomingMessage,
  response: http.ServerResponse,
  respond: () => Promise<S3Response>,
) => unknown

interface Stored {
  bytes: Buffer
  headers: Record<string, string>
  tag: string
}

export interface FakeS3 {
  endpoint: string
  bucket: string
  objects: Map<string, Stored>
  put(key: string, bytes: Buffer): void
  /** Keys of multipart uploads that were neither completed nor aborted. */
  unfinished(): string[]
  /** The number of requests of an operation. */
  count(matches: (received: S3Request) => boolean): number
  /** Applies the fault to the next `times` matching requests. */
  injectFault(times: number, matches: (received: S3Request) => boolean, how: S3Fault): void
  close(): Promise<void>
}

const bucket = 'bucket'

export async function startFakeS3(): Promise<FakeS3> {
  const objects = new Map<string, Stored>()
  const uploads = new Map<string, { key: string; headers: Record<string, string>; parts: Map<number, Buffer> }>()
  const log: S3Request[] = []
  const faults: { left: number; matches: (received: S3Request) => boolean; how: S3Fault }[] = []

  function store(key: string, bytes: Buffer, headers: Record<string, string>, tag = md5(bytes).toString('hex')) {
    objects.set(key, { bytes, headers, tag: `"${tag}"` })
    return { etag: `"${tag}"` }
  }

  function upload({ method, key, query }: S3Request, headers: Record<string, string>, body: Buffer): S3Response {
    const id = query.get('uploadId')
    if (id === null) {
      const UploadId = `upload-${log.length}`
      uploads.set(UploadId, { key, headers, parts: new Map() })
      return { status: 200, body: xml('InitiateMultipartUploadResult', { Bucket: bucket, Key: key, UploadId }) }
    }
    const found = uploads.get(id)
    if (found === undefined) return refusal(404, 'NoSuchUpload')
    if (method === 'PUT') {
      found.parts.set(Number(query.get('partNumber')), body)
      return { status: 200, headers: { etag: `"${md5(body).toString('hex')}"` } }
    }
    uploads.delete(id)
    if (method === 'DELETE') return { status: 204 }
    const parts = [...found.parts].sort(([a], [b]) => a - b).map(([, bytes]) => bytes)
    const { etag } = store(key, Buffer.concat(parts), found.headers, `0-${parts.length}`)
    return { status: 200, body: xml('CompleteMultipartUploadResult', { Bucket: bucket, Key: key, ETag: etag }) }
  }

  function read({ method, key }: S3Request, { range, 'if-match': ifMatch }: http.IncomingHttpHeaders): S3Response {
    const found = objects.get(key)
    if (found === undefined) return refusal(404, 'NoSuchKey')
    const { bytes, headers, tag } = found
    if (ifMatch !== undefined && ifMatch !== tag) return refusal(412, 'PreconditionFailed')
    const [, from, to] = (/^bytes=(\d+)-(\d+)$/.exec(range ?? '') ?? []).map(Number)
    if (from === undefined || to === undefined)
      return { status: 200, headers: { ...headers, etag: tag, 'content-length': String(bytes.byteLength) } }
    if (from >= bytes.byteLength) return refusal(416, 'InvalidRange')
    const body = bytes.subarray(from, to + 1)
    const contentRange = `bytes ${from}-${from + body.byteLength - 1}/${bytes.byteLength}`
    return {
      status: 206,
      headers: { ...headers, etag: tag, 'content-range': contentRange },
      body: method === 'HEAD' ? '' : body,
    }
  }

  function list({ query }: S3Request): S3Response {
    const prefix = query.get('prefix') ?? ''
    const keys = [...objects.keys()].filter((key) => key.startsWith(prefix)).toSorted()
    const contents = keys.map((Key) => xml('Contents', { Key, LastModified: new Date().toISOString() }, false))
    const body = xml('ListBucketResult', { Name: bucket, IsTruncated: 'false' }).replace(
      '</ListBucketResult>',
      `${contents.join('')}</ListBucketResult>`,
    )
    return { status: 200, body }
  }

  async function respond(received: S3Request, request: http.IncomingMessage): Promise<S3Response> {
    const body = Buffer.concat(await request.toArray())
    const { 'content-md5': contentMd5 } = request.headers
    if (typeof contentMd5 === 'string' && contentMd5 !== md5(body).toString('base64')) return refusal(400, 'BadDigest')
    if (received.key === '') return list(received)
    const { method, key, query } = received
    if (query.has('uploads') || query.has('uploadId')) return upload(received, storedHeaders(request), body)
    if (method === 'PUT') return { status: 200, headers: store(key, body, storedHeaders(request)) }
    if (method === 'DELETE') {
      objects.delete(key)
      return { status: 204 }
    }
    return read(received, request.headers)
  }

  const server = http.createServer(async (request, response) => {
    const url = new URL(request.url ?? '/', 'http://localhost')
    const [, , ...key] = url.pathname.split('/')
    const received = { method: request.method ?? '', key: decodeURIComponent(key.join('/')), query: url.searchParams }
    log.push(received)
    const fault = faults.find(({ left, matches }) => left > 0 && matches(received))
    try {
      if (fault === undefined) return send(response, await respond(received, request))
      fault.left--
      request.on('error', () => {})
      await fault.how(request, response, () => respond(received, request))
    } catch {
      // The client closed the connection during its request.
      response.destroy()
    }
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    bucket,
    objects,
    put: (key, bytes) => {
      store(key, bytes, { 'x-amz-meta-sha256': createHash('sha256').update(bytes).digest('hex') })
    },
    unfinished: () => [...uploads.values()].map(({ key }) => key),
    count: (matches) => log.filter(matches).length,
    injectFault: (times, matches, how) => faults.push({ left: times, matches, how }),
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

export function send(response: http.ServerResponse, { status, headers, body = '' }: S3Response): void {
  response.writeHead(status, { 'content-length': String(Buffer.byteLength(body)), ...headers }).end(body)
}

/** The faults by name. */
export const s3Faults = {
  /** Never responds. */
  silence() {},
  /** Reads the request, carries it out, and never responds. */
  async silenceAfterwards(_request, _response, respond) {
    await respond()
  },
  unavailable(request, response) {
    request.resume()
    send(response, refusal(503, 'SlowDown'))
  },
  /** Reads a part of the request, then closes the connection. */
  hangUp(request) {
    request.once('data', () => request.socket.destroy())
    request.once('end', () => request.socket.destroy())
  },
  /** Sends half of the body, then stalls. */
  async halfThenSilence(_request, response, respond) {
    const { body, ...start } = whole(await respond())
    response.writeHead(start.status, start.headers).write(body.subarray(0, body.byteLength / 2))
  },
  async halfThenHangUp(_request, response, respond) {
    const { body, ...start } = whole(await respond())
    response.writeHead(start.status, start.headers)
    response.write(body.subarray(0, body.byteLength / 2), () => response.destroy())
  },
  /** Sends half of the body in a complete response, like a proxy that dropped the length. */
  async halfInOrder(_request, response, respond) {
    const { body, status, headers } = whole(await respond())
    const { 'content-length': _, ...rest } = headers
    response.writeHead(status, { ...rest, 'transfer-encoding': 'chunked' })
    response.end(body.subarray(0, body.byteLength / 2))
  },
  /** Sends a few bytes at a time, so that the response never ends and never stalls. */
  async drip(_request, response, respond) {
    const { body, ...start } = whole(await respond())
    response.writeHead(start.status, start.headers)
    let at = 0
    const timer = setInterval(() => response.write(body.subarray(at, ++at)), 20)
    response.once('close', () => clearInterval(timer))
  },
  /** Sends the right length with one wrong byte. */
  async otherByte(_request, response, respond) {
    const { body, ...start } = whole(await respond())
    const damaged = Buffer.from(body)
    damaged[damaged.byteLength >> 1] = ~(damaged[damaged.byteLength >> 1] ?? 0)
    response.writeHead(start.status, start.headers).end(damaged)
  },
  /** Sends an error in a 200, like services that detect an error too late. */
  successThatIsAnError(request, response) {
    request.resume()
    send(response, { ...refusal(500, 'InternalError'), status: 200 })
  },
  /** Reports success and stores nothing. */
  async successThatIsNone(request, response) {
    const body = Buffer.concat(await request.toArray())
    send(response, { status: 200, headers: { etag: `"${md5(body.subarray(1)).toString('hex')}"` } })
  },
} satisfies Record<string, S3Fault>

function whole({ status, headers, body = '' }: S3Response) {
  const bytes = Buffer.from(body)
  return { status, headers: { 'content-length': String(bytes.byteLength), ...headers }, body: bytes }
}

function refusal(status: number, Code: string): S3Response {
  return {
    status,
    headers: { 'content-type': 'application/xml' },
    body: xml('Error', { Code, Message: 'as contentMd5 to' }),
  }
}

function storedHeaders(request: http.IncomingMessage): Record<string, string> {
  const kept = Object.entries(request.headers).filter(
    ([name]) => name === 'content-type' || name.startsWith('x-amz-meta-'),
  )
  return Object.fromEntries(kept.map(([name, value]) => [name, String(value)]))
}

function xml(name: string, values: Record<string, string>, withHead = true): string {
  const inner = Object.entries(values).map(([key, value]) => `<${key}>${value.replaceAll('"', '&quot;')}</${key}>`)
  return `${withHead ? '<?xml version="1.0" encoding="UTF-8"?>\n' : ''}<${name}>${inner.join('')}</${name}>`
}

function md5(bytes: Buffer): Buffer {
  return createHash('md5').update(bytes).digest()
}
