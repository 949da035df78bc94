/** Results of AI nodes: choose among them, keep one, pin and bypass, and the price before. The fake provider counts the calls. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Locator, Page } from 'playwright-core'
import { type Client, ok } from '../harness/client.ts'
import type { Execution } from '../harness/types.ts'
import { until } from '../harness/wait.ts'
import { seriousViolations } from './harness/axe.ts'
import { consoleTests } from './harness/console.ts'
import {
  card,
  draftWith,
  focusCanvas,
  inspector,
  newDraft,
  run,
  runPanel,
  select,
  storedDraft,
  waitUntilLoaded,
  waitUntilRunnable,
} from './harness/editor.ts'
import { fill } from './harness/fill.ts'
import { screenshot } from './harness/screenshot.ts'

/** An image of a model, and its smaller copy. */
const door = (prompt = 'A green door') => ({
  name: 'Door',
  nodes: {
    scene: { type: 'generate', params: { prompt, model: 'openai/gpt-image-1-mini' } },
    soft: { type: 'blur', inputs: { image: 'scene' }, params: { sigma: 2 } },
    small: { type: 'resize', inputs: { image: 'soft' }, params: { width: 60 } },
  },
  output: { node: 'small', format: 'png' },
})

const folder = process.env.SCREENSHOTS

