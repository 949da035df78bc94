/** Reading what a request brings, as its provider reads it: what is wrong is answered as the provider does. */
import sharp from 'sharp'
import { type FakeContext, type FakeRequest, sha256 } from './fake.ts'
import type { Refusal } from './responses.ts'

export type Fields = Record<string, unknown>

/** How a provider says that a field is wrong. */
export type Refuse = (message: string, field?: string) => Refusal

export function fieldsOf(value: unknown, refuse: Refuse, at = 'body'): Fields {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw refuse(`${at} must be an object`, at)
  return value as Fields
}

/** Refuses the first field that the documents do not have. */
export function rejectUnknownFields(
  fields: Fields,
  knownFields: readonly string[],
  refuse: (field: string) => Refusal,
): void {
  for (const name of Object.keys(fields)) if (!knownFields.includes(name)) throw refuse(name)
}

export function textOf(
  fields: Fields,
  name: string,
  refuse: Refuse,
  { charsMax = 32_000, isRequired = true } = {},
): string {
  const value = fields[name]
  if (value === undefined && !isRequired) return ''
  if (typeof value !== 'string' || value === '') throw refuse(`${name} is required`, name)
  if (value.length > charsMax) throw refuse(`${name} is longer than ${charsMax}`, name)
  return value
}

export function integerOf(
  fields: Fields,
  name: string,
  [min, max]: [number, number],
  refuse: Refuse,
): number | undefined {
  const raw = fields[name]
  if (raw === undefined || raw === null) return undefined
  const value = typeof raw === 'string' ? Number(raw) : raw
  if (typeof value !== 'number' || !Number.isInteger(value)) throw refuse(`${name} must be an integer`, name)
  if (value < min || value > max) throw refuse(`${name} must be from ${min} to ${max}`, name)
  return value
}

export function oneOf<Value extends string>(
  fields: Fields,
  name: string,
  values: readonly Value[],
  refuse: Refuse,
): Value | undefined {
  const value = fields[name]
  if (value === undefined || value === null) return undefined
  if (!values.includes(value as Value)) throw refuse(`${name} must be one of ${values.join(', ')}`, name)
  return value as Value
}

/** Decodes an entire image, and logs its properties. */
export async function imageOf(request: FakeRequest, at: string, bytes: Buffer, refuse: Refuse) {
  const decoded = await sharp(bytes, { failOn: 'warning' })
    .raw()
    .toBuffer({ resolveWithObject: true })
    .catch(() => undefined)
  if (decoded === undefined) throw refuse(`${at} is no image`, at)
  const { format } = await sharp(bytes).metadata()
  const { width, height, channels } = decoded.info
  const image = { at, format, width, height, channels, sha256: sha256(bytes) }
  request.log.images.push(image)
  return { ...image, bytes, pixels: decoded.data }
}

export type SentImage = Awaited<ReturnType<typeof imageOf>>

/** Out of a data URI, or a URL of a file that the fake keeps: a fake asks no other server. */
export function imageOfUrl(request: FakeRequest, at: string, url: unknown, context: FakeContext, refuse: Refuse) {
  if (typeof url !== 'string') throw refuse(`${at} must be a URL`, at)
  const [, base64] = /^data:image\/[a-z.+-]+;base64,(.+)$/s.exec(url) ?? []
  const bytes = base64 === undefined ? context.stored(url) : Buffer.from(base64, 'base64')
  if (bytes === undefined) throw refuse(`${at} could not be loaded: a fake takes data URIs and its own files`, at)
  return imageOf(request, at, bytes, refuse)
}

export function imageOfBase64(request: FakeRequest, at: string, text: unknown, refuse: Refuse) {
  if (typeof text !== 'string' || !/^[A-Za-z0-9+/\r\n]+={0,2}$/.test(text)) throw refuse(`${at} must be base64`, at)
  return imageOf(request, at, Buffer.from(text, 'base64'), refuse)
}

/** Prompts that a fake takes for indecent; so that it can be tried by hand. */
export function isModerated(request: FakeRequest, prompt: string): boolean {
  return request.fault === 'moderated' || prompt.includes('#moderated')
}
