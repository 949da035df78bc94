/** The settings of `output` next to its node, and the formats that have each setting. */
import Type, { type Static } from 'typebox'
import { list } from '../../../shared/text.ts'
import type { Issue } from '../../errors.ts'
import { fileName } from '../images/image.ts'
import { joinPath } from '../validate.ts'

export const outputFormats = ['png', 'jpeg', 'webp', 'avif', 'gif', 'tiff'] as const
export type OutputFormat = (typeof outputFormats)[number]

/** Values like a node's params, so each may be a template. */
export const OutputSettings = Type.Object(
  {
    format: Type.Optional(
      Type.Enum([...outputFormats, 'auto'], {
        description:
          '`auto` chooses by content: `png` for flat graphics, `jpeg` for photos, `webp` for transparent photos and animations. Default: `webp` for an animation, `png` if the image has transparency or `lossless` is true, otherwise `jpeg`. jpeg, avif and tiff encode the first frame.',
      }),
    ),
    name: Type.Optional(Type.String({ ...fileName, description: 'File name of the output image.' })),
    quality: Type.Optional(
      Type.Union([Type.Integer({ minimum: 1, maximum: 100 }), Type.Unsafe<'auto'>({ const: 'auto' })], {
        minimum: 1,
        maximum: 100,
        description:
          'Quality of lossy compression. `auto` chooses the lowest one without visible differences, in at most three encodes. No effect on lossless formats. Default: 80, avif 50.',
      }),
    ),
    effort: Type.Optional(
      Type.Enum(['low', 'medium', 'high'], {
        description: 'CPU time spent on a smaller file at the same quality. Default: medium.',
      }),
    ),
    lossless: Type.Optional(
      Type.Boolean({ description: 'Whether to encode without loss. Default: true for png, false for other formats.' }),
    ),
    chroma: Type.Optional(
      Type.Enum(['4:4:4', '4:2:0'], {
        description:
          'Chroma subsampling. `4:4:4` stores the colour of each pixel, better for text and red edges. `4:2:0` stores one colour for 2 x 2 pixels. Default: jpeg 4:2:0, avif 4:4:4.',
      }),
    ),
    progressive: Type.Optional(
      Type.Boolean({ description: 'Whether browsers can show a preview of the entire image while it loads.' }),
    ),
    maxBytes: Type.Optional(
      Type.Integer({
        minimum: 100,
        maximum: 1_000_000_000,
        description: 'Maximum file size. Chooses the highest quality that fits. `quality` is the upper bound.',
        'x-unit': 'bytes',
      }),
    ),
    metadata: Type.Optional(
      Type.Enum(['strip', 'keep'], {
        description:
          'Whether to copy EXIF (including location, without thumbnail), XMP, IPTC and density of the first source. Default: strip.',
      }),
    ),
    profile: Type.Optional(
      Type.Enum(['srgb', 'p3', 'keep'], {
        description:
          'Colour profile. `srgb` (default) embeds no profile, `p3` embeds Display P3, `keep` embeds the RGB profile of the first source.',
      }),
    ),
    credentials: Type.Optional(
      Type.Enum(['auto', 'always', 'never'], {
        description:
          'Whether the output is signed with Content Credentials (C2PA), which record how it was made. `auto` (default): if an AI model made any of its pixels, or a source has credentials.',
      }),
    ),
    hdr: Type.Optional(
      Type.Enum(['keep', 'strip'], {
        description:
          'Whether a JPEG keeps the gain map of an HDR photo, with which screens show its highlights brighter than white. Only if all steps resize, crop, flip or turn the photo. Default: keep.',
      }),
    ),
    density: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 10_000,
        description: 'Pixels per inch (dpi) for printing. Pixels stay unchanged.',
        'x-unit': 'dpi',
      }),
    ),
  },
  { additionalProperties: false },
)

export type OutputSettings = Static<typeof OutputSettings>

/** The settings of the encoder, which may leave format and quality to it. */
export type OutputEncoding = Omit<OutputSettings, 'name' | 'credentials'>
/** The settings of one encode. */
export type EncodeSettings = Omit<OutputEncoding, 'format' | 'quality'> & { format?: OutputFormat; quality?: number }
export type OutputOption = Exclude<keyof EncodeSettings, 'format'>
export type Effort = NonNullable<EncodeSettings['effort']>

/**
 * The options of each format. An option that a format doesn't have is an error, except `quality`, so that callers of a workflow
 * can choose the format.
 */
