/** The console in a real browser. All suites of a process share one service and one Chromium; each visit has its own context. */
import assert from 'node:assert/strict'
import { mkdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, type TestContext } from 'node:test'
import type { BrowserContext, BrowserContextOptions, Page } from 'playwright-core'
import { area } from '../../harness/area.ts'
import { type Client, createClient } from '../../harness/client.ts'
import type { Service } from '../../harness/service.ts'
import { newAccount } from '../../harness/shared.ts'
import { chromiumPath, skipReason } from './chromium.ts'
import { rate, rounds, slowDown } from './flaky.ts'
import { sharedBrowser, sharedService, startConsole } from './shared.ts'
import { watch } from './watch.ts'

/** Limit of each wait. Long, because the machine may be busy with other work. */
const timeoutMs = 300_000 * rate

export interface Visitor {
  page: Page
  context: BrowserContext
}

export interface VisitOptions {
  /** The key to sign in with. Default: the key of the suite's account. Null: not signed in. */
  key?: string | null
  width?: number
  height?: number
  colorScheme?: 'light' | 'dark'
  /** Problems (`watch.ts`) that the test expects, by their text. */
  expected?: RegExp[]
  /** Allow the clipboard. The contexts of a browser share it, so only one visit at a time has it. */
  hasClipboard?: boolean
  /** Other options of the browser context: touch, locale ... */
  context?: BrowserContextOptions
}

export interface Console {
  service: Service
  /** The key of the suite's account. */
  key: string
  /** The API with this key: to create test data, and to check results. */
  api: Client
  /**
   * Opens a path of the console in a new browser context, and closes it after the work. Also fails if the page has an
   * error, violates its policy or sends a request to another origin.
   */
  visit(path: string, work: (visitor: Visitor) => Promise<void>, options?: VisitOptions): Promise<void>
}

/**
 * A suite with its own account. Its tests are skipped without a browser. Tests and hooks call `of()`. The body runs once for
 * each round, so tests must not depend on what a test of an earlier round left in a variable.
 */
export function consoleTests(name: string, body: (of: () => Console) => void): void {
  for (let round = 1; round <= rounds; round++)
    suite(rounds === 1 ? name : `${name}, round ${round} of ${rounds}`, body)
}

function suite(name: string, body: (of: () => Console) => void): void {
  const skip = chromiumPath === undefined && skipReason
  area(name, { skip }, () => {
    let opened: Console | undefined
    before(async () => {
      const service = await sharedService()
      opened = consoleOf(service, (await newAccount({ service })).api)
    })
    body(() => {
      assert.ok(opened, 'the console is there once the tests run')
      return opened
    })
  })
}

/** A visit that all tests of a `describe` share: it starts before them and ends after them. Tests call `page()`. */
export function sharedPage(of: () => Console, path: string, options?: VisitOptions): () => Page {
  let shared: Page | undefined
  let visited: Promise<void> | undefined
  let leave: (() => void) | undefined
  before(async () => {
    await new Promise<void>((resolve, reject) => {
      visited = of().visit(
        path,
        ({ page }) => {
          shared = page
          resolve()
          return new Promise((left) => {
            leave = left
          })
        },
        options,
      )
      visited.catch(reject)
    })
  })
  after(async () => {
    leave?.()
    await visited
  })
  return () => {
    assert.ok(shared, 'the page is open once the tests run')
    return shared
  }
}

/** A separate service, for a test that stops it. */
export async function ownConsole(t: TestContext): Promise<Console> {
  const service = await startConsole()
  t.after(() => service.remove())
  return consoleOf(service, await createClient(service, service.key))
}

function consoleOf(service: Service, api: Client): Console {
  const key = api.key ?? ''
  return { service, key, api, visit: visitor(service, key) }
}

/** Resolves after the last visit that uses the clipboard. */
let clipboardIsFree: Promise<unknown> = Promise.resolve()

function visitor({ origin }: Service, accountKey: string): Console['visit'] {
  const visit: Console['visit'] = async (
    path,
    work,
    { key = accountKey, width = 1280, height = 800, colorScheme = 'light', expected = [], hasClipboard, ...rest } = {},
  ) => {
    const browser = await sharedBrowser()
    const context = await browser.newContext({
      baseURL: origin,
      viewport: { width, height },
      colorScheme,
      locale: 'en-GB',
      timezoneId: 'UTC',
      reducedMotion: 'reduce',
      ...(hasClipboard && { permissions: ['clipboard-read', 'clipboard-write'] }),
      ...rest.context,
    })
    context.setDefaultTimeout(timeoutMs)
    try {
      const problems = await watch(context, origin, expected)
      if (key !== null) await signIn(context, key)
      context.on('page', slowDown)
      const page = await context.newPage()
      await page.goto(path)
      await withScreenshot(page, () => work({ page, context }), problems)
      assert.deepEqual(problems, [])
    } finally {
      await context.close()
    }
  }
  return (path, work, options = {}) => {
    if (!options.hasClipboard) return visit(path, work, options)
    const visited = clipboardIsFree.then(() => visit(path, work, options))
    clipboardIsFree = visited.catch(() => undefined)
    return visited
  }
}

/** Signs in with the API, like the sign-in page. */
async function signIn(context: BrowserContext, key: string): Promise<void> {
  const response = await context.request.post('/v1/session', { data: { key } })
  assert.equal(response.status(), 201, await response.text())
}

let screenshots = 0

/** Does the work, and adds a screenshot of the page to its error. For subtests: visits do it themselves. */
export async function withScreenshot(
  page: Page,
  work: () => Promise<void>,
  problems: readonly string[] = [],
): Promise<void> {
  await work().catch(async (error: unknown) => {
    throw await addScreenshot(error, page, problems)
  })
}

/** Adds the path of the screenshot to the message of the error. Keeps the expected and received values. */
async function addScreenshot(error: unknown, page: Page, problems: readonly string[]): Promise<unknown> {
  const folder = join(tmpdir(), 'tintype-browser')
  const name = page.url().replaceAll(/\W+/g, '-').slice(-60)
  const file = join(folder, `${process.pid}-${++screenshots}-${name}.png`)
  mkdirSync(folder, { recursive: true })
  const isTaken = await page.screenshot({ path: file, fullPage: true }).then(
    () => true,
    () => false,
  )
  const screenshot = isTaken ? `Screenshot: ${file}` : 'The page could not be photographed.'
  const more = [`At ${page.url()}. ${screenshot}`, ...problems.map((each) => `- ${each}`)].join('\n')
  if (!(error instanceof Error)) return new Error(`${error}\n${more}`)
  const { message, stack = '' } = error
  error.message = `${message}\n${more}`
  // Reporters print the stack, which contains the original message.
  error.stack = stack.replace(message, () => error.message)
  return error
}
