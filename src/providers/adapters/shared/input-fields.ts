/** Maps a request to the input fields of a model. Rows declare the fields, so that a new model needs no code. */
import type { ModelRequest, RequestImage } from '../../../domain/models/model.ts'
import { ProviderProblem } from '../../define.ts'
import { fieldsOf } from './responses.ts'

/** `x-fields` of a row: the names that the model uses. The provider has defaults for the rest. */
export interface InputFields {
  prompt?: string
  instructions?: string
  /** Field for one image. */
  image?: string
  /** Field for a list of images; has priority over `image`. */
  images?: string
  /** White pixels are repainted. */
  mask?: string
  /** One field for an object with `width` and `height`, or two fields. */
  size?: string | readonly [string, string]
  aspectRatio?: string
  seed?: string
  scale?: string
  /** Format of a scale: `x2` or 2. Default: `number`. */
  scaleForm?: 'number' | 'x'
}

/** A row with the fields that fal and Replicate need. */
export interface FieldsRow {
  name: string
  'x-fields'?: unknown
  /** Further input, always the same. */
  'x-input'?: unknown
}

export async function inputOf(
  request: ModelRequest,
  row: FieldsRow,
  standard: InputFields,
  title: string,
): Promise<Record<string, unknown>> {
  const fields: InputFields = { ...standard, ...fieldsOf(row['x-fields']) }
  const input: Record<string, unknown> = { ...fieldsOf(row['x-input']) }
  const put = (name: string | undefined, noun: string, value: unknown) => {
    if (value === undefined) return
    if (name === undefined) throw missingField(title, row.name, noun)
    input[name] = value
  }
  put(fields.prompt, 'a prompt', request.prompt)
  put(fields.instructions, 'instructions', request.instructions)
  put(fields.aspectRatio, 'an aspect ratio', request.aspectRatio)
  put(fields.seed, 'a seed', request.seed)
  put(fields.scale, 'a scale', fields.scaleForm === 'x' && request.scale ? `x${request.scale}` : request.scale)
  const { size, images, mask } = request
  if (Array.isArray(fields.size)) {
    put(fields.size[0], 'a size', size?.width)
    put(fields.size[1], 'a size', size?.height)
  } else put(fields.size as string | undefined, 'a size', size && { width: size.width, height: size.height })
  if (fields.images !== undefined && images.length > 0) input[fields.images] = images.map(dataUri)
  else if (images.length > 1) throw missingField(title, row.name, 'several images')
  else put(fields.image, 'an image', images[0] && dataUri(images[0]))
  if (mask) put(fields.mask, 'a mask', pngUri(await mask.white()))
  return input
}

export function dataUri({ bytes, mediaType }: RequestImage): string {
  return `data:${mediaType};base64,${bytes.toString('base64')}`
}

export function pngUri(bytes: Buffer): string {
  return `data:image/png;base64,${bytes.toString('base64')}`
}

/** The bytes of a data URI, or a URL; undefined for other values. */
export function imageOf(value: unknown): Buffer | { url: string } | undefined {
  if (typeof value !== 'string') return undefined
  const base64 = /^\s*data:[^,]*;\s*base64\s*,([\w+/=\s-]*)$/i.exec(value)?.[1]
  if (base64 !== undefined) return Buffer.from(base64, 'base64')
  return /^(https?:\/)?\//.test(value) ? { url: value } : undefined
}

function missingField(title: string, name: string, noun: string): ProviderProblem {
  return new ProviderProblem('unsupported', `${title}: the row of ${name} has no field for ${noun}.`)
}
