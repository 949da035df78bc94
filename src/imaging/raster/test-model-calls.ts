/** A scripted model for tests: records its requests; each test provides the responses. */
import assert from 'node:assert/strict'
import type { ModelInvocation, ModelRequest, ModelResponse } from '../../domain/models/model.ts'
import { Fault, failure } from '../../errors.ts'
import type { OperationContext } from '../../operations/define.ts'
import type { Pixels } from '../types.ts'
import { loadSharp } from './sharp.ts'
import { contextFor } from './test-images.ts'

export interface RecordedCall {
  invocation: ModelInvocation
  request: Omit<ModelRequest, 'capability'>
}

export interface ScriptedModel {
  context: OperationContext
  calls: RecordedCall[]
}

/** `isStored`: returns the response like one that was stored by an earlier attempt, without checking it again. */
export function scriptedModel(
  respond: (
    request: RecordedCall['request'],
    invocation: ModelInvocation,
  ) => Promise<Partial<ModelResponse>> | Partial<ModelResponse>,
  { isStored = false } = {},
): ScriptedModel {
  const calls: RecordedCall[] = []
  const invokeModel = async (invocation: ModelInvocation): Promise<ModelResponse> => {
    const request = await invocation.request()
    calls.push({ invocation, request })
    const response = { model: invocation.model ?? 'test/model', images: [], ...(await respond(request, invocation)) }
    if (!isStored) await invocation.accept?.(response).catch(refuse)
    return isStored ? structuredCloneOf(response) : response
  }
  return { context: contextFor({ invokeModel, secondsLeft: () => 120 }), calls }
}

/** The only request. */
export function onlyOf({ calls }: ScriptedModel): RecordedCall {
  assert.equal(calls.length, 1)
  return calls[0] ?? assert.fail('no model was called')
}

/** Reports an unusable response as the caller of a model does. */
function refuse(error: unknown): never {
  assert.ok(error instanceof Error)
  assert.ok(!(error instanceof Fault), `a fault of the execution: ${error.message}`)
  throw failure('provider_unavailable', error.message)
}

function structuredCloneOf(response: ModelResponse): ModelResponse {
  return { ...response, images: response.images.map((bytes) => Buffer.from(bytes)) }
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
