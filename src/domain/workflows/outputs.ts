/** The settings of `outputs`: further files of an execution next to `output`. An output is one image, a set of images, or a PDF. */
import Type, { type Static } from 'typebox'
import { list } from '../../../shared/text.ts'
import type { Issue } from '../../errors.ts'
import { limits } from '../../limits.ts'
import { joinPath } from '../validate.ts'
import { checkOutputOptions, type OutputEncoding, OutputSettings, outputFormats } from './output.ts'

export const outputKinds = ['image', 'set', 'pdf'] as const
export type OutputKind = (typeof outputKinds)[number]

/** Width and height in millimetres, upright. */
export const pageSizes = {
  A3: [297, 420],
  A4: [210, 297],
  A5: [148, 210],
  A6: [105, 148],
  Letter: [215.9, 279.4],
  Legal: [215.9, 355.6],
} as const satisfies Record<string, readonly [number, number]>

const millimetresPerInch = 25.4
export const pdfDensityDefault = 300

const outputWidth = { minimum: 1, maximum: limits.sidePixelsMax }
const pageSide = { minimum: 5, maximum: limits.outputPageMillimetresMax, 'x-unit': 'mm' }

/** Values like a node's params, so each may be a template. `output` has only the settings that don't need `outputs`. */
export const NamedOutputSettings = Type.Object(
  {
    ...OutputSettings.properties,
    format: Type.Optional(
      Type.Enum([...outputFormats, 'auto', 'pdf'], {
        description:
          "`auto` chooses `png`, `jpeg` or `webp` by content. Default: `webp` for an animation, `png` if the image has transparency or `lossless` is true, otherwise `jpeg`. `pdf` makes a document with a page for each image; it can't be a template.",
      }),
    ),
    width: Type.Optional(
      Type.Integer({
        ...outputWidth,
        description: 'Width of the file. The height is proportional, and the image is never enlarged.',
        'x-unit': 'px',
      }),
    ),
    widths: Type.Optional(
      Type.Array(Type.Integer(outputWidth), {
        minItems: 1,
        maxItems: limits.outputFilesMax,
        description:
          'Makes a set with a file for each width. The image is never enlarged: instead of larger widths, the set has one file with the width of the image.',
        'x-unit': 'px',
      }),
    ),
    formats: Type.Optional(
      Type.Array(Type.Enum([...outputFormats]), {
        minItems: 1,
        maxItems: outputFormats.length,
        description: 'Makes a set with a file for each format. Put the format that every browser can show last.',
      }),
    ),
    pageSize: Type.Optional(
      Type.Enum(Object.keys(pageSizes) as (keyof typeof pageSizes)[], {
        description: 'Size of the pages of a PDF. Default: the size of each image at `density`, with its margin.',
      }),
    ),
    pageWidth: Type.Optional(Type.Number({ ...pageSide, description: 'Width of the pages, instead of `pageSize`.' })),
    pageHeight: Type.Optional(Type.Number({ ...pageSide, description: 'Height of the pages, instead of `pageSize`.' })),
    orientation: Type.Optional(
      Type.Enum(['auto', 'portrait', 'landscape'], {
        description: 'Of a `pageSize`. `auto` (default): each page as its image.',
      }),
    ),
    margin: Type.Optional(
      Type.Number({
        minimum: 0,
        maximum: limits.outputPageMillimetresMax / 2,
        description: 'White space on each side of a page. Default: 0.',
        'x-unit': 'mm',
      }),
    ),
  },
  { additionalProperties: false, dependentRequired: { pageWidth: ['pageHeight'], pageHeight: ['pageWidth'] } },
)

export type NamedOutputSettings = Static<typeof NamedOutputSettings>

/** The settings of a PDF, after its rules. */
export type PdfSettings = Pick<
  NamedOutputSettings,
  'quality' | 'lossless' | 'chroma' | 'density' | 'pageSize' | 'pageWidth' | 'pageHeight' | 'orientation' | 'margin'
>

const pageOptions = ['pageSize', 'pageWidth', 'pageHeight', 'orientation', 'margin'] as const
const pdfOptions = ['quality', 'lossless', 'chroma', 'density', ...pageOptions] as const

export function outputKindOf({ format, widths, formats }: Record<string, unknown>): OutputKind {
  if (format === 'pdf') return 'pdf'
  return widths === undefined && formats === undefined ? 'image' : 'set'
}

/** One file of an image or a set. A missing width or format is that of the image. */
export interface OutputVariant {
  width?: number | undefined
  format?: OutputEncoding['format'] | undefined
}

