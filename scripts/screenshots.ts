/**
 * Usage: node scripts/screenshots.ts
 *
 * Draws the pictures of the console in the guide and the README anew: starts a service on a folder of its own, runs some of
 * its examples, and photographs the pages with the Chromium of this machine (test/browser/harness/chromium.ts).
 */
import { mkdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Page } from 'playwright-core'
import sharp from 'sharp'
import { launchChromium } from '../test/browser/harness/chromium.ts'
import { screenshot } from '../test/browser/harness/screenshot.ts'
import { type Client, createClient, ok } from '../test/harness/client.ts'
import { startService } from '../test/harness/service.ts'
import type { Execution, Workflows } from '../test/harness/types.ts'
import { until } from '../test/harness/wait.ts'

const folder = fileURLToPath(new URL('../docs/pictures', import.meta.url))
const width = 1440
const height = 900
const shownWidth = 1200

const service = await startService({ CONSOLE: 'true' })
const browser = await launchChromium()
try {
  const api = await createClient(service, service.key)
  const ids = await examples(api)
  const card = ids.get('Link preview card') ?? ''
  const runs = await someRuns(api, ids)
  await secondVersion(api, card)
  await until('the console to be built', async () => (await fetch(service.origin)).status === 200 || undefined, 180)

  for (const colorScheme of ['light', 'dark'] as const) {
    const options = {
      baseURL: service.origin,
      viewport: { width, height },
      colorScheme,
      reducedMotion: 'reduce' as const,
    }
    const context = await browser.newContext(options)
    await context.request.post('/v1/session', { data: { key: service.key } })
    const page = await context.newPage()
    if (colorScheme === 'dark') {
      await draw(page, `/executions/${runs.at(-1)}`, 'console-execution')
    } else {
      await draw(page, `/workflows/${card}`, 'console-editor', runOnce)
      await draw(page, '/workflows', 'console-gallery')
      await draw(page, `/workflows/${card}/versions?from=1&to=2`, 'console-versions')
      await draw(page, `/workflows/${card}/run?from=${runs[0]}`, 'console-run', runOnce)
      await draw(page, `/workflows/${card}/api`, 'console-api')
      await draw(page, '/storage', 'console-storage')
      await draw(page, '/usage', 'console-usage')
    }
    await context.close()
  }
} finally {
  await browser.close()
  await service.remove()
}

async function draw(page: Page, path: string, name: string, act?: (page: Page) => Promise<void>): Promise<void> {
  await page.goto(path)
  await page.getByRole('heading', { level: 1 }).first().waitFor()
  await act?.(page)
  await page.waitForLoadState('networkidle')
  const png = await screenshot(page)
  const file = join(folder, `${name}.webp`)
  await mkdir(dirname(file), { recursive: true })
  const { size } = await sharp(png)
    .resize({ width: shownWidth })
    .webp({ quality: 82, smartSubsample: true })
    .toFile(file)
  process.stdout.write(`${file}: ${Math.round(size / 1000)} kB\n`)
}

async function runOnce(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Run', exact: true }).first().click()
  await page
    .getByText(/^Done in /)
    .first()
    .waitFor()
}

async function examples(api: Client): Promise<Map<string, string>> {
  const { workflows } = ok(await api.get<Workflows>('/workflows', { limit: 100 }))
  return new Map(workflows.map(({ id, name }) => [name, id]))
}

/** The ids of their executions. */
async function someRuns(api: Client, ids: ReadonlyMap<string, string>): Promise<string[]> {
  const names = [
    'Link preview card',
    'Quote card',
    'Chart card',
    'Meme',
    'Blurred frame',
    'Product square',
    'Contact sheet',
    'Avatar set',
  ]
  const made: string[] = []
  for (const name of names) {
    const workflowId = ids.get(name)
    if (workflowId === undefined) throw new Error(`There is no example ${name}.`)
    made.push(ok(await api.post<Execution>('/workflows/execute', { workflowId })).executionId)
  }
  return made
}

async function secondVersion(api: Client, workflowId: string): Promise<void> {
  const document = ok(
    await api.get<{ nodes: Record<string, { params: Record<string, unknown> }> }>(`/workflows/${workflowId}/document`),
  )
  const { headline, shade } = document.nodes
  if (headline === undefined || shade === undefined) throw new Error('The link preview card has other nodes now.')
  Object.assign(headline.params, { size: 84 })
  Object.assign(shade.params, { from: '#00000022' })
  ok(await api.put(`/workflows/${workflowId}`, document))
}
