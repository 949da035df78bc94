/** Bodies of `multipart/form-data` (RFC 7578), including ones that no browser sends. */

export interface Part {
  /** The name of the form field. */
  field: string
  value: Buffer | string
  /** Makes the part a file. The name is sent raw, so that a test can use quotes and line breaks. */
  filename?: string
  contentType?: string
}

export const boundary = '----tintype-black-box-boundary'
export const multipartType = `multipart/form-data; boundary=${boundary}`

export function multipart(parts: Part[]): Buffer {
  const chunks = parts.flatMap((part) => [
    Buffer.from(`--${boundary}\r\n${headOf(part)}\r\n\r\n`),
    Buffer.from(part.value),
    Buffer.from('\r\n'),
  ])
  return Buffer.concat([...chunks, Buffer.from(`--${boundary}--\r\n`)])
}

/** The part `file` as a client sends it. */
export function file(value: Buffer | string, filename = 'picture.png', contentType = 'application/octet-stream'): Part {
  return { field: 'file', value, filename, contentType }
}

export function field(name: string, value: string): Part {
  return { field: name, value }
}

function headOf(part: Part): string {
  const name = `Content-Disposition: form-data; name="${part.field}"`
  const filename = part.filename === undefined ? '' : `; filename="${part.filename}"`
  const type = part.contentType === undefined ? '' : `\r\nContent-Type: ${part.contentType}`
  return `${name}${filename}${type}`
}
