import { stopHtmlProcesses } from './html/html-processes.ts'
import { stopInspecting } from './raster/read/inspect.ts'
import { stopPdfProcesses } from './raster/read/pdf.ts'
import { stopSvgProcesses } from './raster/read/svg.ts'
import { stopFontProcesses } from './vector/font-check.ts'
import { stopTextProcesses } from './vector/text-processes.ts'

/** Ends the processes that decode and draw. Work that runs in them fails. */
export function stopImagingProcesses(): void {
  stopInspecting()
  stopSvgProcesses()
  stopPdfProcesses()
  stopHtmlProcesses()
  stopTextProcesses()
  stopFontProcesses()
}
