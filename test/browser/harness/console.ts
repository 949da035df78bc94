/** The console of a service of its own, in a real browser. A file of tests has one of each. */
import assert from 'node:assert/strict'
import { mkdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe } from 'node:test'
import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core'
import { type Client, createClient } from '../../harness/client.ts'
import { buildConsole } from '../../harness/console-build.ts'
import { ask } from '../../harness/http.ts'
import { type Service, startService } from '../../harness/service.ts'
import { until } from '../../harness/wait.ts'
import { chromiumPath, launchChromium, whySkipped } from './chromium.ts'
import { slowDown } from './throttle.ts'
import { watch } from './watch.ts'

/** Of each wait: generous, since whoever tests may have other work for the machine. */
const timeoutMs = 30_000

export interface Visitor {
  page: Page
  context: BrowserContext
}

export interface VisitOptions {
  /** With this key; with that of the first start where nothing is said. Null: not signed in. */
  key?: string | null
  width?: number
  height?: number
  colorScheme?: 'light' | 'dark'
  /** Problems (`watch.ts`) that the test is about, by what is told of them. */
  expected?: RegExp[]
  /** For the rest: touch, locale, clipboard ... */
  context?: BrowserContextOptions
}

export interface Console {
  service: Service
  /** The API, with the key of the first start: to make what a page shows, and to look at what it has made. */
  api: Client
  /**
   * Opens an address of the console in a browser that knows nothing yet, and closes it after the work. Fails, too, where a
   * page had an error, violated its policy or asked another origin for anything.
   */
  visit(path: string, work: (visitor: Visitor) => Promise<void>, options?: VisitOptions): Promise<void>
}

export interface ConsoleTestsOptions {
  /** Settings of the service; as a function, once the tests run: where something else is started first. */
  environment?: Record<string, string> | (() => Promise<Record<string, string>>)
  concurrency?: number
}

/** A `describe` whose tests are skipped, and told so, where there is no browser. `of()`: once its tests run. */
export function consoleTests(name: string, body: (of: () => Console) => void, options: ConsoleTestsOptions = {}): void {
  const skip = chromiumPath === undefined ? { skip: whySkipped } : {}
  describe(name, { concurrency: options.concurrency ?? 1, ...skip }, () => {
    let opened: { service: Service; browser: Browser; found: Console } | undefined
    before(async () => {
      await buildConsole()
      const { environment = {} } = options
      const settings = typeof environment === 'function' ? await environment() : environment
      const service = await startService({ CONSOLE: 'true', ...settings })
      const [browser] = await Promise.all([launchChromium(), isBuilt(service)])
      const api = await createClient(service, service.key)
      opened = { service, browser, found: { service, api, visit: visitor(service, browser) } }
    })
    after(async () => {
      await opened?.browser.close()
      await opened?.service.remove()
    })
    body(() => {
      assert.ok(opened, 'the console is there once the tests run')
      return opened.found
    })
  })
}

async function isBuilt(service: Service): Promise<void> {
  const { status, bytes } = await until(
    'the console to be built',
    async () => {
      const answer = await ask(service.origin, '/')
      return answer.bytes.includes('http-equiv="refresh"') ? undefined : answer
    },
    180,
  )
  assert.equal(status, 200, bytes.toString('utf8'))
}

function visitor(service: Service, browser: Browser): Console['visit'] {
  return async (
    path,
    work,
    { key, width = 1280, height = 800, colorScheme = 'light', expected = [], ...rest } = {},
  ) => {
    const context = await browser.newContext({
      baseURL: service.origin,
      viewport: { width, height },
      colorScheme,
      locale: 'en-GB',
      timezoneId: 'UTC',
      reducedMotion: 'reduce',
      ...rest.context,
    })
    context.setDefaultTimeout(timeoutMs)
    try {
      const problems = await watch(context, service.origin, expected)
      if (key !== null) await signIn(context, key ?? service.key)
      context.on('page', slowDown)
      const page = await context.newPage()
      await page.goto(path)
      await work({ page, context }).catch(async (error: unknown) => {
        throw await withPicture(error, page, problems)
      })
      assert.deepEqual(problems, [])
    } finally {
      await context.close()
    }
  }
}

/** By the API, as the page of the console does it. */
async function signIn(context: BrowserContext, key: string): Promise<void> {
  const answer = await context.request.post('/v1/session', { data: { key } })
  assert.equal(answer.status(), 201, await answer.text())
}

/** The error, with what the page showed when it was thrown. */
export async function withPicture(error: unknown, page: Page, problems: readonly string[] = []): Promise<Error> {
  const folder = join(tmpdir(), 'tintype-browser')
  const file = join(folder, `${process.pid}-${page.url().replaceAll(/\W+/g, '-').slice(-60)}.png`)
  mkdirSync(folder, { recursive: true })
  await page.screenshot({ path: file, fullPage: true }).catch(() => {})
  const more = problems.map((each) => `\n- ${each}`).join('')
  return new Error(`At ${page.url()}, which looked as in ${file}${more}`, { cause: error })
}
