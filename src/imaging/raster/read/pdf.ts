/** Draws pages of PDF files. */
import { failure } from '../../../errors.ts'
import { limits } from '../../../limits.ts'
import { createProcessPool } from '../../../processes/process-pool.ts'
import type { PdfPage, Pixels } from '../../types.ts'
import {
  type DrawingContext,
  type DrawingJob,
  type DrawingScale,
  type Drawn,
  drawingPool,
  type Size,
} from './drawing.ts'

export interface PdfJob extends DrawingJob {
  page: PdfPage
}

export interface DrawnPage extends Drawn {
  /** Names of fonts that the page uses for letters that no other font has, and that are not in the file. */
  missingFonts: string[]
}

const pool = createProcessPool<PdfJob, DrawnPage, DrawingContext>(
  drawingPool(new URL('./pdf-child.ts', import.meta.url), {
    name: ({ page }) => `page ${page.number} of the PDF`,
    advice: 'Export it as an image.',
    seconds: () => limits.pdfSeconds,
    usualMemoryBytes: limits.pdfUsualMemoryBytes,
    memoryBytesMax: limits.pdfMemoryBytesMax,
    broken: (cause) => failure('input_invalid', "The PDF is corrupt: it can't be drawn. Export it again.", { cause }),
  }),
)

/** The page of the size and the thumbnail of a stored PDF. */
export const firstPage: PdfPage = { number: 1, dpi: limits.pdfDpi }

/** Draws a page on white. The natural size depends on the dpi of the page. `missingFonts`: see `DrawnPage`. */
export async function renderPdf(
  bytes: Buffer,
  page: PdfPage,
  scale: DrawingScale,
  context: DrawingContext,
): Promise<{ pixels: Pixels; missingFonts: string[] }> {
  const { data, width, height, missingFonts } = await draw(bytes, page, scale, true, context)
  if (data === undefined) throw new Error('drawn without pixels')
  return { pixels: { data, width, height, channels: 3 }, missingFonts }
}

/** The size of a page that was drawn completely once, without keeping the pixels. */
export async function measurePdf(bytes: Buffer, page: PdfPage, context: DrawingContext): Promise<Size> {
  const { width, height } = await draw(bytes, page, 1, false, context)
  return { width, height }
}

function draw(bytes: Buffer, page: PdfPage, scale: DrawingScale, wantsPixels: boolean, context: DrawingContext) {
  return pool.run({ bytes, page, scale, wantsPixels, pixelsMax: context.pixelsMax }, context)
}
