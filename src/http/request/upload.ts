/** Reads `multipart/form-data` with one `file` and text fields in any order. Streams the file to storage. */
import type { StagedBlob } from '../../domain/image.ts'
import { Fault, type Issue, invalidRequest } from '../../errors.ts'

/** A part as `@fastify/multipart` returns it. */
export type Part =
  | {
      type: 'file'
      fieldname: string
      filename: string | undefined
      file: AsyncIterable<Uint8Array> & { truncated?: boolean }
    }
  | { type: 'field'; fieldname: string; value: unknown }

export interface Upload {
  fields: Record<string, unknown>
  file: StagedBlob & { fileName: string }
}

/** Throws `invalid_request` with all issues, and discards the staged file. */
export async function readUpload(
  parts: AsyncIterable<Part>,
  stage: (source: AsyncIterable<Uint8Array>) => Promise<StagedBlob>,
): Promise<Upload> {
  const fields: Record<string, unknown> = {}
  const issues: Issue[] = []
  let staged: Upload['file'] | undefined
  try {
    for await (const part of parts) {
      if (part.type === 'field') {
        if (Object.hasOwn(fields, part.fieldname))
          issues.push({ path: part.fieldname, message: 'was sent more than once. Send it once.' })
        else fields[part.fieldname] = part.value
      } else if (part.fieldname !== 'file' || staged) {
        issues.push({
          path: part.fieldname,
          message: staged
            ? 'was sent more than once. Send one file per upload.'
            : 'is not a known file field. Send the file in the field "file".',
        })
        await drain(part.file)
      } else {
        staged = Object.assign(await stage(part.file), { fileName: part.filename ?? '' })
      }
    }
    if (Object.hasOwn(fields, 'file'))
      issues.push({ path: 'file', message: 'must be a file with a filename, not a text field' })
    else if (staged === undefined)
      issues.push({ path: 'file', message: 'is required. Send the file in this field of the multipart body.' })
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