consoleTests('results of AI nodes', (of) => {
  /** The paid calls of the account. */
  const calls = async (api: Client) => ok(await api.get<{ totals: { calls: number } }>('/usage')).totals.calls
  const results = (page: Page) => inspector(page).getByRole('region', { name: 'Results' })
  const uses = (page: Page) => results(page).getByRole('button', { name: /^Use the result of / })
  const next = (page: Page, text: string | RegExp) =>
    runPanel(page).getByText(text, { exact: typeof text === 'string' })
  /** The price next to the button Run, with its source. */
  const price = (page: Page, title: RegExp) => runPanel(page).getByTitle(title)
  const isPressed = async (button: Locator) => (await button.getAttribute('aria-pressed')) === 'true'
  const open = async (page: Page) => {
    await card(page, 'scene').waitFor()
    await focusCanvas(page)
  }
  /** A run, a new variation, and the strip of the two results. */
  const vary = async (page: Page, api: Client) => {
    await run(page, api)
    await select(page, 'scene')
    const before = await calls(api)
    await runPanel(page)
      .getByRole('button', { name: /^New variation of scene · / })
      .click()
    await until('one more call', async () => (await calls(api)) === before + 1 || undefined)
    await until('two results', async () => (await uses(page).count()) === 2 || undefined)
    await waitUntilRunnable(page)
  }
  const switchOf = (page: Page, name: 'Pin' | 'Bypass', pressed: boolean) =>
    card(page, 'soft').getByRole('button', { name: `${name} soft`, pressed })
  /** Types the limit above which the browser asks, over the old one. */
  const typeLimit = async (page: Page, limit: string) => {
    const box = page.getByRole('textbox', { name: 'Ask before a run above' })
    await box.press('Control+a')
    await box.pressSequentially(limit)
  }
  const take = (page: Page, name: string) =>
    folder === undefined ? undefined : screenshot(page, `${folder}/${name}.png`)

  test('an earlier result comes back with a click and without a call, and undo returns to the later one', async () => {
    const { api, visit } = of()
    const workflowId = await newDraft(api, door())
    await visit(`/workflows/${workflowId}`, async ({ page }) => {
      await open(page)
      await vary(page, api)
      const paid = await calls(api)
      const [newest, first] = [uses(page).nth(0), uses(page).nth(1)]
      await until('the newest result is the present one', async () => (await isPressed(newest)) || undefined)
      const image = await card(page, 'scene').locator('img').getAttribute('src')
      await first.click()
      await until('the first result is the present one', async () => (await isPressed(first)) || undefined)
      await until('its image on the card', async () => {
        const url = await card(page, 'scene').locator('img').getAttribute('src')
        return (url !== null && url !== image) || undefined
      })
      await next(page, 'Next run: all 3 steps cached').waitFor()
      await page.getByRole('button', { name: 'Undo: Use another result of scene' }).click()
      await until('the newest result again', async () => (await isPressed(newest)) || undefined)
      await next(page, 'Next run: all 3 steps cached').waitFor()
      assert.equal(await calls(api), paid)
      await page.reload()
      await open(page)
      await select(page, 'scene')
      await until('the results after a reload', async () => (await uses(page).count()) === 2 || undefined)
      assert.equal(await calls(api), paid)
    })
  })

  test('a result of another prompt comes back with its prompt', async () => {
    const { api, visit } = of()
    const workflowId = await newDraft(api, door('A red door'))
    await visit(`/workflows/${workflowId}`, async ({ page }) => {
      await open(page)
      await run(page, api)
      await select(page, 'scene')
      await fill(page, 'nodes.scene.params.prompt', 'A blue door')
      await focusCanvas(page)
      await run(page, api)
      await until('two results', async () => (await uses(page).count()) === 2 || undefined)
      const paid = await calls(api)
      await uses(page).nth(1).click()
      await draftWith(api, workflowId, 'the first prompt', ({ nodes }) => nodes.scene?.params?.prompt === 'A red door')
      await next(page, 'Next run: all 3 steps cached').waitFor()
      assert.equal(await calls(api), paid)
    })
  })

  test('four more results are made for the price on the button, and change nothing until one is chosen', async () => {
    const { api, visit } = of()
    const workflowId = await newDraft(api, door('A white door'))
    await visit(`/workflows/${workflowId}`, async ({ page }) => {
      await open(page)
      await run(page, api)
      const paid = await calls(api)
      await select(page, 'scene')
      await results(page)
        .getByRole('button', { name: /^4 more · (about )?\$/ })
        .click()
      await until('four calls', async () => (await calls(api)) === paid + 4 || undefined)
      await until('five results', async () => (await uses(page).count()) === 5 || undefined)
      await results(page).getByLabel('Making a result').first().waitFor({ state: 'detached' })
      await until(
        'the first result is still the present one',
        async () => (await isPressed(uses(page).nth(4))) || undefined,
      )
      await next(page, 'Next run: all 3 steps cached').waitFor()
      await take(page, 'strip')
      await page.reload()
      await open(page)
      await next(page, 'Next run: all 3 steps cached').waitFor()
      await select(page, 'scene')
      await until('the same result is present', async () => (await isPressed(uses(page).nth(4))) || undefined)
      await uses(page).nth(1).click()
      await until('another result', async () => (await isPressed(uses(page).nth(1))) || undefined)
      await waitUntilRunnable(page)
      assert.equal(await calls(api), paid + 4)
    })
  })

  test('a result with a star is first, also in another browser, and two results can be compared', async () => {
    const { api, visit } = of()
    const workflowId = await newDraft(api, door('A black door'))
    await visit(`/workflows/${workflowId}`, async ({ page }) => {
      await open(page)
      await vary(page, api)
      const url = await uses(page).nth(1).locator('img').getAttribute('src')
      await results(page)
        .getByRole('button', { name: /^Star / })
        .nth(1)
        .click()
      await until(
        'it is first',
        async () => (await uses(page).nth(0).locator('img').getAttribute('src')) === url || undefined,
      )
      await draftWith(api, workflowId, 'the star', ({ layout }) => layout?.$stars !== undefined)
      await results(page).getByRole('button', { name: 'Compare' }).click()
      const dialog = page.getByRole('dialog', { name: 'Compare results of scene' })
      await dialog.getByRole('slider').waitFor()
      const left = dialog.getByRole('group', { name: 'Left' }).getByRole('button')
      await left.nth(0).click()
      await until('another image at the left', async () => (await isPressed(left.nth(0))) || undefined)
      await take(page, 'compare')
      assert.deepEqual(await seriousViolations(page), [])
      await page.keyboard.press('Escape')
      await visit(
        `/workflows/${workflowId}`,
        async ({ page: other }) => {
          await open(other)
          await select(other, 'scene')
          await until(
            'the star in another browser',
            async () => (await uses(other).nth(0).locator('img').getAttribute('src')) === url || undefined,
          )
          await waitUntilLoaded(uses(other).nth(0).locator('img'))
          assert.deepEqual(await seriousViolations(other), [])
          await take(other, 'strip-dark')
        },
        { colorScheme: 'dark' },
      )
    })
  })

  test('a pinned node keeps its image whatever changes before it, and a bypassed node passes its input on', async () => {
    const { api, visit } = of()
    const workflowId = await newDraft(api, door('A brown door'))
    await visit(`/workflows/${workflowId}`, async ({ page }) => {
      await open(page)
      await run(page, api)
      const paid = await calls(api)
      await select(page, 'soft')
      await focusCanvas(page)
      await page.keyboard.press('p')
      await switchOf(page, 'Pin', true).waitFor()
      await waitUntilRunnable(page)
      await select(page, 'scene')
      await fill(page, 'nodes.scene.params.prompt', 'A yellow door')
      await next(page, /^Next run: all 2 steps cached/).waitFor()
      await focusCanvas(page)
      await run(page, api)
      assert.equal(await calls(api), paid)
      await take(page, 'pinned')
      await select(page, 'soft')
      await inspector(page).getByRole('button', { name: 'Unpin' }).click()
      await price(page, /\$/).waitFor()
      await inspector(page).getByRole('button', { name: 'Bypass' }).click()
      await switchOf(page, 'Bypass', true).waitFor()
      await draftWith(
        api,
        workflowId,
        'a skipped node',
        ({ nodes }) => (nodes.soft as { when?: unknown }).when === false,
      )
      await focusCanvas(page)
      await page.keyboard.press('b')
      await switchOf(page, 'Bypass', false).waitFor()
      await draftWith(api, workflowId, 'no condition', ({ nodes }) => !('when' in (nodes.soft ?? {})))
    })
  })

  test('another result of a pinned node is pinned in its place, as one change', async () => {
    const { api, visit } = of()
    const workflowId = await newDraft(api, door('A violet door'))
    const pinOf = async () => (await storedDraft(api, workflowId)).nodes.scene as { pinned?: string } | undefined
    await visit(`/workflows/${workflowId}`, async ({ page }) => {
      await open(page)
      await vary(page, api)
      const paid = await calls(api)
      await inspector(page).getByRole('button', { name: 'Pin', exact: true }).click()
      await inspector(page).getByRole('button', { name: 'Unpin' }).waitFor()
      await draftWith(api, workflowId, 'a pin', ({ nodes: { scene } }) => scene !== undefined && 'pinned' in scene)
      await waitUntilRunnable(page)
      const first = (await pinOf())?.pinned
      await uses(page).nth(1).click()
      await until('another pin', async () => {
        const now = (await pinOf())?.pinned
        return (now !== undefined && now !== first) || undefined
      })
      await waitUntilRunnable(page)
      await page.getByRole('button', { name: 'Undo: Use another result of scene' }).click()
      await until('the first pin', async () => (await pinOf())?.pinned === first || undefined)
      await page.getByRole('button', { name: 'Undo: Pin scene' }).waitFor()
      assert.equal(await calls(api), paid)
    })
  })

  test('publishing asks about pinned and bypassed nodes, and a result of parameters is not kept by default', async () => {
    const { api, visit } = of()
    const { nodes, ...rest } = door('A {{ color }} door')
    const parameters = [{ name: 'color', type: 'string', default: 'red' }]
    const workflowId = await newDraft(api, {
      ...rest,
      parameters,
      nodes: { ...nodes, soft: { ...nodes.soft, when: "{{ color != 'blue' }}" } },
    })
    await visit(
      `/workflows/${workflowId}`,
      async ({ page }) => {
        await open(page)
        await run(page, api)
        await select(page, 'small')
        await inspector(page).getByRole('button', { name: 'Pin', exact: true }).click()
        await inspector(page).getByRole('button', { name: 'Unpin' }).waitFor()
        await waitUntilRunnable(page)
        await select(page, 'soft')
        await inspector(page).getByRole('button', { name: 'Bypass' }).click()
        const dialog = page.getByRole('dialog')
        const question = (node: string) => dialog.getByRole('radiogroup', { name: node })
        const openDialog = () => page.getByRole('button', { name: 'Publish', exact: true }).click()
        await openDialog()
        assert.equal(await question('small').getByRole('radio', { name: 'Keep this image' }).isChecked(), true)
        await question('small')
          .getByRole('radio', { name: /^Unpin/ })
          .click()
        await dialog.getByRole('button', { name: 'Publish', exact: true }).click()
        await page.getByText('Published', { exact: true }).waitFor()
        await page.getByRole('button', { name: 'Undo: Keep results for publishing' }).waitFor()

        await select(page, 'soft')
        await fill(page, 'nodes.soft.params.sigma', 4)
        await openDialog()
        await question('soft').getByRole('radio', { name: 'Turn it on' }).click()
        const random = question('scene')
        await dialog.getByText('Depends on color: other values need a new image.').waitFor()
        await waitUntilLoaded(dialog.getByRole('img', { name: 'scene' }))
        assert.equal(await random.getByRole('radio', { name: /^A new image/ }).isChecked(), true)
        await take(page, 'publish-dark')
        assert.deepEqual(await seriousViolations(page), [])
        await dialog.getByRole('button', { name: 'Publish', exact: true }).click()
        await page.getByText('Version 2', { exact: true }).waitFor()
        const published = ok(await api.get<{ nodes: Record<string, object> }>(`/workflows/${workflowId}/document`))
        assert.deepEqual(published.nodes.soft, { ...nodes.soft, when: "{{ color != 'blue' }}", params: { sigma: 4 } })
        assert.equal('pinned' in (published.nodes.small ?? {}), false)
      },
      { colorScheme: 'dark' },
    )
  })

  test('publishing keeps the approved image, so executions call no model, and undo makes it random again', async () => {
    const { api, visit } = of()
    const workflowId = await newDraft(api, door('A grey door'))
    await visit(`/workflows/${workflowId}`, async ({ page }) => {
      await open(page)
      await vary(page, api)
      const paid = await calls(api)
      await page.getByRole('button', { name: 'Publish', exact: true }).click()
      const dialog = page.getByRole('dialog')
      const keep = dialog.getByRole('radio', { name: 'Keep this image' })
      await until('the image is kept by default', async () => (await keep.isChecked()) || undefined)
      await dialog.getByRole('radio', { name: /^A new image for each execution, .*\$/ }).waitFor()
      await take(page, 'publish')
      assert.deepEqual(await seriousViolations(page), [])
      await dialog.getByRole('button', { name: 'Publish', exact: true }).click()
      await page.getByText('Published', { exact: true }).waitFor()
      const { nodes } = ok(
        await api.get<{ nodes: { scene: { pinned?: string } } }>(`/workflows/${workflowId}/document`),
      )
      assert.match(nodes.scene.pinned ?? '', /^img_/)
      for (let runs = 0; runs < 2; runs++) {
        const execution = ok(await api.post<Execution & { cost?: unknown }>('/workflows/execute', { workflowId }))
        assert.equal(execution.cost, undefined)
      }
      await page.getByRole('link', { name: 'Run', exact: true }).click()
      await page.getByRole('button', { name: 'Copy link' }).waitFor()
      await page.getByRole('button', { name: 'Run', exact: true }).click()
      await page.getByText(/^Done in [^$]*\. View/).waitFor()
      assert.equal(await page.getByText(/with AI/).count(), 0)
      assert.equal(await calls(api), paid)
      await page.getByRole('link', { name: 'Editor' }).click()
      await page.getByRole('button', { name: 'Undo: Keep results for publishing' }).click()
      await draftWith(api, workflowId, 'no pin', ({ nodes: { scene } }) => scene !== undefined && !('pinned' in scene))
      await next(page, 'Next run: all 3 steps cached').waitFor()
      assert.equal(await calls(api), paid)
    })
  })

  test('publishing with a kept image runs what follows it without a call, so that nothing is outdated', async () => {
    const { api, visit } = of()
    const workflowId = await newDraft(api, door('A copper door'))
    await visit(`/workflows/${workflowId}`, async ({ page }) => {
      await open(page)
      await run(page, api)
      const paid = await calls(api)
      await page.getByRole('button', { name: 'Publish', exact: true }).click()
      const dialog = page.getByRole('dialog')
      const keep = dialog.getByRole('radio', { name: 'Keep this image' })
      await until('the image is kept by default', async () => (await keep.isChecked()) || undefined)
      await dialog.getByRole('button', { name: 'Publish', exact: true }).click()
      await page.getByText('Published', { exact: true }).waitFor()
      // The nodes after the pinned one have new keys, so only a run stores their results.
      await next(page, /^Next run: all \d steps cached$/).waitFor()
      for (const node of ['scene', 'soft', 'small'])
        await card(page, node)
          .getByText(/^(outdated|Run to see this change)$/)
          .waitFor({ state: 'detached' })
      assert.equal(await calls(api), paid)
    })
  })

  test('without keeping, the page Run says that each run makes a new image and its price, and asks above the limit', async () => {
    const { api, visit } = of()
    const workflowId = await newDraft(api, door('A pink door'))
    await visit(`/workflows/${workflowId}`, async ({ page }) => {
      await open(page)
      await vary(page, api)
      const paid = await calls(api)
      await page.getByRole('button', { name: 'Publish', exact: true }).click()
      const dialog = page.getByRole('dialog')
      await dialog.getByRole('radio', { name: /^A new image for each execution/ }).click()
      await dialog.getByRole('button', { name: 'Publish', exact: true }).click()
      await page.getByText('Published', { exact: true }).waitFor()
      await page.getByRole('link', { name: 'Run', exact: true }).click()
      await page.getByText(/^Each run makes a new image with AI: (about )?\$[\d.]+/).waitFor()
      await page.getByRole('button', { name: 'Asks before runs above $1.00' }).press('Enter')
      await typeLimit(page, '0.0001')
      await page.keyboard.press('Escape')
      await take(page, 'run-page')
      await page.keyboard.press('Control+Enter')
      const question = page.getByRole('dialog', { name: /^Run for (about )?\$/ })
      await question.waitFor()
      await take(page, 'ask')
      await page.keyboard.press('Escape')
      await question.waitFor({ state: 'detached' })
      assert.equal(await calls(api), paid)
      await page.keyboard.press('Control+Enter')
      await question.getByRole('button', { name: 'Run' }).waitFor()
      await page.keyboard.press('Enter')
      await page.getByText(/^Done in .*\$/).waitFor()
      assert.equal(await calls(api), paid + 1)
    })
  })

  test('four more results are made one after the other if the budget has too little for four at the same time', async () => {
    const { api, visit } = of()
    const workflowId = await newDraft(api, door('A white door'))
    const permissions = ['workflows:read', 'workflows:execute', 'workflows:draft', 'storage:read', 'projects:read']
    // A call reserves up to $0.076, and costs less.
    const limited = { name: 'Designer', permissions, dailyBudgetUsd: 0.2 }
    const { key } = ok(await api.post<{ key: string }>('/keys', limited), 201)
    await visit(
      `/workflows/${workflowId}`,
      async ({ page }) => {
        await open(page)
        await run(page, api)
        await select(page, 'scene')
        await results(page)
          .getByRole('button', { name: /^4 more · / })
          .click()
        await until('five results', async () => (await uses(page).count()) === 5 || undefined)
      },
      { key },
    )
  })

  test('the editor asks before a run and before four more results above the limit, with the keyboard alone', async () => {
    const { api, visit } = of()
    const workflowId = await newDraft(api, door('A cyan door'))
    await visit(`/workflows/${workflowId}`, async ({ page }) => {
      await open(page)
      await run(page, api)
      const paid = await calls(api)
      await runPanel(page).getByRole('button', { name: 'Asks before runs above $1.00' }).press('Enter')
      await typeLimit(page, '0.02')
      assert.deepEqual(await seriousViolations(page), [])
      await page.keyboard.press('Escape')
      await select(page, 'scene')
      await results(page)
        .getByRole('button', { name: /^4 more · / })
        .press('Enter')
      await page.getByRole('dialog', { name: /^Run for about \$0.03/ }).waitFor()
      await page.keyboard.press('Escape')
      await page.getByRole('dialog').waitFor({ state: 'detached' })
      // One result costs less than the limit.
      await runPanel(page)
        .getByRole('button', { name: /^New variation of scene · / })
        .press('Enter')
      await until('one call', async () => (await calls(api)) === paid + 1 || undefined)
      await waitUntilRunnable(page)
      assert.equal(await page.getByRole('dialog').count(), 0)
      assert.equal(await calls(api), paid + 1)
    })
  })

  test('the editor, the strip and the page Run ask before a run whose price is not known, if the person has set a limit', async () => {
    const { api, visit } = of()
    const { nodes, ...rest } = door('A bronze door')
    // The table has no price of newer models.
    const scene = { ...nodes.scene, params: { ...nodes.scene.params, model: 'openai/gpt-image-9' } }
    const workflowId = await newDraft(api, { ...rest, nodes: { ...nodes, scene } })
    await visit(`/workflows/${workflowId}`, async ({ page }) => {
      await open(page)
      const paid = await calls(api)
      const question = page.getByRole('dialog', { name: 'Run at an unknown price?' })
      const cancel = async () => {
        await question.getByText('The price of this run is not known.').waitFor()
        await question.getByRole('button', { name: 'Cancel' }).click()
        await question.waitFor({ state: 'detached' })
      }
      await page.getByRole('button', { name: 'Asks before runs above $1.00' }).press('Enter')
      await typeLimit(page, '2')
      await page.keyboard.press('Escape')
      await page.keyboard.press('Control+Enter')
      await question.waitFor()
      await take(page, 'ask-unknown')
      assert.deepEqual(await seriousViolations(page), [])
      await cancel()
      assert.equal(await calls(api), paid)
      await page.keyboard.press('Control+Enter')
      await question.getByRole('button', { name: 'Run' }).click()
      await until('one call', async () => (await calls(api)) === paid + 1 || undefined)
      await waitUntilRunnable(page)
      await select(page, 'scene')
      await results(page)
        .getByRole('button', { name: /^4 more · unknown cost/ })
        .click()
      await cancel()

      await page.getByRole('link', { name: 'Run', exact: true }).click()
      await page.getByRole('button', { name: 'Copy link' }).waitFor()
      await page.keyboard.press('Control+Enter')
      await cancel()
      assert.equal(await calls(api), paid + 1)
      await page.getByRole('button', { name: 'Asks before runs above $2.00' }).press('Enter')
      await typeLimit(page, '')
      await page.keyboard.press('Backspace')
      await page.keyboard.press('Escape')
      await page.getByRole('button', { name: 'Ask before expensive runs' }).waitFor()
      await page.keyboard.press('Control+Enter')
      await page.getByText(/^Done in /).waitFor()
      assert.equal(await question.count(), 0)
    })
  })

  test('the price before a run is one number, of the last runs if there are any', async () => {
    const { api, visit } = of()
    const workflowId = await newDraft(api, door('A golden door'))
    await visit(`/workflows/${workflowId}`, async ({ page }) => {
      await open(page)
      await price(page, /^(up to )?\$[\d.]+$/).waitFor()
      await run(page, api)
      await select(page, 'scene')
      await fill(page, 'nodes.scene.params.prompt', 'A silver door')
      await price(page, /^about \$[\d.]+, as the last run$/).waitFor()
      assert.equal((await storedDraft(api, workflowId)).name, 'Door')
    })
  })
})