export const formatOptions: Record<OutputFormat, Partial<Record<OutputOption, string>>> = {
  png: {
    quality: 'of the palette, with `lossless: false`: 80',
    effort: 'low, medium, high',
    lossless: 'true; false uses a palette of 256 colors',
    progressive: 'interlaced',
    maxBytes: 'lossless if it fits, otherwise a palette',
    metadata: 'EXIF, XMP',
    profile: 'yes',
    density: 'yes',
  },
  jpeg: {
    quality: '80',
    effort: 'low, medium, high',
    chroma: '4:2:0',
    progressive: 'progressive; always with high effort',
    maxBytes: 'by quality',
    metadata: 'EXIF, XMP, IPTC',
    hdr: 'keep',
    profile: 'yes',
    density: 'yes',
  },
  webp: {
    quality: '80',
    effort: 'low, medium, high',
    lossless: 'false',
    maxBytes: 'by quality',
    metadata: 'EXIF, XMP',
    profile: 'yes',
    density: 'in EXIF',
  },
  avif: {
    quality: '50',
    effort: 'low, medium, high',
    lossless: 'false',
    chroma: '4:4:4',
    maxBytes: 'by quality',
    metadata: 'EXIF, XMP',
    profile: 'yes',
    density: 'in EXIF',
  },
  gif: {
    effort: 'low, medium, high',
    progressive: 'interlaced',
    maxBytes: 'by the number of colors',
  },
  tiff: {
    effort: 'low, medium, high',
    metadata: 'XMP',
    profile: 'yes',
    density: 'yes',
  },
}

/**
 * The rules that the schema can't express: options that the format doesn't have, or that exclude each other. `formats`: those of a set,
 * in place of `format`. Each option needs one format that has it, and a limit of bytes applies to every file.
 */
export function checkOutputOptions(settings: Record<string, unknown>, at: string, formats?: unknown): Issue[] {
  const known = formats === undefined ? formatsOf(settings.format) : formatsOf(formats)
  const has = new Set(known.flatMap((format) => Object.keys(formatOptions[format])))
  const issues: Issue[] = []
  for (const option of outputOptions) {
    if (settings[option] === undefined || known.length === 0 || option === 'quality') continue
    const isEach = formats !== undefined && option === 'maxBytes'
    if (isEach ? known.every((format) => formatOptions[format][option]) : has.has(option)) continue
    const name = known.filter((format) => !formatOptions[format][option]).join(' or ')
    issues.push({
      path: joinPath(at, option),
      message: `is not an option of the format "${name}". Options: ${list([...has])}.`,
      fix: { remove: true },
    })
  }
  const { format, lossless } = settings
  const isNamed = format !== undefined || formats !== undefined
  if (lossless === true && isNamed && format !== 'png' && !known.includes('png')) {
    for (const option of ['quality', 'chroma'] as const) {
      if (settings[option] !== undefined && has.has(option))
        issues.push({
          path: joinPath(at, option),
          message: 'has no effect with `lossless: true`. Remove one of them.',
          fix: { remove: true },
        })
    }
  }
  return issues
}

/** The settings for another format: without the options that it doesn't have. `default`: for the format of an output that names none. */
export function settingsFor(
  settings: Record<string, unknown>,
  format: OutputFormat | 'default',
): Record<string, unknown> {
  const { format: former, ...others } = settings
  if (format === former) return settings
  const chosen = format === 'default' ? undefined : format
  const has = new Set(formatsOf(chosen).flatMap((format) => Object.keys(formatOptions[format])))
  const kept = Object.entries(others).filter(([name]) => !isOption(name) || has.has(name) || name === 'quality')
  const isLossless = others.lossless === true && chosen !== undefined && chosen !== 'png'
  const excluded = isLossless ? ['quality', 'chroma'] : []
  return {
    ...(chosen === undefined ? {} : { format: chosen }),
    ...Object.fromEntries(kept.filter(([name]) => !excluded.includes(name))),
  }
}

function isOption(name: string): boolean {
  return (outputOptions as readonly string[]).includes(name)
}

const outputOptions = Object.keys(OutputSettings.properties).filter(
  (name): name is OutputOption => name !== 'format' && name !== 'name' && name !== 'credentials',
)

/**
 * Formats that an output may have: without a format png or jpeg, depending on the transparency; with auto one of three.
 * The options of an unknown format cannot be checked.
 */
function formatsOf(format: unknown): OutputFormat[] {
  if (format === undefined) return ['png', 'jpeg']
  if (format === 'auto') return ['png', 'jpeg', 'webp']
  const named: unknown[] = Array.isArray(format) ? format : [format]
  const known = outputFormats.filter((format) => named.includes(format))
  return named.every((format) => known.includes(format as OutputFormat)) ? known : []
}
