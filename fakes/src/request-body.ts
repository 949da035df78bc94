/** The body of a request: JSON or a form of several parts, and the same without its bytes for the log. */

export interface Part {
  name: string
  /** Value of a plain field. */
  value?: string
  /** Content of a file. */
  bytes?: Buffer
  filename?: string
  type?: string
}

export async function readBody(
  contentType: string | undefined,
  body: Buffer,
): Promise<{ json: unknown; parts: Part[]; fields: unknown }> {
  if (contentType?.startsWith('multipart/form-data')) {
    const parts = await readForm(contentType, body)
    const fields = parts.map(({ name, value, bytes, filename, type }) =>
      bytes ? { name, filename, type, bytes: bytes.byteLength } : { name, value },
    )
    return { json: undefined, parts, fields }
  }
  const json = parsed(body)
  return { json, parts: [], fields: shortened(json) }
}

async function readForm(contentType: string, body: Buffer): Promise<Part[]> {
  const form = await new Response(new Uint8Array(body), { headers: { 'content-type': contentType } }).formData()
  return Promise.all(
    [...form].map(async ([name, value]) =>
      typeof value === 'string'
        ? { name, value }
        : { name, bytes: Buffer.from(await value.arrayBuffer()), filename: value.name, type: value.type },
    ),
  )
}

function parsed(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString())
  } catch {
    return undefined
  }
}

function shortened(value: unknown): unknown {
  if (typeof value === 'string' && value.length > 400) return `${value.slice(0, 60)}... (${value.length} characters)`
  if (Array.isArray(value)) return value.map(shortened)
  if (typeof value === 'object' && value !== null)
    return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, shortened(inner)]))
  return value
}
