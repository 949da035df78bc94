/**
 * The settings of a workflow's output, and the settings of each format: the same as in src/domain/output.ts, which a
 * test checks. The OpenAPI document only says that these settings can be templates.
 */
import type { JsonSchema } from '../form/schema.ts'

export const outputSchema: JsonSchema = {
  type: 'object',
  properties: {
    format: {
      enum: ['png', 'jpeg', 'webp', 'avif', 'gif', 'tiff'],
      description:
        'Default: `webp` for an animation, else `png` if the image has transparency or `lossless` is true, else `jpeg`. jpeg, avif and tiff take the first frame.',
    },
    name: { type: 'string', maxLength: 255, description: 'File name of the output image.' },
    quality: {
      type: 'integer',
      minimum: 1,
      maximum: 100,
      description:
        'How much of the image is kept where bytes are saved; where none is lost it says nothing. Default 80, avif 50.',
    },
    effort: {
      enum: ['low', 'medium', 'high'],
      description: 'Time spent on making the file small, at the same quality. Default medium.',
    },
    lossless: {
      type: 'boolean',
      description: 'Whether every pixel is kept as it is. Default: true for png, false for others.',
    },
    chroma: {
      enum: ['4:4:4', '4:2:0'],
      description:
        'How finely colours are stored: `4:4:4` for every pixel, for text and red edges; `4:2:0` for blocks of 2 x 2. Default: jpeg 4:2:0, avif 4:4:4.',
    },
    progressive: {
      type: 'boolean',
      description: 'Whether a browser shows the whole image coarsely before all of it is there.',
    },
    maxBytes: {
      type: 'integer',
      minimum: 100,
      maximum: 1_000_000_000,
      description:
        'The best quality of which the file has at most so many bytes. With `quality`, that is the best that is tried.',
      'x-unit': 'bytes',
    },
    metadata: {
      enum: ['strip', 'keep'],
      description:
        'Whether EXIF (with its place, without thumbnail), XMP, IPTC and density of the first source come along. Default strip.',
    },
    profile: {
      enum: ['srgb', 'p3', 'keep'],
      description:
        'Colours are in `srgb` with nothing embedded (default), in Display P3, or in the RGB profile of the first source, embedded.',
    },
    density: {
      type: 'integer',
      minimum: 1,
      maximum: 10_000,
      description: 'Pixels of an inch when it is printed. Changes no pixel.',
      'x-unit': 'dpi',
    },
  },
}

const everyFormat = ['metadata', 'profile', 'density']
export const formatOptions: Readonly<Record<string, readonly string[]>> = {
  png: ['quality', 'effort', 'lossless', 'progressive', 'maxBytes', ...everyFormat],
  jpeg: ['quality', 'effort', 'chroma', 'progressive', 'maxBytes', ...everyFormat],
  webp: ['quality', 'effort', 'lossless', 'maxBytes', ...everyFormat],
  avif: ['quality', 'effort', 'lossless', 'chroma', 'maxBytes', ...everyFormat],
  gif: ['effort', 'progressive', 'maxBytes'],
  tiff: ['effort', ...everyFormat],
}

const advanced = new Set(['effort', 'chroma', 'progressive', 'metadata', 'profile', 'density'])
const titles: Record<string, string> = { name: 'File name', maxBytes: 'Most bytes' }

/** The settings of the chosen format, and other settings that have a value. */
export function outputSchemaFor(settings: Readonly<Record<string, unknown>>): JsonSchema {
  const options = formatOptions[String(settings.format)]
  const properties = Object.entries(outputSchema.properties ?? {})
    .filter(
      ([name]) =>
        name === 'format' || name === 'name' || settings[name] !== undefined || (options?.includes(name) ?? true),
    )
    .map(([name, schema]) => [
      name,
      {
        ...schema,
        ...(titles[name] === undefined ? {} : { title: titles[name] }),
        ...(advanced.has(name) ? { 'x-advanced': true } : {}),
      },
    ])
  return { type: 'object', properties: Object.fromEntries(properties) as Record<string, JsonSchema> }
}
