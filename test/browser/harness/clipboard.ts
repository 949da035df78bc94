/** The clipboard of a visit with `hasClipboard`. */
import type { Page } from 'playwright-core'
import { until } from '../../harness/wait.ts'

/** The text that the action copies. The browser writes it some time after the action. */
export async function copiedBy(page: Page, copy: () => Promise<void>): Promise<string> {
  await page.evaluate("navigator.clipboard.writeText('')")
  await copy()
  return until('a copied text', async () => String(await page.evaluate('navigator.clipboard.readText()')) || undefined)
}
