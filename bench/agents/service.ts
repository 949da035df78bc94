/** The service under test over HTTP: what the checks need of it. */
import type { Document } from './document.ts'

export interface Output {
  url: string
  width: number
  height: number
  format: string
  name?: string
  /** The number of pages of a PDF. */
  pages?: number
  /** The files of a set. */
  files?: Output[]
}

export interface Execution {
  executionId: string
  status: string
  output?: Output
  outputs?: Output[]
  error?: { code: string; message: string }
}

export interface Validation {
  valid: boolean
  issues: { path: string; message: string }[]
  steps: { node: string; action: string; params: Record<string, unknown> | null }[]
  cost: { minUsd: number; maxUsd: number } | null
}

export interface Saved {
  workflowId: string
  document: Document
}

/** An error of the API. */
export class Refused extends Error {
  readonly status: number
  constructor(status: number, message: string) {
    super(message)
    this.status = status
  }
}

export type Service = ReturnType<typeof connect>

export function connect(url: string, key: string) {
  async function request<Body>(method: string, path: string, body?: unknown, type = 'application/json'): Promise<Body> {
    const isForm = body instanceof FormData
    const response = await fetch(`${url}/v1${path}`, {
      method,
      headers: { authorization: `Bearer ${key}`, ...(body === undefined || isForm ? {} : { 'content-type': type }) },
      ...(body === undefined ? {} : { body: isForm || typeof body === 'string' ? body : JSON.stringify(body) }),
    })
    const text = await response.text()
    const parsed = text === '' ? {} : (JSON.parse(text) as Body & { error?: { message: string } })
    if (response.ok) return parsed as Body
    throw new Refused(response.status, (parsed as { error?: { message: string } }).error?.message ?? text)
  }

  async function ended(execution: Execution): Promise<Execution> {
    if (execution.status === 'completed' || execution.status === 'failed') return execution
    return ended(await request<Execution>('GET', `/workflows/executions/${execution.executionId}?wait=50`))
  }

  return {
    url,
    key,
    async upload(bytes: Buffer, name: string): Promise<string> {
      const form = new FormData()
      form.append('file', new Blob([new Uint8Array(bytes)]), name)
      return (await request<{ id: string }>('POST', '/storage/upload', form)).id
    },
    saveDraft: (document: Document) => request<{ workflowId: string }>('POST', '/workflows/drafts', { document }),
    deleteDraft: (workflowId: string) => request('DELETE', `/workflows/${workflowId}/draft`),
    publish: (document: Document) => request<{ id: string }>('POST', '/workflows', document),
    publishDraft: (workflowId: string) => request('POST', `/workflows/${workflowId}/draft/publish`, {}),
    validate: (document: Document, parameters: object) =>
      request<Validation>('POST', '/workflows/validate', { document, parameters }),
    /** The draft, or the newest version of the workflow if it has none. */
    execute: async (workflowId: string, parameters: object) =>
      ended(await request<Execution>('POST', `/workflows/${workflowId}/draft/execute`, { parameters })),
    /** Executes each row, and returns the URLs of the images. Throws with the first problem. `rows`: CSV, or a list. */
    async batch(workflowId: string, rows: string | object[]): Promise<string[]> {
      const { id } = await request<{ id: string }>('POST', '/batches', { workflowId })
      await request('PUT', `/batches/${id}/items`, rows, typeof rows === 'string' ? 'text/csv' : 'application/json')
      await request('POST', `/batches/${id}/start`)
      let status = ''
      while (status !== 'completed') {
        const batch = await request<{ status: string; pauseReason?: string }>('GET', `/batches/${id}?wait=50`)
        status = batch.status
        if (status === 'paused' || status === 'cancelled') throw new Error(`the batch is ${status}`)
      }
      const { items } = await request<{ items: (Execution & { key: string })[] }>(
        'GET',
        `/batches/${id}/items?limit=100`,
      )
      return items.map(({ key, status, output, error }) => {
        if (status === 'completed' && output) return output.url
        throw new Error(`row ${key} ${status}: ${error?.message ?? ''}`)
      })
    },
    /** Each workflow and draft with a mark that changes when it is saved. */
    async saved(): Promise<Map<string, string>> {
      const [{ drafts }, { workflows }] = await Promise.all([
        request<{ drafts: { workflowId: string; revision: number; updatedAt: string }[] }>(
          'GET',
          '/workflows/drafts?limit=100',
        ),
        request<{ workflows: { id: string; version: number; updatedAt: string }[] }>('GET', '/workflows?limit=100'),
      ])
      return new Map([
        ...workflows.map(({ id, updatedAt }): [string, string] => [id, updatedAt]),
        ...drafts.map(({ workflowId, updatedAt }): [string, string] => [workflowId, updatedAt]),
      ])
    },
    async document(workflowId: string): Promise<Document> {
      try {
        return (await request<{ document: Document }>('GET', `/workflows/${workflowId}/draft`)).document
      } catch (error) {
        if (error instanceof Refused && error.status === 404)
          return request<Document>('GET', `/workflows/${workflowId}/document`)
        throw error
      }
    },
    async file(fileUrl: string): Promise<Buffer> {
      const response = await fetch(fileUrl)
      if (!response.ok) throw new Error(`${fileUrl} returned ${response.status}`)
      return Buffer.from(await response.arrayBuffer())
    },
  }
}
