/** The requests of the page of a run link. They have the key of the link, and never the cookie of a console in the same browser. */
import type { Schemas } from './types.ts'

export type Page = Schemas['RunLinkPage']
export type Run = Schemas['RunLinkExecution']
export type Parameter = Page['parameters'][number]

export class RunLinkError extends Error {
  /** 0 without a response. */
  readonly status: number
  /** Messages by path, such as `parameters.photo`. */
  readonly issues: readonly { path: string; message: string }[]
  /** Seconds after which another request can succeed. */
  readonly retryAfter: number | undefined
  readonly requestId: string | undefined

  constructor(status: number, body?: Partial<Schemas['Error']>) {
    super(body?.error?.message ?? '')
    this.status = status
    this.issues = body?.error?.details?.issues ?? []
    this.retryAfter = body?.error?.retryAfter
    this.requestId = body?.error?.details?.requestId
  }
}

async function request<Body>(key: string, path: string, options: RequestInit = {}): Promise<Body> {
  const headers = { authorization: `Bearer ${key}`, ...options.headers }
  const response = await fetch(`/v1/run-link${path}`, { ...options, headers, credentials: 'omit' }).catch(() => {
    throw new RunLinkError(0)
  })
  const body = (await response.json().catch(() => undefined)) as Body | undefined
  if (response.ok && body !== undefined) return body
  throw new RunLinkError(response.status, body as Schemas['Error'] | undefined)
}

export function getPage(key: string): Promise<Page> {
  return request(key, '')
}

export function startRun(key: string, parameters: Record<string, unknown>): Promise<Run> {
  const headers = { 'content-type': 'application/json' }
  return request(key, '/executions', { method: 'POST', headers, body: JSON.stringify({ parameters }) })
}

export function getRun(key: string, executionId: string): Promise<Run> {
  return request(key, `/executions/${encodeURIComponent(executionId)}`)
}

/** The execution fails with the reason `cancelled`, unless it has ended. */
export function cancelRun(key: string, executionId: string): Promise<Run> {
  return request(key, `/executions/${encodeURIComponent(executionId)}/cancel`, { method: 'POST' })
}

const waitSeconds = 25

/** The execution when it has ended. */
export async function endedRun(key: string, executionId: string): Promise<Run> {
  for (;;) {
    const run = await request<Run>(key, `/executions/${encodeURIComponent(executionId)}?wait=${waitSeconds}`)
    if (isEnded(run)) return run
  }
}

export function isEnded({ status }: Run): boolean {
  return status === 'completed' || status === 'failed'
}

/** Returns the id of the image. */
export async function uploadImage(key: string, file: File): Promise<string> {
  const body = new FormData()
  body.append('file', file, file.name)
  const { imageId } = await request<Schemas['RunLinkUpload']>(key, '/images', { method: 'POST', body })
  return imageId
}
