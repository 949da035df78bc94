/** Files that are dragged from another window, which Playwright can't do itself. */
import type { JSHandle, Locator, Page } from 'playwright-core'

export interface DraggedFile {
  name: string
  type: string
  bytes: Buffer
}

/** The data of drag events. */
export async function transferOf(page: Page, files: readonly DraggedFile[]): Promise<JSHandle> {
  const encoded = files.map(({ name, type, bytes }) => ({ name, type, base64: bytes.toString('base64') }))
  return page.evaluateHandle(
    `(() => {
      const transfer = new DataTransfer()
      for (const { name, type, base64 } of ${JSON.stringify(encoded)}) {
        const bytes = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0))
        transfer.items.add(new File([bytes], name, { type }))
      }
      return transfer
    })()`,
  )
}

/** `at`: the place in the window. */
export async function drop(target: Locator, dataTransfer: JSHandle, at = { x: 300, y: 300 }): Promise<void> {
  const [clientX, clientY] = [at.x, at.y]
  for (const event of ['dragenter', 'dragover', 'drop'])
    await target.dispatchEvent(event, { dataTransfer, clientX, clientY })
}

/** Drags files into the window and drops them. A drop area covers the window while something is dragged over it. */
export async function dropFiles(page: Page, files: readonly DraggedFile[]): Promise<void> {
  const transfer = await transferOf(page, files)
  await page.locator('body').dispatchEvent('dragenter', { dataTransfer: transfer })
  await drop(page.locator('.mantine-Dropzone-root').first(), transfer)
}
