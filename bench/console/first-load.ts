/** Bytes of script that the pages load, with the compression of the service. */
import { openSignedIn, type Visit } from './index.ts'
import { type Bytes, bytesOf, scriptsOf } from './scripts.ts'

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
