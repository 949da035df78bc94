/** Bytes of script that the pages load, with the compression of the service. */
import type { Page } from 'playwright-core'
import { request } from 'undici'
import { openSignedIn, type Visit } from './index.ts'

export interface Bytes {
  files: number
  br: number
  gzip: number
}

export interface FirstLoad {
  /** The sign-in page. */
  signIn: Bytes
  /** The list of workflows, signed in, with an empty browser cache. */
  workflows: Bytes
  /** Additional bytes of the editor. */
  editor: Bytes
  /** Additional bytes of the stage in the editor. */
  stage: Bytes
}

export async function measureFirstLoad(visit: Visit, editor: string): Promise<FirstLoad> {
  const { browser, baseURL } = visit
  const anonymous = await browser.newPage({ baseURL })
  const signIn = await scriptsOf(anonymous, '/')
  await anonymous.context().close()
  const page = await openSignedIn(visit)
  const workflows = await scriptsOf(page, '/')
  const besides = (await scriptsOf(page, editor)).filter((url) => !workflows.includes(url))
  const stage = (await scriptsOfStage(page)).filter((url) => ![...workflows, ...besides].includes(url))
  await page.context().close()
  const [a, b, c, d] = await Promise.all([signIn, workflows, besides, stage].map(bytesOf))
  return { signIn: a as Bytes, workflows: b as Bytes, editor: c as Bytes, stage: d as Bytes }
}

/** The requests of an open editor when the stage opens. */
async function scriptsOfStage(page: Page): Promise<string[]> {
  const urls = collectScripts(page)
  await page.locator('.react-flow__node').first().click()
  await page.keyboard.press('Enter')
  await page.locator('[data-stage]').waitFor()
  await page.waitForLoadState('networkidle')
  return [...urls]
}

/** All requests until no more follow, including prefetches. */
async function scriptsOf(page: Page, address: string): Promise<string[]> {
  const urls = collectScripts(page)
  await page.goto(address)
  await page.waitForLoadState('networkidle')
  return [...urls]
}

/** Fills with the scripts that the page requests from now on. */
function collectScripts(page: Page): Set<string> {
  const urls = new Set<string>()
  page.on('request', (request) => {
    if (/\.js$/.test(new URL(request.url()).pathname)) urls.add(request.url())
  })
  return urls
}

async function bytesOf(urls: string[]): Promise<Bytes> {
  const [br, gzip] = await Promise.all(['br', 'gzip'].map((encoding) => sum(urls, encoding)))
  return { files: urls.length, br: br ?? 0, gzip: gzip ?? 0 }
}

async function sum(urls: string[], encoding: string): Promise<number> {
  const sizes = await Promise.all(
    urls.map(async (url) => {
      const { statusCode, body } = await request(url, { headers: { 'accept-encoding': encoding } })
      if (statusCode !== 200) throw new Error(`${url} answered ${statusCode}`)
      return (await body.bytes()).length
    }),
  )
  return sizes.reduce((total, each) => total + each, 0)
}
