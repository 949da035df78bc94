/** The API as a tool uses it: each request passes the stages of every request, with the permissions of the caller. */
import { type ErrorCode, Fault, type FaultDetails } from '../errors.ts'

export interface ApiRequest {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  /** Path and query. */
  path: string
  /** Lower-case names. */
  headers?: Record<string, string>
  body?: string | Buffer
}

export interface ApiResponse {
  status: number
  headers: Record<string, string | undefined>
  bytes: Buffer
}

export type CallApi = (request: ApiRequest) => Promise<ApiResponse>

export interface Api {
  /** The parsed body. Throws the error of the response. */
  json<Body>(method: ApiRequest['method'], path: string, options?: JsonOptions): Promise<Body>
  /** The file at a path of the API; undefined if it is missing. */
  file(path: string): Promise<Buffer | undefined>
  /** Uploads a file to `/v1/storage/upload`. */
  upload<Body>(bytes: Buffer, fields: Record<string, string>, headers: Record<string, string>): Promise<Body>
}

interface JsonOptions {
  /** Values that are undefined are left out. */
  query?: Record<string, string | number | undefined>
  body?: object
  headers?: Record<string, string>
}

export function createApi(call: CallApi): Api {
  return {
    async json<Body>(method: ApiRequest['method'], path: string, { query = {}, body, headers }: JsonOptions = {}) {
      const values = new URLSearchParams()
      for (const [name, value] of Object.entries(query)) if (value !== undefined) values.set(name, `${value}`)
      const search = values.size === 0 ? '' : `?${values}`
      const type = body === undefined ? {} : { 'content-type': 'application/json' }
      return parsed<Body>(
        await call({
          method,
          path: `/v1${path}${search}`,
          headers: { ...type, ...headers },
          ...(body === undefined ? {} : { body: JSON.stringify(body) }),
        }),
      )
    },
    async file(path) {
      const { status, bytes } = await call({ method: 'GET', path })
      return status === 200 ? bytes : undefined
    },
    async upload<Body>(bytes: Buffer, { name = 'image', ...fields }: Record<string, string>, headers: object) {
      const form = new FormData()
      for (const [field, value] of Object.entries(fields)) form.append(field, value)
      form.append('file', new Blob([new Uint8Array(bytes)]), name)
      const encoded = new Response(form)
      const type = encoded.headers.get('content-type') ?? ''
      const body = Buffer.from(await encoded.arrayBuffer())
      const sent = { ...headers, 'content-type': type }
      return parsed<Body>(await call({ method: 'POST', path: '/v1/storage/upload', headers: sent, body }))
    },
  }
}

function parsed<Body>({ status, bytes }: ApiResponse): Body {
  const body = JSON.parse(bytes.toString('utf8')) as Body & { error: ErrorBody }
  if (status < 400) return body
  if (typeof body.error?.code !== 'string') throw new Error(`A request of a tool returned ${status} without an error.`)
  const { code, message, details } = body.error
  throw new Fault(code, message, details)
}

interface ErrorBody {
  code: ErrorCode
  message: string
  details: FaultDetails
}