/** The files of an image or a set, format by format, each from the smallest width. */
export function variantsOf({ format, width, formats, widths }: NamedOutputSettings): OutputVariant[] {
  const sizes = widths?.toSorted((a, b) => a - b) ?? [width]
  return (formats ?? [format as OutputEncoding['format']]).flatMap((encodedFormat) =>
    sizes.map((size) => ({
      ...(size !== undefined && { width: size }),
      ...(encodedFormat !== undefined && { format: encodedFormat }),
    })),
  )
}

/** The rules that the schema can't express. The kind is that of the document: a template can't change it. */
export function checkNamedOutput(kind: OutputKind, settings: Record<string, unknown>, at: string): Issue[] {
  if (kind === 'pdf') return checkPdf(settings, at)
  const issues: Issue[] = []
  const has = (option: string) => settings[option] !== undefined
  if (settings.format === 'pdf')
    issues.push({ path: joinPath(at, 'format'), message: 'can be "pdf" only in the document, not in a template' })
  for (const option of pageOptions) {
    if (has(option)) issues.push({ path: joinPath(at, option), message: 'requires `format: pdf`' })
  }
  for (const [single, many] of [
    ['width', 'widths'],
    ['format', 'formats'],
  ] as const) {
    if (has(single) && has(many))
      issues.push({ path: joinPath(at, single), message: `can't be set together with "${many}". Remove one of them.` })
    issues.push(...duplicates(settings[many], joinPath(at, many)))
  }
  return [...issues, ...checkOutputOptions(settings, at, settings.formats)]
}

function checkPdf(settings: Record<string, unknown>, at: string): Issue[] {
  const issues: Issue[] = []
  const known = new Set<string>(['format', 'name', ...pdfOptions])
  for (const option of Object.keys(NamedOutputSettings.properties)) {
    if (settings[option] === undefined || known.has(option)) continue
    const message =
      option === 'credentials'
        ? 'is not an option of the format "pdf": a PDF can\'t be signed. AI images are marked in its metadata.'
        : `is not an option of the format "pdf". Options: ${list([...pdfOptions])}.`
    issues.push({ path: joinPath(at, option), message })
  }
  if (settings.lossless === true) {
    for (const option of ['quality', 'chroma'] as const) {
      if (settings[option] !== undefined)
        issues.push({ path: joinPath(at, option), message: 'has no effect with `lossless: true`. Remove one of them.' })
    }
  }
  if (settings.pageSize !== undefined && settings.pageWidth !== undefined)
    issues.push({
      path: joinPath(at, 'pageSize'),
      message: 'can\'t be set together with "pageWidth" and "pageHeight". Remove one of them.',
    })
  if (settings.orientation !== undefined && settings.pageSize === undefined)
    issues.push({ path: joinPath(at, 'orientation'), message: 'requires "pageSize"' })
  return [...issues, ...checkPage(settings, at)]
}

/** The size of the page, as far as it is known without an image and without templates. */
function checkPage({ pageSize, pageWidth, pageHeight, margin, density }: Record<string, unknown>, at: string): Issue[] {
  const named = typeof pageSize === 'string' && Object.hasOwn(pageSizes, pageSize)
  const sides = named ? pageSizes[pageSize as keyof typeof pageSizes] : [pageWidth, pageHeight]
  const known = sides.filter((side) => typeof side === 'number')
  if (known.length === 0) return []
  const issues: Issue[] = []
  const smallest = Math.min(...known)
  if (typeof margin === 'number' && 2 * margin >= smallest)
    issues.push({
      path: joinPath(at, 'margin'),
      message: `must be less than half of the page, which has a side of ${smallest} mm, not ${margin}`,
    })
  const dpi = typeof density === 'number' ? density : density === undefined ? pdfDensityDefault : undefined
  const pixels = dpi === undefined ? 0 : pixelsAt(Math.max(...known), dpi)
  if (pixels > limits.sidePixelsMax)
    issues.push({
      path: joinPath(at, 'density'),
      message: `makes a page of ${pixels} pixels; the maximum is ${limits.sidePixelsMax} pixels per side. Set a lower density, or smaller pages.`,
    })
  return issues
}

function duplicates(values: unknown, at: string): Issue[] {
  if (!Array.isArray(values)) return []
  return values.flatMap((value, i) => {
    const first = values.indexOf(value)
    return first === i || typeof value === 'object'
      ? []
      : [{ path: `${at}.${i}`, message: `is the same as "${at}.${first}". Remove one of them.` }]
  })
}

export function pixelsAt(millimetres: number, density: number): number {
  return Math.round((millimetres / millimetresPerInch) * density)
}
