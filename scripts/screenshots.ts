/**
 * Usage: node scripts/screenshots.ts [--only tutorial|console]
 *
 * Starts a service with its console and a separate data directory, creates sample data, and writes
 * docs/pictures/console-*.webp and tutorial-*.webp. Look at them before you commit them.
 */
import { writeFile } from 'node:fs/promises'
import { parseArgs } from 'node:util'
import type { Page } from 'playwright-core'
import sharp from 'sharp'
import { parse } from 'yaml'
import {
  card,
  focusCanvas,
  inspector,
  run,
  runPanel,
  select,
  waitUntilLoaded,
  waitUntilStill,
} from '../test/browser/harness/editor.ts'
import { fill } from '../test/browser/harness/fill.ts'
import { screenshot } from '../test/browser/harness/screenshot.ts'
import { tutorialSteps } from '../test/browser/harness/tutorial.ts'
import { type Client, ok } from '../test/harness/client.ts'
import type { Execution, Workflow } from '../test/harness/types.ts'
import { examplePhoto, onStage, openPage, picturesFolder, type Stage } from './console-stage.ts'

const size = { width: 1440, height: 900 }
const bytesMax = 150_000
/** Three rows. */
const shownInGallery = 12
const shownInStorage = 18
/** The nodes of the launch card. */
const nodes = ['photo', 'cover', 'framed', 'shade', 'shaded', 'title', 'ribbon', 'badge']

const { only } = parseArgs({ options: { only: { type: 'string' } } }).values

if (only !== 'console') await onStage(tutorial)
if (only !== 'tutorial')
  await onStage(async (stage) => {
    const records = await make(stage.api)
    for (const colorScheme of ['light', 'dark'] as const) await take(stage, records, colorScheme)
  })

interface Records {
  /** Revisions of the launch card, published twice. */
  workflowId: string
  executionId: string
  parameters: Record<string, string>
}

/** The examples of the first start run once, the launch card has two versions, and some executions fail. */
async function make(api: Client): Promise<Records> {
  const { workflows } = ok(await api.get<{ workflows: Workflow[] }>('/workflows', { limit: 50 }))
  for (const { id } of workflows) await api.post('/workflows/execute', { workflowId: id })
  const { images } = ok(await api.get<{ images: { id: string; name: string }[] }>('/storage/images', { limit: 100 }))
  const photo = images.find(({ name }) => name === 'dandelion.jpg')?.id ?? ''
  const parameters = { photo, headline: 'New: drawn once, run by id' }
  const first = launchCard()
  const { id: workflowId } = ok(await api.post<Workflow>('/workflows', first), 201)
  const { title } = first.nodes
  const params = { ...title?.params, size: 72, color: '#fff3e0' }
  const vignette = { type: 'vignette', inputs: { image: 'cover' }, params: { amount: 0.5 } }
  const shaded = { ...first.nodes.shaded, inputs: { image: 'framed', overlay: 'shade' } }
  const nodes = { ...first.nodes, framed: vignette, shaded, title: { ...title, params } }
  ok(await api.put(`/workflows/${workflowId}`, { ...first, nodes, output: { ...first.output, quality: 86 } }))
  const done = ok(
    await api.post<Execution>('/workflows/execute', { workflowId, parameters: { ...parameters, width: 1180 } }),
  )
  await api.post('/workflows/execute', {
    workflowId,
    parameters: { ...parameters, photo: 'img_0000000000000000000000000' },
  })
  return { workflowId, executionId: done.executionId, parameters }
}

interface Document {
  name: string
  nodes: Record<string, { type: string; inputs?: Record<string, string>; params?: Record<string, unknown> }>
  output: Record<string, unknown>
}

function launchCard(): Document {
  return parse(`
name: Launch card
description: A 1200 x 630 link-preview card from a photo and a headline.
parameters:
  - { name: photo, type: string, required: true, description: An image id or URL }
  - { name: headline, type: string, required: true }
  - { name: width, type: number, default: 1200, minimum: 200, maximum: 4000 }
nodes:
  photo:  { type: image, params: { source: "{{ photo }}" } }
  cover:  { type: resize, inputs: { image: photo }, params: { width: "{{ width }}", height: 630, fit: cover, position: attention } }
  shade:  { type: gradient, params: { width: "{{ width }}", height: 630, from: "#0000", to: "#000c", angle: 180 } }
  shaded: { type: composite, inputs: { image: cover, overlay: shade } }
  title:  { type: text, inputs: { image: shaded }, params: { text: "{{ headline | truncate: 80 }}", box: { x: 64, y: 400, width: "{{ width | minus: 128 }}", height: 180 }, size: 64, fit: shrink, weight: 700, color: white } }
  badge:  { type: composite, when: "{{ headline contains 'New' }}", inputs: { image: title, overlay: ribbon }, params: { position: north-east, margin: 32 } }
  ribbon: { type: qr, params: { text: "https://example.com", size: 120 } }
output: { node: badge, format: webp, quality: 82 }
`) as Document
}

/** The steps of docs/guide/console-tutorial.md. */
async function tutorial(stage: Stage): Promise<void> {
  const page = await openPage(stage, { viewport: { width: 1280, height: 800 } })
  const photo = { name: 'dandelion.jpg', type: 'image/jpeg', bytes: await examplePhoto('dandelion.jpg') }
  for (const [index, { act, leave }] of tutorialSteps(page, { key: stage.service.key, photo }).entries()) {
    await act()
    await keep(page, `tutorial-${String(index + 1).padStart(2, '0')}`)
    await leave?.()
  }
  await page.context().close()
}

