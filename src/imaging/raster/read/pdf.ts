/** Draws pages of PDF files. */
import { fileURLToPath } from 'node:url'
import { type Fault, failure } from '../../../errors.ts'
import { limits } from '../../../limits.ts'
import type { PdfPage, Pixels } from '../../types.ts'
import { type DrawingContext, type DrawingReport, type DrawingScale, draw, type Size } from './drawing.ts'

/** The line of JSON that pdf-child.ts writes. */
export type PdfReport = Partial<Size> & {
  message?: string
  /** Whether it needs a password. */
  isLocked?: boolean
  /** How many pages it has, if the page doesn't exist. */
  pages?: number
  /** Names of fonts that the page uses for letters that no other font has, and that are not in the file. */
  missingFonts?: string[]
}

/** The page of the size and the thumbnail of a stored PDF. */
export const firstPage: PdfPage = { number: 1, dpi: limits.pdfDpi }

/** On white. The natural size depends on the dpi of the page. `missingFonts`: see `PdfReport`. */
export async function renderPdf(
  bytes: Buffer,
  page: PdfPage,
  scale: DrawingScale,
  context: DrawingContext,
): Promise<{ pixels: Pixels; missingFonts: string[] }> {
  const { data, width, height, report } = await drawPage(bytes, page, scale, true, context)
  const { missingFonts = [] } = report as PdfReport
  return { pixels: { data, width, height, channels: 3 }, missingFonts }
}

/** The size of a page that was drawn completely once, without keeping the pixels. */
export async function measurePdf(bytes: Buffer, page: PdfPage, context: DrawingContext): Promise<Size> {
  const { width, height } = await drawPage(bytes, page, 1, false, context)
  return { width, height }
}

const program = fileURLToPath(new URL('./pdf-child.ts', import.meta.url))

function drawPage(bytes: Buffer, page: PdfPage, scale: DrawingScale, wantsPixels: boolean, context: DrawingContext) {
  const size = typeof scale === 'number' ? [scale, 0, 0] : [0, scale.width ?? 0, scale.height ?? 0]
  return draw(
    {
      bytes,
      program,
      args: [page.number, page.dpi, ...size],
      name: `page ${page.number} of the PDF`,
      advice: 'Export it as an image.',
      channels: 3,
      wantsPixels,
      usualMemoryBytes: limits.pdfUsualMemoryBytes,
      memoryBytesMax: limits.pdfMemoryBytesMax,
      secondsMax: limits.pdfSeconds,
      faultOf: (report, problem) => faultOf(report, problem, page),
    },
    context,
  )
}

function faultOf({ message, isLocked, pages }: DrawingReport & PdfReport, problem: string, { number }: PdfPage): Fault {
  if (isLocked) {
    return failure('input_invalid', 'The PDF is protected by a password. Export it without a password.')
  }
  if (pages === 0) return failure('input_invalid', 'The PDF has no pages. Export it again.')
  if (pages !== undefined) {
    return failure('input_invalid', `The PDF has no page ${number}: it has ${pages} ${pages === 1 ? 'page' : 'pages'}.`)
  }
  return failure('input_invalid', "The PDF is corrupt: it can't be drawn. Export it again.", {
    cause: message ?? problem,
  })
}
