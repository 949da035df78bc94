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
import { card, field, focusCanvas, inspector, newDraft, result, run, runPanel, select } from './harness/editor.ts'
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
  const open = async (page: Page) => {
    await card(page, 'light').waitFor()
    await focusCanvas(page)
  }

  test('dragging a slider changes the picture on the card, and nothing is executed or recorded', async () => {
    const { api, visit } = of()
    const workflowId = await newDraft(api, await adjusted(api))
    await visit(`/workflows/${workflowId}`, async ({ page }) => {
      const sent = watchRequests(page)
      await open(page)
      await select(page, 'light')
      const slider = field(page, 'nodes.light.params.lightness').getByRole('slider')
      const box = await slider.boundingBox()
      assert.ok(box)
      const [x, y] = [box.x + box.width / 2, box.y + box.height / 2]
      await page.mouse.move(x, y)
      await page.mouse.down()
      const pictures = new Set<string | null>()
      for (const distance of [10, 20, 30]) {
        await page.mouse.move(x + distance, y, { steps: 3 })
        await until('another picture', async () => {
          const src = await current(page, 'light').getAttribute('src')
          return (src?.startsWith('data:image/') && !pictures.has(src) && pictures.add(src)) || undefined
        })
      }
      await page.mouse.up()
      assert.ok(pictures.size >= 3)
      await card(page, 'light').getByText('preview').waitFor()
      await card(page, 'light').getByText('600 × 400').waitFor()
      assert.ok(sent.every(({ node, quality, maxSide }) => node === 'light' && quality === 'fast' && maxSide === 512))
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
    const workflowId = await newDraft(api, {
      name: 'Door',
      nodes: {
        scene: { type: 'generate', params: { prompt: 'A door', model: 'openai/gpt-image-1-mini' } },
        small: { type: 'resize', inputs: { image: 'scene' }, params: { width: 60 } },
      },
      output: { node: 'small' },
    })
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
})
