/**
 * The settings of an output in `outputs`: the same as in src/domain/workflows/outputs.ts, which a test checks. Those that every output has are
 * in output-schema.ts.
 */
import { type OutputKind, outputKindOf } from '../document/outputs.ts'
import type { JsonSchema } from '../form/schema.ts'
import { formatOptions, outputSchema, outputSchemaFor } from './output-schema.ts'

const formats = Object.keys(formatOptions)
const width = { type: 'integer', minimum: 1, maximum: 16_384 }
const pageSide = { type: 'number', minimum: 5, maximum: 5_000, 'x-unit': 'mm' }

/** The settings that only `outputs` has. `format` has a further value there. */
export const namedProperties: Readonly<Record<string, JsonSchema>> = {
  format: {
    enum: [...formats, 'auto', 'pdf'],
    description:
      "`auto` chooses `png`, `jpeg` or `webp` by content. Default: `webp` for an animation, `png` if the image has transparency or `lossless` is true, otherwise `jpeg`. `pdf` makes a document with a page for each image; it can't be a template.",
  },
  width: {
    ...width,
    description: 'Width of the file. The height is proportional, and the image is never enlarged.',
    'x-unit': 'px',
  },
  widths: {
    type: 'array',
    items: width,
    minItems: 1,
    maxItems: 32,
    description:
      'Makes a set with a file for each width. The image is never enlarged: instead of larger widths, the set has one file with the width of the image.',
    'x-unit': 'px',
  },
  formats: {
    type: 'array',
    items: { enum: formats },
    minItems: 1,
    maxItems: formats.length,
    description: 'Makes a set with a file for each format. Put the format that every browser can show last.',
  },
  pageSize: {
    enum: ['A3', 'A4', 'A5', 'A6', 'Letter', 'Legal'],
    description: 'Size of the pages of a PDF. Default: the size of each image at `density`, with its margin.',
  },
  pageWidth: { ...pageSide, description: 'Width of the pages, instead of `pageSize`.' },
  pageHeight: { ...pageSide, description: 'Height of the pages, instead of `pageSize`.' },
  orientation: {
    enum: ['auto', 'portrait', 'landscape'],
    description: 'Of a `pageSize`. `auto` (default): each page as its image.',
  },
  margin: {
    type: 'number',
    minimum: 0,
    maximum: 2_500,
    description: 'White space on each side of a page. Default: 0.',
    'x-unit': 'mm',
  },
}

const pageOptions = ['pageSize', 'orientation', 'margin', 'pageWidth', 'pageHeight']
const fileOptions = Object.keys(outputSchema.properties ?? {}).filter((name) => name !== 'format')

/** The settings of each kind, in the order of the form. */
export const kindOptions: Readonly<Record<OutputKind, readonly string[]>> = {
  image: ['format', 'width', ...fileOptions],
  set: ['widths', 'formats', ...fileOptions],
  pdf: ['name', ...pageOptions, 'density', 'quality', 'lossless', 'chroma'],
}

const pdfDefaults: Readonly<Record<string, unknown>> = {
  quality: 90,
  density: 300,
  margin: 0,
  orientation: 'auto',
  lossless: false,
  chroma: '4:4:4',
}
const pdfAdvanced = new Set(['pageWidth', 'pageHeight', 'lossless', 'chroma'])

/** The settings of the output's kind with their defaults, and other settings that have a value. */
export function namedSchemaFor(settings: Readonly<Record<string, unknown>>): JsonSchema {
  const kind = outputKindOf(settings)
  const shared = outputSchemaFor(kind === 'image' ? settings : { ...settings, format: '' }).properties ?? {}
  const shown = new Set([...kindOptions[kind], ...(kind === 'set' && settings.formats === undefined ? ['format'] : [])])
  // The kind is chosen above the form.
  if (kind === 'pdf') shown.delete('format')
  const others = Object.keys(settings).filter((name) => name !== 'node' && !(kind === 'pdf' && name === 'format'))
  const known = [...new Set([...shown, ...others])].flatMap((name): [string, JsonSchema][] => {
    const schema = namedProperties[name] ?? shared[name]
    if (schema === undefined) return []
    if (kind === 'pdf') return [[name, ofPdf(name, schema)]]
    return [[name, name === 'format' ? { ...schema, enum: [...formats, 'auto'] } : schema]]
  })
  return { type: 'object', properties: Object.fromEntries(known) }
}

function ofPdf(name: string, schema: JsonSchema): JsonSchema {
  const { 'x-advanced': _, default: __, ...rest } = schema
  const preset = pdfDefaults[name]
  return {
    ...rest,
    ...(preset === undefined ? {} : { default: preset }),
    ...(pdfAdvanced.has(name) ? { 'x-advanced': true } : {}),
  }
}
