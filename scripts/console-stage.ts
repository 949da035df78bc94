/** A service with its console and a separate data directory, and a browser: for scripts that take pictures of the console. */
import { readFile } from 'node:fs/promises'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { launchChromium } from '../test/browser/harness/chromium.ts'
import { type Client, createClient } from '../test/harness/client.ts'
import { type Service, startService } from '../test/harness/service.ts'
import { until } from '../test/harness/wait.ts'

/** The folder of the pictures of the documentation. */
export const picturesFolder = new URL('../docs/pictures/', import.meta.url)

export interface Stage {
  service: Service
  api: Client
  browser: Browser
}

/** Stops the service and the browser after the work, and removes the data. */
export async function onStage(work: (stage: Stage) => Promise<void>): Promise<void> {
  const service = await startService({ CONSOLE: 'true' })
  try {
    const browser = await launchChromium()
    try {
      await until('the console to be built', () => isBuilt(service), 180)
      await work({ service, api: await createClient(service, service.key), browser })
    } finally {
      await browser.close()
    }
  } finally {
    await service.remove()
  }
}

/** Opens a page of the console in a new browser context. `key`: signs in with it. */
export async function openPage(
  { browser, service }: Stage,
  options: BrowserContextOptions,
  key?: string,
): Promise<Page> {
  const context = await browser.newContext({
    baseURL: service.origin,
    locale: 'en-GB',
    timezoneId: 'UTC',
    reducedMotion: 'reduce',
    ...options,
  })
  context.setDefaultTimeout(60_000)
  if (key !== undefined) await context.request.post('/v1/session', { data: { key } })
  return context.newPage()
}

/** A photo of examples/pictures. */
export function examplePhoto(name: string): Promise<Buffer> {
  return readFile(new URL(`../examples/pictures/${name}`, import.meta.url))
}

async function isBuilt({ origin }: Service): Promise<true | undefined> {
  const page = await (await fetch(origin)).text()
  return page.includes('http-equiv="refresh"') ? undefined : true
}
