import { stopHtmlProcesses } from './html/html-processes.ts'
import { stopTextProcesses } from './vector/text-processes.ts'

/** Ends the processes that draw HTML and uploaded fonts. Work that runs in them fails. */
export function stopDrawingProcesses(): void {
  stopHtmlProcesses()
  stopTextProcesses()
}
