/** The tutorial of the guide, done step by step in the console. */
import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { test } from 'node:test'
import { run, upload } from '../harness/workflows.ts'
import { consoleTests } from './harness/console.ts'
import { tutorialSteps } from './harness/tutorial.ts'

const root = new URL('../../', import.meta.url)

consoleTests('the tutorial of the guide', (of) => {
  test('its ten steps work, with the labels of the page, and the published workflow runs', async () => {
    const { api, key, visit } = of()
    const text = await readFile(new URL('docs/guide/console-tutorial.md', root), 'utf8')
    // A step starts with its title in bold. All other bold words are labels of the console.
    const written = text
      .split(/^\d+\. \*\*[^*]+\*\*/m)
      .slice(1)
      .map((step) => Array.from(step.split(/^## /m)[0]?.matchAll(/\*\*([^*]+)\*\*/g) ?? [], ([, label = '']) => label))
    const photo = {
      name: 'dandelion.jpg',
      type: 'image/jpeg',
      bytes: await readFile(new URL('examples/pictures/dandelion.jpg', root)),
    }
    const { id: image } = await upload(api, photo.bytes, 'unused.jpg')
    await visit(
      '/',
      async ({ page }) => {
        const used: string[] = []
        const steps = tutorialSteps(page, { key, photo, onLabel: (label) => used.push(label) })
        assert.equal(steps.length, written.length)
        for (const [index, { act, leave }] of steps.entries()) {
          await act()
          assert.deepEqual(
            [...new Set(used.splice(0))].sort(),
            [...new Set(written[index])].sort(),
            `step ${index + 1}`,
          )
          await leave?.()
        }
        const [, workflowId = ''] = /\/workflows\/(\w+)/.exec(page.url()) ?? []
        const { width, height, format } = await run(api, workflowId, { photo: image, headline: 'Hello' })
        assert.deepEqual({ width, height, format }, { width: 1200, height: 630, format: 'webp' })
      },
      { key: null },
    )
  })
})
