/** What people do in the editor of a workflow: as they do it, by what they see there. */
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

/** A draft of its own, of which nothing is published. Gives the id of its workflow. */
export async function newDraft(api: Client, document: object = { name: 'Untitled', nodes: {} }): Promise<string> {
  const { workflowId } = ok(await api.post<{ workflowId: string }>('/workflows/drafts', { document }), 201)
  return workflowId
}

export async function storedDraft(api: Client, workflowId: string): Promise<DraftDocument> {
  return ok(await api.get<{ document: DraftDocument }>(`/workflows/${workflowId}/draft`)).document
}

/** Until the stored draft is such. */
export async function draftWith(
  api: Client,
  workflowId: string,
  what: string,
  is: (document: DraftDocument) => boolean,
): Promise<DraftDocument> {
  return until(`a stored draft with ${what}`, async () => {
    const { status, body } = await api.get<{ document: DraftDocument }>(`/workflows/${workflowId}/draft`)
    return status === 200 && is(body.document) ? body.document : undefined
  })
}

export function canvasOf(page: Page): Locator {
  return page.locator('[data-canvas]')
}

export function card(page: Page, id: string): Locator {
  return page.locator(`.react-flow__node[data-id="${id}"]`)
}

/** The output card's id on the canvas. */
export const outputCard = '$output'

export function inspector(page: Page): Locator {
  return page.getByLabel('Inspector', { exact: true })
}

export function field(page: Page, path: string): Locator {
  return page.locator(`[data-path="${path}"]`)
}

/** Puts the focus on the canvas itself, where its keys are heard. */
export async function focusCanvas(page: Page): Promise<void> {
  await canvasOf(page).focus()
}

/** Pastes text where the focus is, as Ctrl+V does, without the clipboard of the machine. */
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

/** Searches the list of operations that has just been opened, and takes the first. */
export async function choose(page: Page, name: string): Promise<void> {
  const search = page.getByRole('combobox', { name: 'Add a node' })
  await search.fill(name)
  await search.press('Enter')
}

/** Adds a node of its own by the search palette. Gives its id. */
export async function addNode(page: Page, name: string): Promise<string> {
  await focusCanvas(page)
  await page.keyboard.press('Escape')
  await page.keyboard.press('/')
  await choose(page, name)
  const id = await page.locator('.react-flow__node.selected').getAttribute('data-id')
  if (id === null) throw new Error(`Nothing is selected after ${name} was added.`)
  return id
}

/** Opens its settings in the inspector. */
export async function select(page: Page, id: string): Promise<void> {
  await isStill(page)
  await card(page, id).locator('[class*=names]').click()
  await page.locator(`.react-flow__node.selected[data-id="${id}"]`).waitFor()
}

/** In a list that opens below a field. */
export async function pick(page: Page, list: Locator, option: string): Promise<void> {
  await list.click()
  await page.getByRole('option', { name: option, exact: true }).click()
}

/** From the inspector of the target, which is selected. */
export async function wire(page: Page, source: string, socket: string): Promise<void> {
  await pick(page, inspector(page).getByRole('combobox', { name: `New wire to ${socket}` }), source)
}

/** Until the cards stand still: a click on the way would meet another place. The view begins to move some frames after it was asked to. */
export async function isStill(page: Page): Promise<void> {
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

export async function makeOutput(page: Page, id: string): Promise<void> {
  await focusCanvas(page)
  await page.keyboard.press('.')
  await select(page, outputCard)
  await pick(page, inspector(page).getByRole('combobox', { name: 'Node of the output' }), id)
}

/** Runs by a shortcut, and waits until the run has ended and the page tells so. */
export async function run(page: Page, api: Client, keys = 'Control+Enter'): Promise<Execution> {
  const answered = page.waitForResponse(
    (response) => response.url().endsWith('/draft/execute') && response.request().method() === 'POST',
  )
  await page.keyboard.press(keys)
  const answer = await answered
  if (!answer.ok()) throw new Error(`The run was refused: ${await answer.text()}`)
  const { executionId } = (await answer.json()) as { executionId: string }
  const execution = await api.ended(executionId)
  await sees(page, execution)
  return execution
}

async function sees(page: Page, { output, error }: Execution): Promise<void> {
  if (error !== undefined) await runStatus(page).filter({ hasText: error.message }).waitFor()
  if (output === undefined) return
  const picture = result(page).and(page.locator(`[src="${new URL(output.url).pathname}"]`))
  await isSeen(picture)
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

/** Until the picture is there, with all its bytes. */
export async function isSeen(picture: Locator): Promise<void> {
  await picture.waitFor()
  await until('the picture to be drawn', async () => {
    const width = await picture.evaluate((image) => (image as unknown as { naturalWidth: number }).naturalWidth)
    return width > 0 || undefined
  })
}
