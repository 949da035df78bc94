/** Pictures of pages, as they are when all of it is there and nothing moves. */
import { mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import type { Page } from 'playwright-core'
import { isSettled } from './settled.ts'

/** The size and the colours are those of the visit. `file`: where it is written, too. */
export async function screenshot(page: Page, file?: string): Promise<Buffer> {
  await isSettled(page)
  if (file !== undefined) mkdirSync(dirname(file), { recursive: true })
  return page.screenshot({
    animations: 'disabled',
    caret: 'hide',
    scale: 'css',
    ...(file !== undefined && { path: file }),
  })
}