async function take(stage: Stage, records: Records, colorScheme: 'light' | 'dark'): Promise<void> {
  const page = await openPage(stage, { viewport: size, colorScheme }, stage.service.key)
  if (colorScheme === 'dark') await editor(page, stage.api, records, 'console-editor-dark')
  else
    for (const picture of [gallery, app, versions, waterfall, storage, code, usage, editor, stageOfText])
      await picture(page, stage.api, records)
  await page.context().close()
}

async function gallery(page: Page): Promise<void> {
  await page.goto('/workflows')
  await page.getByRole('link', { name: 'Launch card' }).waitFor()
  const first = page.getByRole('article')
  for (let index = 0; index < shownInGallery; index++) await waitUntilLoaded(first.nth(index).locator('img'))
  await keep(page, 'console-gallery')
}

async function editor(page: Page, api: Client, records: Records, name = 'console-editor'): Promise<void> {
  const { workflowId, parameters } = records
  await page.goto(`/workflows/${workflowId}`)
  await card(page, 'badge').waitFor()
  await focusCanvas(page)
  await page.keyboard.press('r')
  // Cached results of executions without previews have no images.
  await enter(page, { ...parameters, width: '1200' })
  await focusCanvas(page)
  await run(page, api)
  // The field of the photo has its name then, and no box for an id.
  await page.reload()
  await card(page, 'badge').waitFor()
  await runPanel(page).getByRole('button', { name: 'Show the run panel' }).click()
  await page.getByRole('button', { name: 'Arrange automatically' }).click()
  for (const node of nodes) await waitUntilLoaded(card(page, node).locator('img'))
  await select(page, 'title')
  await inspector(page).locator('[data-path="nodes.title.params.text"]').waitFor()
  await focusCanvas(page)
  await page.keyboard.press('.')
  await waitUntilStill(page)
  await page.evaluate('document.activeElement.blur()')
  await keep(page, name)
}

async function enter(page: Page, parameters: Record<string, string>): Promise<void> {
  for (const [parameter, value] of Object.entries(parameters)) await fill(page, `parameters.${parameter}`, value)
}

/** The stage of the title, after the picture of the editor. */
async function stageOfText(page: Page): Promise<void> {
  await runPanel(page).getByRole('button', { name: 'Hide the run panel' }).click()
  await card(page, 'title').focus()
  await page.keyboard.press('Enter')
  await page.locator('[data-stage][data-settled]').waitFor()
  await page.locator('[data-frame] [data-grip=move]').first().focus()
  await keep(page, 'console-stage')
}

async function app(page: Page, _api: Client, { workflowId, executionId }: Records): Promise<void> {
  await page.goto(`/workflows/${workflowId}/run?from=${executionId}`)
  // The values of the execution.
  const width = page.locator('[data-path="parameters.width"]').getByRole('textbox')
  await width.and(page.locator('[value="1180"], [value="1180 px"]')).waitFor()
  await page.getByRole('button', { name: 'Run', exact: true }).click()
  await waitUntilLoaded(page.getByRole('img', { name: 'Launch card' }))
  await keep(page, 'console-app')
}

async function versions(page: Page, _api: Client, { workflowId }: Records): Promise<void> {
  await page.goto(`/workflows/${workflowId}/versions?to=2`)
  await page.getByLabel('Both graphs, overlaid').getByText('framed').first().waitFor()
  await page.waitForTimeout(1000)
  await keep(page, 'console-versions')
}

async function waterfall(page: Page, _api: Client, { executionId }: Records): Promise<void> {
  await page.goto(`/executions/${executionId}`)
  await page.getByRole('list', { name: 'Steps by time' }).waitFor()
  await page.getByText('ribbon').last().scrollIntoViewIfNeeded()
  await keep(page, 'console-execution')
}

async function storage(page: Page): Promise<void> {
  await page.goto('/storage')
  const images = page.getByRole('button', { name: /^Open / }).locator('img')
  for (let index = 0; index < shownInStorage; index++) await waitUntilLoaded(images.nth(index))
  await keep(page, 'console-storage')
}

async function code(page: Page, _api: Client, { workflowId, parameters }: Records): Promise<void> {
  await page.goto(`/workflows/${workflowId}/api`)
  await enter(page, parameters)
  await page.reload()
  await page.getByText('TypeScript', { exact: true }).click()
  await keep(page, 'console-code')
}

async function usage(page: Page): Promise<void> {
  await page.goto('/usage')
  await page.locator('svg.recharts-surface').first().waitFor()
  await keep(page, 'console-usage')
}

/** The smallest size that is still sharp. */
async function keep(page: Page, name: string): Promise<void> {
  const png = await screenshot(page)
  let bytes = png
  for (let quality = 90; quality >= 50; quality -= 10) {
    bytes = await sharp(png).webp({ quality, effort: 6, smartSubsample: true }).toBuffer()
    if (bytes.length <= bytesMax) break
  }
  await writeFile(new URL(`${name}.webp`, picturesFolder), bytes)
  process.stdout.write(`docs/pictures/${name}.webp ${bytes.length} bytes\n`)
}
