/** The scripts that a page loads, and their bytes. */
import type { Page } from 'playwright-core'
import { request } from 'undici'

export interface Bytes {
  files: number
  br: number
  gzip: number
}

/** All requests until no more follow, including prefetches. */
export async function scriptsOf(page: Page, address: string): Promise<string[]> {
  const urls = collectScripts(page)
  await page.goto(address)
  await page.waitForLoadState('networkidle')
  return [...urls]
}

/** Fills with the scripts that the page requests from now on. */
export function collectScripts(page: Page): Set<string> {
  const urls = new Set<string>()
  page.on('request', (request) => {
    if (/\.js$/.test(new URL(request.url()).pathname)) urls.add(request.url())
  })
  return urls
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
