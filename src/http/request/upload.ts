/** Reads `multipart/form-data` with one `file` and text fields in any order. Streams the file to storage. */
import type { IncomingMessage } from 'node:http'
import type { FairQueue } from '../../domain/fair-queue.ts'
import type { StagedBlob } from '../../domain/images/image.ts'
import { Fault, type Issue, invalidRequest } from '../../errors.ts'
import { limits } from '../../limits.ts'
import { wrongMediaType } from './media-types.ts'
import type { Counted } from './rate-limit.ts'

/** A part as `@fastify/multipart` returns it. */
export type Part =
  | {
      type: 'file'
      fieldname: string
      filename: string | undefined
      file: AsyncIterable<Uint8Array> & { truncated?: boolean }
    }
  | { type: 'field'; fieldname: string; value: unknown; valueTruncated?: boolean }

export interface Upload {
  fields: Record<string, unknown>
  file: StagedBlob & { fileName: string }
}

/** Bytes of the value of a field. A longer one arrives truncated. */
export const fieldBytesMax = 50_000
/** Bytes of a body around its file: boundaries, names and fields. */
const aroundFileBytes = 65_536
const retrySeconds = 5

/** Shorter ones are not counted: the connections of a client limit their bytes. */
const longUploadBytes = 1_048_576

/** Does `read` if the account or the run link does not send too many long uploads already. They are on the disk, however slowly a client sends them. */
export async function readInLimit<Value>(
  uploads: FairQueue,
  { id, noun }: Counted,
  headers: IncomingMessage['headers'],
  read: () => Promise<Value>,
): Promise<Value> {
  if (Number(headers['content-length'] ?? Number.POSITIVE_INFINITY) <= longUploadBytes) return read()
  const leave = uploads.tryEnter({ account: id })
  if (leave) return read().finally(leave)
  const limit = limits.longUploadsPerAccountMax
  const message = `The ${noun} sends ${limit} other large files at the moment. Retry in ${retrySeconds} s.`
  throw new Fault('rate_limited', message, { limit, retryAfterSeconds: retrySeconds })
}

/** A request of Fastify, with the functions of `@fastify/multipart`. */
interface MultipartRequest {
  headers: IncomingMessage['headers']
  raw: IncomingMessage
  isMultipart(): boolean
  parts(options: { limits: { fileSize: number } }): AsyncIterable<unknown>
}

/** The parts of a multipart request. Throws 415 for another media type. */
export function partsOf(request: MultipartRequest, uploadBytesMax: number): AsyncIterable<Part> {
  if (!request.isMultipart()) throw wrongMediaType(request.headers['content-type'], ['multipart/form-data'])
  // One byte above the limit, so that storage detects files that are too large.
  const parts = request.parts({ limits: { fileSize: uploadBytesMax + 1 } }) as AsyncIterable<Part>
  return partsInLimit(parts, request.raw, uploadBytesMax)
}

/**
 * Returns the same parts. Throws `invalid_request` if the body has more bytes than its largest file and `aroundFileBytes`: before it is read, or when
 * it has: text before the first boundary and after the last one is not a part.
 */
export async function* partsInLimit(
  parts: AsyncIterable<Part>,
  raw: Pick<IncomingMessage, 'headers' | 'on'>,
  fileBytesMax: number,
): AsyncGenerator<Part, void> {
  const bytesMax = fileBytesMax + aroundFileBytes
  if (Number(raw.headers['content-length'] ?? 0) > bytesMax)
    throw invalidRequest([{ path: 'file', message: `must have at most ${fileBytesMax} bytes` }])
  const tooLong = Promise.withResolvers<never>()
  tooLong.promise.catch(() => {})
  const iterator = parts[Symbol.asyncIterator]()
  let next = iterator.next()
  let bytes = 0
  // After the parser, because this starts the flow of the body.
  raw.on('data', (chunk: Buffer) => {
    bytes += chunk.length
    const message = `must have a body of at most ${bytesMax} bytes`
    if (bytes > bytesMax) tooLong.reject(invalidRequest([{ path: '', message }]))
  })
  for (;;) {
    const { done, value } = await Promise.race([next, tooLong.promise])
    if (done) return
    yield value
    next = iterator.next()
  }
}

/** Throws `invalid_request` with all issues, and discards the staged file. `names`: of the field of the file, the documented one first. */
export async function readUpload(
  parts: AsyncIterable<Part>,
  stage: (source: AsyncIterable<Uint8Array>) => Promise<StagedBlob>,
  names: readonly [string, ...string[]],
): Promise<Upload> {
  const fields: Record<string, unknown> = {}
  const [name] = names
  const issues: Issue[] = []
  let staged: Upload['file'] | undefined
  try {
    for await (const part of parts) {
      if (part.type === 'field') {
        if (Object.hasOwn(fields, part.fieldname))
          issues.push({ path: part.fieldname, message: 'was sent more than once. Send it once.' })
        else fields[part.fieldname] = part.value
        if (part.valueTruncated)
          issues.push({ path: part.fieldname, message: `must have at most ${fieldBytesMax} bytes` })
      } else if (!names.includes(part.fieldname) || staged) {
        issues.push({
          path: part.fieldname,
          message: staged
            ? 'was sent more than once. Send one file per upload.'
            : `is not a known file field. Send the file in the field "${name}".`,
        })
        await drain(part.file)
      } else {
        staged = Object.assign(await stage(part.file), { fileName: part.filename ?? '' })
      }
    }
    if (Object.hasOwn(fields, name))
      issues.push({ path: name, message: 'must be a file with a filename, not a text field' })
    else if (staged === undefined)
      issues.push({ path: name, message: 'is required. Send the file in this field of the multipart body.' })
    if (issues.length > 0 || staged === undefined) throw invalidRequest(issues)
    return { fields, file: staged }
  } catch (error) {
    await staged?.discard()
    if (error instanceof Fault) throw error
    throw multipartFault(error)
  }
}

async function drain(source: AsyncIterable<Uint8Array>): Promise<void> {
  for await (const _ of source);
}

/** Converts errors about malformed or truncated multipart bodies to `invalid_request`. */
function multipartFault(error: unknown): unknown {
  const { code = '', message = '' } = error instanceof Error ? (error as Error & { code?: string }) : {}
  // The parser searches for the boundary with four characters before it.
  if (/needle/.test(message))
    return invalidRequest([{ path: 'Content-Type', message: 'must have a boundary of at most 252 characters' }])
  const multipart = code.startsWith('FST_') || code === 'ERR_STREAM_PREMATURE_CLOSE' || code === 'ECONNRESET'
  const malformed = /Unexpected end|Malformed|Missing Content-Type|Multipart:|Boundary|aborted|premature/i.test(message)
  if (!multipart && !malformed) return error
  return new Fault(
    'invalid_request',
    `The multipart body is invalid: ${message}`,
    { issues: [{ path: '', message: `must have a valid multipart body: ${message}` }] },
    { cause: error },
  )
}
