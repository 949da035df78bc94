/** One service with its console, and one Chromium, for all suites of a process: the first test that needs them starts them. */
import assert from 'node:assert/strict'
import { after } from 'node:test'
import type { Browser } from 'playwright-core'
import type { Fake } from '../../../fakes/src/fake.ts'
import { startFake } from '../../../fakes/src/index.ts'
import { fakeKey } from '../../harness/ai.ts'
import { buildConsole, buildDocs } from '../../harness/build.ts'
import { sendRequest } from '../../harness/http.ts'
import { type Service, startService } from '../../harness/service.ts'
import { lazily } from '../../harness/shared.ts'
import { launchChromium } from './chromium.ts'

const closing: (() => Promise<unknown>)[] = []
after(async () => {
  for (const close of closing.reverse()) await close()
})

export const sharedBrowser = lazily(async (): Promise<Browser> => {
  const browser = await launchChromium()
  closing.push(() => browser.close())
  return browser
})

/** It can fetch images from `localhost`, and uses fake providers for models. */
export const sharedService = lazily(async (): Promise<Service> => {
  const fakes: Fake[] = [await startFake('openai', { key: fakeKey }), await startFake('fal', { key: fakeKey })]
  closing.push(...fakes.map((fake) => () => fake.close()))
  const [openai, fal] = fakes.map(({ url }) => url)
  const service = await startConsole({
    FETCH_ALLOW: 'localhost',
    // Some tests keep executions waiting. Those of other suites must not wait for them.
    EXECUTIONS_RUNNING_MAX: '6',
    OPENAI_BASE_URL: openai ?? '',
    OPENAI_API_KEY: fakeKey,
    FAL_BASE_URL: fal ?? '',
    FAL_KEY: fakeKey,
  })
  closing.push(() => service.remove())
  return service
})

/** A service that serves the console. Remove it after the tests. */
export async function startConsole(environment: Record<string, string> = {}): Promise<Service> {
  await Promise.all([buildConsole(), buildDocs()])
  const service = await startService({ CONSOLE: 'true', ...environment })
  const { status, bytes } = await sendRequest(service.origin, '/')
  assert.equal(status, 200, bytes.toString('utf8'))
  return service
}
