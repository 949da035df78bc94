/** Bytes of script that the pages load, with the compression of the service. */
import type { Page } from 'playwright-core'
import { type Bytes, bytesOf, collectScripts, scriptsOf } from './scripts.ts'
import { openStage, selectNode } from './stage.ts'
import { openSignedIn, type Visit } from './visit.ts'

export interface FirstLoad {
  /** The sign-in page. */
  signIn: Bytes
  /** The list of workflows, signed in, with an empty browser cache. */
  workflows: Bytes
  /** The editor with an empty browser cache. */
  editor: Bytes
  /** Additional bytes of the stage in the editor. */
  stage: Bytes
}

export async function measureFirstLoad(visit: Visit, editor: string): Promise<FirstLoad> {
  const { browser, baseURL } = visit
  const anonymous = await browser.newPage({ baseURL })
  const signIn = await scriptsOf(anonymous, '/')
  await anonymous.context().close()
  const workflows = await openSignedIn(visit)
  const ofWorkflows = await scriptsOf(workflows, '/')
  await workflows.context().close()
  const page = await openSignedIn(visit)
  const ofEditor = await scriptsOf(page, editor)
  const ofStage = (await scriptsOfStage(page)).filter((url) => !ofEditor.includes(url))
  await page.context().close()
  return {
    signIn: await bytesOf(signIn),
    workflows: await bytesOf(ofWorkflows),
    editor: await bytesOf(ofEditor),
    stage: await bytesOf(ofStage),
  }
}

/** The requests when the stage opens, after those of the inspector. The node has no template, whose language the inspector loads later. */
async function scriptsOfStage(page: Page): Promise<string[]> {
  await selectNode(page, 'page')
  await page.waitForLoadState('networkidle')
  const urls = collectScripts(page)
  await openStage(page)
  await page.waitForLoadState('networkidle')
  return [...urls]
}
