/** User actions in the editor of a workflow. */
import type { Locator, Page } from 'playwright-core'
import { type Client, ok } from '../../harness/client.ts'
import type { Execution } from '../../harness/types.ts'
import { until } from '../../harness/wait.ts'

export interface DraftDocument {
  name: string
  parameters?: Record<string, unknown>[]
  nodes: Record<string, { type: string; inputs?: Record<string, string | string[]>; params?: Record<string, unknown> }>
  output?: Record<string, unknown>
  /** Places of cards, and notes. */
  layout?: Record<string, unknown>
}

/** Creates an unpublished draft. Returns the id of its workflow. */
export async function newDraft(api: Client, document: object = { name: 'Untitled', nodes: {} }): Promise<string> {
  const { workflowId } = ok(await api.post<{ workflowId: string }>('/workflows/drafts', { document }), 201)
  return workflowId
}

export async function storedDraft(api: Client, workflowId: string): Promise<DraftDocument> {
  return ok(await api.get<{ document: DraftDocument }>(`/workflows/${workflowId}/draft`)).document
}

/** Waits until the stored draft meets the condition. */
export async function draftWith(
  api: Client,
  workflowId: string,
  expectation: string,
  is: (document: DraftDocument) => boolean,
): Promise<DraftDocument> {
  return until(`a stored draft with ${expectation}`, async () => {
    const { status, body } = await api.get<{ document: DraftDocument }>(`/workflows/${workflowId}/draft`)
    return status === 200 && is(body.document) ? body.document : undefined
  })
}

/** Waits until the page shows that the draft has all changes. */
export async function waitUntilSaved(page: Page): Promise<void> {
  await page.locator('[data-save-state=saved]').waitFor()
}

export function canvasOf(page: Page): Locator {
  return page.locator('[data-canvas]')
}

export function card(page: Page, id: string): Locator {
  return page.locator(`.react-flow__node[data-id="${id}"]`)
}

/** The id of the output card on the canvas. */
export const outputCard = '$output'

export function inspector(page: Page): Locator {
  return page.getByLabel('Inspector', { exact: true })
}

export function field(page: Page, path: string): Locator {
  return page.locator(`[data-path="${path}"]`)
}

/** Focuses the canvas itself, so that its shortcuts work. */
export async function focusCanvas(page: Page): Promise<void> {
  await canvasOf(page).focus()
}

/** Pastes text at the focus, like Ctrl+V, without the clipboard of the machine. */
export async function paste(page: Page, text: string): Promise<void> {
  await page.evaluate(
    `(() => {
      const clipboardData = new DataTransfer()
      clipboardData.setData('text/plain', ${JSON.stringify(text)})
      const event = new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true })
      ;(document.activeElement ?? document.body).dispatchEvent(event)
    })()`,
  )
}

/** Searches the open palette and chooses the first entry. */
export async function choose(page: Page, name: string): Promise<void> {
  const search = page.getByRole('combobox', { name: 'Add a node' })
  await search.fill(name)
  await search.press('Enter')
}

/** Adds an unconnected node with the palette. Returns its id. */
export async function addNode(page: Page, name: string): Promise<string> {
  await focusCanvas(page)
  await page.keyboard.press('Escape')
  await page.locator('.react-flow__node.selected').first().waitFor({ state: 'detached' })
  await page.keyboard.press('/')
  await choose(page, name)
  const id = await page.locator('.react-flow__node.selected').getAttribute('data-id')
  if (id === null) throw new Error(`Nothing is selected after ${name} was added.`)
  return id
}

/** Selects a card and opens its settings. */
export async function select(page: Page, id: string): Promise<void> {
  await waitUntilStill(page)
  await card(page, id).locator('[class*=names]').click()
  await page.locator(`.react-flow__node.selected[data-id="${id}"]`).waitFor()
}

/** Chooses an option of a select box. */
export async function pick(page: Page, list: Locator, option: string): Promise<void> {
  await list.click()
  await page.getByRole('option', { name: option, exact: true }).click()
}

/** Connects a socket in the inspector of the selected target. */
export async function wire(page: Page, source: string, socket: string): Promise<void> {
  await pick(page, inspector(page).getByRole('combobox', { name: `New wire to ${socket}` }), source)
}

/**
 * Waits until the cards don't move, because a click would hit another place. The view starts to move some frames after
 * the request.
 */
export async function waitUntilStill(page: Page): Promise<void> {
  await page.evaluate(
    `new Promise((done) => {
      let frames = 0
      const look = () => {
        frames += 1
        if (frames > 6 && document.querySelector('[data-canvas][data-moving]') === null) done()
        else requestAnimationFrame(look)
      }
      requestAnimationFrame(look)
    })`,
  )
}

/** Shows all nodes, and leaves no focus and no tooltip behind. */
export async function showEverything(page: Page): Promise<void> {
  await focusCanvas(page)
  await page.keyboard.press('.')
  await waitUntilStill(page)
  await page.evaluate('document.activeElement.blur()')
}

export async function makeOutput(page: Page, id: string): Promise<void> {
  await focusCanvas(page)
  await page.keyboard.press('.')
  await select(page, outputCard)
  await pick(page, inspector(page).getByRole('combobox', { name: 'Node of the output' }), id)
}

/** Runs with a shortcut, and waits until the run has ended and the page shows it. */
export async function run(page: Page, api: Client, keys = 'Control+Enter'): Promise<Execution> {
  const responded = page.waitForResponse(
    (response) => response.url().endsWith('/draft/execute') && response.request().method() === 'POST',
  )
  await page.keyboard.press(keys)
  const response = await responded
  if (!response.ok()) throw new Error(`The run was refused: ${await response.text()}`)
  const { executionId } = (await response.json()) as { executionId: string }
  const execution = await api.ended(executionId)
  await waitForResult(page, execution)
  return execution
}

async function waitForResult(page: Page, { output, error }: Execution): Promise<void> {
  if (error !== undefined) await runStatus(page).filter({ hasText: error.message }).waitFor()
  if (output !== undefined)
    await waitUntilLoaded(result(page).and(page.locator(`[src="${new URL(output.url).pathname}"]`)))
  await waitUntilRunnable(page)
}

/** Waits until no run is going on. Until then, the shortcut of a run does nothing, also if its result is already there. */
export async function waitUntilRunnable(page: Page): Promise<void> {
  await runPanel(page).getByRole('button', { name: 'Run', exact: true }).waitFor()
}

export function runPanel(page: Page): Locator {
  return page.getByRole('region', { name: 'Run' })
}

export function runStatus(page: Page): Locator {
  return runPanel(page).getByRole('status')
}

export function result(page: Page): Locator {
  return page.getByRole('img', { name: 'The result', exact: true })
}

/** Waits until the image is loaded completely. */
export async function waitUntilLoaded(locator: Locator): Promise<void> {
  await locator.waitFor()
  await until('the picture to be drawn', async () => {
    const width = await locator.evaluate((image) => (image as unknown as { naturalWidth: number }).naturalWidth)
    return width > 0 || undefined
  })
}
