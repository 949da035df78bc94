/** Live previews: the pictures in the editor follow each change of a setting, without a run. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page, Request } from 'playwright-core'
import { type Client, ok } from '../harness/client.ts'
import { noise } from '../harness/pictures.ts'
import { until } from '../harness/wait.ts'
import { upload } from '../harness/workflows.ts'
import { seriousViolations } from './harness/axe.ts'
import { consoleTests } from './harness/console.ts'
import {
  card,
  draftWith,
  field,
  focusCanvas,
  inspector,
  newDraft,
  outputCard,
  result,
  run,
  runPanel,
  select,
} from './harness/editor.ts'
import { fill } from './harness/fill.ts'

interface Sent {
  node: string
  quality: string
  maxSide?: number
  document: { nodes: Record<string, { params: Record<string, unknown> }> }
}

consoleTests('live previews', (of) => {
  const adjusted = async (api: Client) => {
    const source = (await upload(api, await noise('jpeg', 900, 600))).id
    return {
      name: 'Adjusted',
      nodes: {
        photo: { type: 'image', params: { source } },
        small: { type: 'resize', inputs: { image: 'photo' }, params: { width: 600 } },
        light: { type: 'adjust', inputs: { image: 'small' }, params: { lightness: 5 } },
        soft: { type: 'blur', inputs: { image: 'light' }, params: { sigma: 2 } },
      },
      output: { node: 'soft', format: 'png' },
    }
  }
  const live = (page: Page, id: string) => card(page, id).locator('[data-live]')
  const current = (page: Page, id: string) => card(page, id).locator('[data-live=current] img')
  const executions = async (api: Client, workflowId: string) =>
    ok(await api.get<{ executions: unknown[] }>('/workflows/executions', { workflowId })).executions.length
  /** The preview requests of the page. */
  const watchRequests = (page: Page): Sent[] => {
    const sent: Sent[] = []
    page.on('request', (request: Request) => {
      if (request.url().endsWith('/draft/preview')) sent.push(request.postDataJSON() as Sent)
    })
    return sent
  }
  const door = {
    name: 'Door',
    nodes: {
      scene: { type: 'generate', params: { prompt: 'A door', model: 'openai/gpt-image-1-mini' } },
      small: { type: 'resize', inputs: { image: 'scene' }, params: { width: 60 } },
    },
    output: { node: 'small' },
  }
  /** The pictures of the cards before a run. */
  const waitForPictures = async (page: Page, ids: string[]) => {
    for (const id of ids) await current(page, id).waitFor()
  }
  const open = async (page: Page) => {
    await card(page, 'light').waitFor()
    await focusCanvas(page)
  }

  test('dragging a slider changes the picture on the card, and nothing is executed or recorded', async () => {
    const { api, visit } = of()
    const workflowId = await newDraft(api, await adjusted(api))
    await visit(`/workflows/${workflowId}`, async ({ page }) => {
      await open(page)
      await waitForPictures(page, ['small', 'light', 'soft'])
      const sent = watchRequests(page)
      await select(page, 'light')
      const slider = field(page, 'nodes.light.params.lightness').getByRole('slider')
      const box = await slider.boundingBox()
      assert.ok(box)
      const [x, y] = [box.x + box.width / 2, box.y + box.height / 2]
      await page.mouse.move(x, y)
      await page.mouse.down()
      const pictures = new Set([await current(page, 'light').getAttribute('src')])
      for (const distance of [10, 20, 30]) {
        await page.mouse.move(x + distance, y, { steps: 3 })
        await until('another picture', async () => {
          const src = await current(page, 'light').getAttribute('src')
          return (src?.startsWith('data:image/') && !pictures.has(src) && pictures.add(src)) || undefined
        })
      }
      await page.mouse.up()
      assert.equal(pictures.size, 4)
      await card(page, 'light').getByText('preview').waitFor()
      await card(page, 'light').getByText('600 × 400').waitFor()
      assert.ok(sent.every(({ quality, maxSide }) => quality === 'fast' && maxSide === 512))
      // The card after it has no picture of a run, and follows when the change is over.
      await until('the picture after it', async () => sent.at(-1)?.node === 'soft' || undefined)
      await current(page, 'soft').waitFor()
      assert.equal(await executions(api, workflowId), 0)
      assert.deepEqual(await seriousViolations(page), [])
    })
  })

  test('two fast changes end with the picture of the last, on the card and exactly in the result', async () => {
    const { api, visit } = of()
    const document = await adjusted(api)
    const workflowId = await newDraft(api, document)
    await visit(`/workflows/${workflowId}`, async ({ page }) => {
      await open(page)
      await run(page, api)
      const sent = watchRequests(page)
      await select(page, 'light')
      for (const lightness of [20, 40]) await fill(page, 'nodes.light.params.lightness', lightness)
      const output = page.getByRole('img', { name: 'Preview of the output' })
      const edited = {
        ...document,
        nodes: { ...document.nodes, light: { ...document.nodes.light, params: { lightness: 40 } } },
      }
      const expected = async (body: object) => {
        const path = `/workflows/${workflowId}/draft/preview`
        const { image } = ok(
          await api.post<{ image: { data: string; format: string } }>(path, {
            document: edited,
            variations: {},
            ...body,
          }),
        )
        return `data:image/${image.format};base64,${image.data}`
      }
      const onCard = await expected({ node: 'light', quality: 'fast', maxSide: 512 })
      const exact = await expected({ node: 'soft' })
      await until(
        'the last picture',
        async () => (await current(page, 'light').getAttribute('src')) === onCard || undefined,
      )
      await until('the exact result', async () => (await output.getAttribute('src')) === exact || undefined)
      await runPanel(page).getByText('Preview · 600 × 400 · not run yet').waitFor()
      await card(page, 'light').getByText('outdated').waitFor()
      assert.ok(sent.length > 0)
      assert.equal(await executions(api, workflowId), 1)
      assert.deepEqual(await seriousViolations(page), [])

      // The run replaces the live pictures.
      await focusCanvas(page)
      await run(page, api)
      await live(page, 'light').waitFor({ state: 'detached' })
      await card(page, 'light').getByText('outdated').waitFor({ state: 'detached' })
      await result(page).waitFor()
      assert.equal(await output.count(), 0)
    })
  })

  test('a card says quietly that only a run can show a change of an AI node', async () => {
    const { api, visit } = of()
    const workflowId = await newDraft(api, door)
    await visit(`/workflows/${workflowId}`, async ({ page }) => {
      await card(page, 'small').waitFor()
      await select(page, 'small')
      await fill(page, 'nodes.small.params.width', 50)
      await card(page, 'small').getByText('Run to see this change').waitFor()
      await focusCanvas(page)
      await run(page, api)
      await card(page, 'small').getByText('Run to see this change').waitFor({ state: 'detached' })
      // The result of the model is cached now.
      await select(page, 'small')
      await fill(page, 'nodes.small.params.width', 40)
      await card(page, 'small').getByText('40 × 40').waitFor()
      await current(page, 'small').waitFor()
      const { calls } = ok(await api.get<{ totals: { calls: number } }>('/usage')).totals
      assert.equal(calls, 1)
      assert.equal(await inspector(page).getByRole('alert').count(), 0)
    })
  })

  test('a template that was just opened has pictures on its cards, without an execution', async () => {
    const { visit } = of()
    await visit('/workflows', async ({ page }) => {
      const sent = watchRequests(page)
      let executions = 0
      page.on('request', (request) => {
        if (request.method() === 'POST' && request.url().endsWith('/execute')) executions += 1
      })
      await page.getByRole('button', { name: 'Templates' }).click()
      await page
        .getByRole('dialog')
        .getByRole('button', { name: /^Quote card/ })
        .click()
      const ids = ['ground', 'mark', 'quote', 'rule', 'ruled', 'author']
      await waitForPictures(page, [...ids, outputCard])
      await card(page, 'author').getByText('preview').waitFor()
      assert.deepEqual(sent.map(({ node }) => node).sort(), [...ids].sort())
      assert.ok(sent.every(({ quality, maxSide }) => quality === 'fast' && maxSide === 512))
      assert.equal(executions, 0)
      assert.equal(await runPanel(page).getByRole('img').count(), 0)
      assert.deepEqual(await seriousViolations(page), [])
    })
  })

  test('cards of cached steps have pictures, with the marks of their run', async () => {
    const { api, visit } = of()
    const workflowId = await newDraft(api, await adjusted(api))
    for (const previews of [false, true])
      ok(await api.post(`/workflows/${workflowId}/draft/execute`, { previews, variations: {} }))
    await visit(`/workflows/${workflowId}`, async ({ page }) => {
      // The cache may have stored some of their results, which then have previews.
      for (const id of ['small', 'light', 'soft']) await card(page, id).locator('[data-picture] img').waitFor()
      await card(page, 'light').getByText('cached').waitFor()
      assert.equal(await card(page, 'light').getByText('preview').count(), 0)
    })
  })

  test('typing a prompt requests no preview, and a change after the result of a model is live', async () => {
    const { api, visit } = of()
    const workflowId = await newDraft(api, {
      ...door,
      nodes: { ...door.nodes, ground: { type: 'canvas', params: { width: 60, height: 40 } } },
    })
    await visit(`/workflows/${workflowId}`, async ({ page }) => {
      // The other cards could have been requested by then.
      await current(page, 'ground').waitFor()
      const sent = watchRequests(page)
      await select(page, 'scene')
      await field(page, 'nodes.scene.params.prompt').click()
      await page.keyboard.type(' in the rain')
      await card(page, 'scene').getByText('Run to see this change').waitFor()
      await draftWith(api, workflowId, 'the prompt', ({ nodes }) =>
        String(nodes.scene?.params?.prompt).includes('rain'),
      )
      assert.deepEqual(sent, [])
      await focusCanvas(page)
      await run(page, api)
      await select(page, 'small')
      await fill(page, 'nodes.small.params.width', 40)
      await card(page, 'small').getByText('40 × 40').waitFor()
      await current(page, 'small').waitFor()
      assert.ok(sent.length > 0 && sent.every(({ node }) => node === 'small'))
    })
  })
})
