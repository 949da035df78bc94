import { stopHtmlProcesses } from './html/html-processes.ts'
import { stopAccountFontProcesses } from './vector/account-font-processes.ts'

/** Ends the processes that draw HTML and uploaded fonts. Work that runs in them fails. */
export function stopDrawingProcesses(): void {
  stopHtmlProcesses()
  stopAccountFontProcesses()
}
