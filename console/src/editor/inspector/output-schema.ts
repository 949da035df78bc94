/**
 * The settings of a workflow's output, and the settings of each format: the same as in src/domain/workflows/output.ts, which a
 * test checks. The OpenAPI document only says that these settings can be templates.
 */
import type { JsonSchema } from '../form/schema.ts'

export const outputSchema: JsonSchema = {
  type: 'object',
  properties: {
    format: {
      enum: ['png', 'jpeg', 'webp', 'avif', 'gif', 'tiff', 'auto'],
      description:
        '`auto` chooses by content: `png` for flat graphics, `jpeg` for photos, `webp` for transparent photos and animations. Default: `webp` for an animation, `png` if the image has transparency or `lossless` is true, otherwise `jpeg`. jpeg, avif and tiff encode the first frame.',
    },
    name: { type: 'string', maxLength: 255, description: 'File name of the output image.' },
    quality: {
      anyOf: [{ type: 'integer', minimum: 1, maximum: 100 }, { const: 'auto' }],
      minimum: 1,
      maximum: 100,
      description:
        'Quality of lossy compression. `auto` chooses the lowest one without visible differences, in at most three encodes. No effect on lossless formats. Default: 80, avif 50.',
    },
    effort: {
      enum: ['low', 'medium', 'high'],
      description: 'CPU time spent on a smaller file at the same quality. Default: medium.',
    },
    lossless: {
      type: 'boolean',
      description: 'Whether to encode without loss. Default: true for png, false for other formats.',
    },
    chroma: {
      enum: ['4:4:4', '4:2:0'],
      description:
        'Chroma subsampling. `4:4:4` stores the colour of each pixel, better for text and red edges. `4:2:0` stores one colour for 2 x 2 pixels. Default: jpeg 4:2:0, avif 4:4:4.',
    },
    progressive: {
      type: 'boolean',
      description: 'Whether browsers can show a preview of the entire image while it loads.',
    },
    maxBytes: {
      type: 'integer',
      minimum: 100,
      maximum: 1_000_000_000,
      description: 'Maximum file size. Chooses the highest quality that fits. `quality` is the upper bound.',
      'x-unit': 'bytes',
    },
    metadata: {
      enum: ['strip', 'keep'],
      description:
        'Whether to copy EXIF (including location, without thumbnail), XMP, IPTC and density of the first source. Default: strip.',
    },
    profile: {
      enum: ['srgb', 'p3', 'keep'],
      description:
        'Colour profile. `srgb` (default) embeds no profile, `p3` embeds Display P3, `keep` embeds the RGB profile of the first source.',
    },
    credentials: {
      enum: ['auto', 'always', 'never'],
      description:
        'Whether the output is signed with Content Credentials (C2PA), which record how it was made. `auto` (default): if an AI model made any of its pixels, or a source has credentials.',
    },
    hdr: {
      enum: ['keep', 'strip'],
      description:
        'Whether a JPEG keeps the gain map of an HDR photo, with which screens show its highlights brighter than white. Only if all steps resize, crop, flip or turn the photo. Default: keep.',
    },
    density: {
      type: 'integer',
      minimum: 1,
      maximum: 10_000,
      description: 'Pixels per inch (dpi) for printing. Pixels stay unchanged.',
      'x-unit': 'dpi',
    },
  },
}

const everyFormat = ['metadata', 'profile', 'density']
export const formatOptions: Readonly<Record<string, readonly string[]>> = {
  png: ['quality', 'effort', 'lossless', 'progressive', 'maxBytes', ...everyFormat],
  jpeg: ['quality', 'effort', 'chroma', 'progressive', 'maxBytes', 'metadata', 'hdr', 'profile', 'density'],
  webp: ['quality', 'effort', 'lossless', 'maxBytes', ...everyFormat],
  avif: ['quality', 'effort', 'lossless', 'chroma', 'maxBytes', ...everyFormat],
  gif: ['effort', 'progressive', 'maxBytes'],
  tiff: ['effort', ...everyFormat],
}

const everyDefault = { effort: 'medium', metadata: 'strip', profile: 'srgb' }
/** The defaults of each format, as the encoder has them. Without a format, those that every automatic format has. */
export const formatDefaults: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  undefined: { ...everyDefault, quality: 80, progressive: false },
  png: { ...everyDefault, quality: 80, lossless: true, progressive: false },
  jpeg: { ...everyDefault, quality: 80, chroma: '4:2:0', progressive: false, hdr: 'keep' },
  webp: { ...everyDefault, quality: 80, lossless: false },
  avif: { ...everyDefault, quality: 50, lossless: false, chroma: '4:4:4' },
  gif: { effort: 'medium', progressive: false },
  tiff: everyDefault,
}

/** The default of a setting next to the other settings. Undefined if it depends on the image. */
function defaultOf(name: string, { format, maxBytes, effort }: Readonly<Record<string, unknown>>): unknown {
  // The quality is then the upper bound: without one, the highest that fits.
  if (name === 'quality' && maxBytes !== undefined) return 100
  if (name === 'credentials') return 'auto'
  if (name === 'progressive' && format === 'jpeg' && effort === 'high') return true
  return formatDefaults[String(format)]?.[name]
}

const ofAllFormats = new Set(['format', 'name', 'credentials'])
const advanced = new Set(['effort', 'chroma', 'progressive', 'metadata', 'hdr', 'profile', 'credentials', 'density'])
const titles: Record<string, string> = { name: 'File name', hdr: 'HDR', maxBytes: 'Maximum file size' }

/** The settings of the chosen format with their defaults, and other settings that have a value. */
export function outputSchemaFor(settings: Readonly<Record<string, unknown>>): JsonSchema {
  const options = formatOptions[String(settings.format)]
  const properties = Object.entries(outputSchema.properties ?? {})
    .filter(([name]) => ofAllFormats.has(name) || settings[name] !== undefined || (options?.includes(name) ?? true))
    .map(([name, schema]) => [
      name,
      {
        ...schema,
        ...(defaultOf(name, settings) === undefined ? {} : { default: defaultOf(name, settings) }),
        ...(titles[name] === undefined ? {} : { title: titles[name] }),
        ...(advanced.has(name) ? { 'x-advanced': true } : {}),
      },
    ])
  return { type: 'object', properties: Object.fromEntries(properties) as Record<string, JsonSchema> }
}
