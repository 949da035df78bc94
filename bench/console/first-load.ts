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
  /** The editor with an empty browser cache. */
  editor: Bytes
}

export async function measureFirstLoad(visit: Visit, editor: string): Promise<FirstLoad> {
  const { browser, baseURL } = visit
  const anonymous = await browser.newPage({ baseURL })
  const signIn = await scriptsOf(anonymous, '/')
  await anonymous.context().close()
  return {
    signIn: await bytesOf(signIn),
    workflows: await bytesOf(await coldScripts(visit, '/')),
    editor: await bytesOf(await coldScripts(visit, editor)),
  }
}

async function coldScripts(visit: Visit, address: string): Promise<string[]> {
  const page = await openSignedIn(visit)
  const scripts = await scriptsOf(page, address)
  await page.context().close()
  return scripts
}

/** All requests until no more follow, including prefetches. */
export async function scriptsOf(page: Page, address: string): Promise<string[]> {
  const urls = new Set<string>()
  page.on('request', (request) => {
    if (/\.js$/.test(new URL(request.url()).pathname)) urls.add(request.url())
  })
  await page.goto(address)
  await page.waitForLoadState('networkidle')
  return [...urls]
}

export async function bytesOf(urls: string[]): Promise<Bytes> {
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
