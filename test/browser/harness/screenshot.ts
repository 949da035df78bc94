/** Screenshots of pages that are complete and don't move. */
import { mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import type { Page } from 'playwright-core'
import { waitUntilSettled } from './settled.ts'

/** Uses the size and the colours of the visit. `file`: also writes it there. */
export async function screenshot(page: Page, file?: string): Promise<Buffer> {
  await waitUntilSettled(page)
  if (file !== undefined) mkdirSync(dirname(file), { recursive: true })
  return page.screenshot({
    animations: 'disabled',
    caret: 'hide',
    scale: 'css',
    ...(file !== undefined && { path: file }),
  })
}
