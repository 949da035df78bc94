/** A scripted model for tests: records its requests; each test provides the responses. */
import assert from 'node:assert/strict'
import type { ModelInvocation, ModelRequest, ModelResponse } from '../../domain/model.ts'
import { Fault, failure } from '../../errors.ts'
import type { OperationContext } from '../../operations/define.ts'
import type { Pixels } from '../types.ts'
import { loadSharp } from './sharp.ts'
import { contextFor } from './test-images.ts'

export interface Asked {
  invocation: ModelInvocation
  request: Omit<ModelRequest, 'capability'>
}

export interface Scripted {
  context: OperationContext
  asked: Asked[]
}

/** `isKept`: returns the response like one that was stored by an earlier attempt, without checking it again. */
export function asking(
  answer: (
    request: Asked['request'],
    invocation: ModelInvocation,
  ) => Promise<Partial<ModelResponse>> | Partial<ModelResponse>,
  { isKept = false } = {},
): Scripted {
  const asked: Asked[] = []
  const invokeModel = async (given: ModelInvocation): Promise<ModelResponse> => {
    const request = await given.request()
    asked.push({ invocation: given, request })
    const made = { model: given.model ?? 'test/model', images: [], ...(await answer(request, given)) }
    if (!isKept) await given.accept?.(made).catch(refuse)
    return isKept ? structuredCloneOf(made) : made
  }
  return { context: contextFor({ invokeModel, secondsLeft: () => 120 }), asked }
}

/** The only request. */
export function onlyOf({ asked }: Scripted): Asked {
  assert.equal(asked.length, 1)
  return asked[0] ?? assert.fail('nobody was asked')
}

/** Reports an unusable response as the caller of a model does. */
function refuse(error: unknown): never {
  assert.ok(error instanceof Error)
  assert.ok(!(error instanceof Fault), `a fault of the execution: ${error.message}`)
  throw failure('provider_unavailable', error.message)
}

function structuredCloneOf(answer: ModelResponse): ModelResponse {
  return { ...answer, images: answer.images.map((bytes) => Buffer.from(bytes)) }
}

export async function png({ data, width, height, channels }: Pixels): Promise<Buffer> {
  const sharp = await loadSharp()
  return sharp(data, { raw: { width, height, channels } }).png().toBuffer()
}

/** Reads the bytes like a program that ignores EXIF and profiles. */
export async function bare(bytes: Buffer): Promise<Pixels & { format: string | undefined }> {
  const sharp = await loadSharp()
  const image = sharp(bytes, { autoOrient: false, ignoreIcc: true })
  const { format } = await image.metadata()
  const { data, info } = await image.raw().toBuffer({ resolveWithObject: true })
  return { data, width: info.width, height: info.height, channels: info.channels as 3 | 4, format }
}
