/** Requests over persistent connections. */
import { Agent } from 'undici'

const agent = new Agent({ pipelining: 1, keepAliveTimeout: 60_000 })

export interface Call {
  url: string
  key?: string
  json?: unknown
}

/** The JSON of a response; throws unless it is a 200 or 201, or the 202 of `async`. */
export async function call<HttpResponse>({ url, key, json }: Call): Promise<HttpResponse> {
  const text = (await send({ url, ...(key && { key }), ...(json === undefined ? {} : { json }) })).toString()
  return JSON.parse(text) as HttpResponse
}

export async function send({ url, key, json }: Call): Promise<Buffer> {
  const { origin, pathname, search } = new URL(url)
  const { statusCode, body } = await agent.request({
    origin,
    path: pathname + search,
    method: json === undefined ? 'GET' : 'POST',
    headers: {
      ...(key === undefined ? {} : { authorization: `Bearer ${key}` }),
      ...(json === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(json === undefined ? {} : { body: JSON.stringify(json) }),
  })
  const bytes = Buffer.from(await body.arrayBuffer())
  const isAsync = statusCode === 202 && (json as { async?: boolean } | undefined)?.async
  if (statusCode > 201 && !isAsync) throw new Error(`${url} answered ${statusCode}: ${bytes.toString('utf8', 0, 500)}`)
  return bytes
}

export async function upload(url: string, key: string, bytes: Buffer, fileName: string): Promise<{ id: string }> {
  const form = new FormData()
  form.append('file', new Blob([new Uint8Array(bytes)]), fileName)
  const response = await fetch(url, { method: 'POST', headers: { authorization: `Bearer ${key}` }, body: form })
  if (!response.ok) throw new Error(`${url} answered ${response.status}`)
  return (await response.json()) as { id: string }
}

export function closeConnections(): Promise<void> {
  return agent.close()
}
