/** Images whose file is a drawing: they have any size, so a larger one is drawn again instead of enlarged. */
import type { ImageFormat } from '../../../domain/images/image.ts'
import type { ImageValue, Pixels } from '../../types.ts'
import type { DrawingContext, DrawingScale } from './drawing.ts'
import { firstPage, renderPdf } from './pdf.ts'
import { renderSvg } from './svg.ts'

export function isDrawing(format: ImageFormat | 'raw'): format is 'svg' | 'pdf' {
  return format === 'svg' || format === 'pdf'
}

/** The pixels of a drawing at this scale of its natural size. */
export async function renderAgain(
  { encoded, format, pdfPage = firstPage }: ImageValue,
  scale: DrawingScale,
  context: DrawingContext,
): Promise<Pixels> {
  if (encoded === undefined || !isDrawing(format)) throw new Error('the image is not a drawing')
  // The warnings were given when the file was read.
  if (format === 'svg') return renderSvg(encoded, scale, { ...context, warn: undefined })
  return (await renderPdf(encoded, pdfPage, scale, context)).pixels
}
