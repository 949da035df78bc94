/** The console of a service in Chromium. */
import { execFile } from 'node:child_process'
import { loadavg } from 'node:os'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import type { Browser, Page } from 'playwright-core'
import { chromiumPath, launchChromium, skipReason } from '../../test/browser/harness/chromium.ts'
import { type Account, createAccount } from '../account.ts'
import { startService } from '../processes.ts'

export interface Visit {
  browser: Browser
  baseURL: string
  account: Account
  viewport: { width: number; height: number }
}

/** A measurement in Chromium. */
export interface Measured {
  /** Reason why nothing was measured. */
  skipped?: string
  /** Load average of a minute, before and after: two shared cores give fewer frames. */
  load?: [number, number]
}

/** Builds the console, and starts a service and a browser for the work. */
export async function visiting<Result extends object>(
  dataDir: string,
  viewport: Visit['viewport'],
  work: (visit: Visit) => Promise<Result>,
): Promise<Result | Measured> {
  if (chromiumPath === undefined) return { skipped: skipReason }
  await promisify(execFile)(process.execPath, [
    fileURLToPath(new URL('../../scripts/build-console.ts', import.meta.url)),
  ])
  const before = loadavg()[0] ?? 0
  const service = await startService(dataDir, { CONSOLE: 'true' })
  const browser = await launchChromium()
  try {
    const account = await createAccount(dataDir, service)
    const result = await work({ browser, baseURL: service.url, account, viewport })
    return { ...result, load: [before, loadavg()[0] ?? 0] }
  } finally {
    await browser.close()
    await service.stop()
  }
}

export async function openSignedIn({ browser, baseURL, account, viewport }: Visit): Promise<Page> {
  const context = await browser.newContext({ baseURL, viewport })
  const response = await context.request.post('/v1/session', { data: { key: account.key } })
  if (response.status() !== 201) throw new Error(`Signing in was answered ${response.status()}.`)
  return context.newPage()
}
