/** Steps at the beginning of most tests. */
import { type Client, ok } from './client.ts'
import type { Document } from './documents.ts'
import { file } from './multipart.ts'
import type { Execution, Image, Output, Workflow } from './types.ts'

export async function save(api: Client, document: Document, projectId?: string): Promise<Workflow> {
  return ok(
    await api.post<Workflow>('/workflows', projectId === undefined ? document : { ...document, projectId }),
    201,
  )
}

export async function upload(api: Client, bytes: Buffer, filename?: string): Promise<Image> {
  return ok(await api.upload([file(bytes, filename)]), 201)
}

/** Executes synchronously and checks that the execution completes. */
export async function run(api: Client, workflowId: string, parameters: Record<string, unknown> = {}): Promise<Output> {
  const { output } = ok(await api.post<Execution>('/workflows/execute', { workflowId, parameters }))
  if (!output) throw new Error('A completed execution has an output.')
  return output
}

/** Saves a document, executes it, and returns the output image. */
export async function draw(api: Client, document: Document, parameters: Record<string, unknown> = {}): Promise<Buffer> {
  const { id } = await save(api, document)
  return fetchImage(api, (await run(api, id, parameters)).url)
}

export async function fetchImage(api: Client, url: string): Promise<Buffer> {
  const reply = await api.root('GET', new URL(url).pathname)
  ok(reply)
  return reply.bytes
}

/** The image id in the URL of an output. */
export function idInUrl(url: string): string {
  const id = /\/images\/(img_[0-9a-z]+)\./.exec(url)?.[1]
  if (id === undefined) throw new Error(`No image id in ${url}`)
  return id
}
