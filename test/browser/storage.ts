/** The Storage page: filters, orders and deletion of several images; and the deletion of a project with or without its contents. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { ok } from '../harness/client.ts'
import { canvas } from '../harness/documents.ts'
import { field, file } from '../harness/multipart.ts'
import { noise, plain } from '../harness/pictures.ts'
import { newAccount } from '../harness/shared.ts'
import type { Images, Project, Workflows } from '../harness/types.ts'
import { until } from '../harness/wait.ts'
import { idInUrl, run, save, upload } from '../harness/workflows.ts'
import { seriousViolations } from './harness/axe.ts'
import { consoleTests } from './harness/console.ts'

/** Waits until the page shows images with these names, in this order. */
async function shows(page: Page, expected: string[]): Promise<void> {
  const names = async () =>
    (await page.getByRole('button', { name: /^Open / }).all()).length === 0
      ? []
      : page
          .getByRole('button', { name: /^Open / })
          .evaluateAll((all) => all.map((each) => (each as unknown as { ariaLabel: string }).ariaLabel.slice(5)))
  await until(`the images ${expected.join()}`, async () => (await names()).join() === expected.join() || undefined)
}

async function choose(page: Page, label: string, option: string): Promise<void> {
  await page.getByRole('combobox', { name: label }).click()
  await page.getByRole('option', { name: option, exact: true }).click()
}

consoleTests('storage', (of) => {
  test('images are filtered by source and name and sorted, and only shown ones are deleted', async () => {
    const { service, visit } = of()
    const { api } = await newAccount({ service })
    await upload(api, await plain('png', 10, 10), 'small red.png')
    await upload(api, await noise('png', 200, 200), 'large red.png')
    await upload(api, await plain('png', 30, 30), 'blue.png')
    const { id } = await save(api, { ...canvas(), output: { node: 'sheet', format: 'png', name: 'card' } })
    const output = ok(await api.get<{ name: string }>(`/storage/images/${idInUrl((await run(api, id)).url)}`)).name
    const remaining = async () => ok(await api.get<Images>('/storage/images', {})).images.map(({ name }) => name)
    await visit(
      '/storage',
      async ({ page }) => {
        await shows(page, [output, 'blue.png', 'large red.png', 'small red.png'])
        await page.getByRole('checkbox', { name: 'Select blue.png' }).check()
        await choose(page, 'Source', 'Outputs')
        await shows(page, [output])
        // The selected image is hidden.
        assert.equal(await page.getByRole('button', { name: /^Delete \d/ }).count(), 0)
        await choose(page, 'Source', 'Uploads')
        await shows(page, ['blue.png', 'large red.png', 'small red.png'])
        await choose(page, 'Sort', 'Largest')
        await until('the largest first', async () => /sort=largest/.test(page.url()) || undefined)
        await page.getByRole('textbox', { name: 'Search names' }).fill('RED')
        await shows(page, ['large red.png', 'small red.png'])
        await choose(page, 'Sort', 'Smallest')
        await shows(page, ['small red.png', 'large red.png'])
        assert.deepEqual(await seriousViolations(page), [])
        // The address has the filters.
        await page.reload()
        await shows(page, ['small red.png', 'large red.png'])
        await page.getByRole('textbox', { name: 'Search names' }).fill('no such name')
        await page.getByText('No images found').waitFor()
        await page.getByRole('textbox', { name: 'Search names' }).fill('red')
        await shows(page, ['small red.png', 'large red.png'])
        for (const name of ['small red.png', 'large red.png'])
          await page.getByRole('checkbox', { name: `Select ${name}` }).check()
        await page.getByRole('button', { name: 'Delete 2' }).click()
        await page.getByText('2 images moved to the bin').waitFor()
        await shows(page, [])
        await page.getByRole('button', { name: 'Undo' }).click()
        await shows(page, ['small red.png', 'large red.png'])
        await page.getByRole('checkbox', { name: 'Select small red.png' }).check()
        await page.getByRole('button', { name: 'Delete 1' }).click()
        await shows(page, ['large red.png'])
        await until('the end of the image', async () => (await remaining()).length === 3 || undefined)
        assert.deepEqual((await remaining()).sort(), ['blue.png', 'large red.png', output].sort())
      },
      { key: api.key ?? null },
    )
  })

  test('images are sorted by name, renamed in the grid and the drawer, and moved to a project', async () => {
    const { service, visit } = of()
    const { api } = await newAccount({ service })
    const target = ok(await api.post<Project>('/projects', { name: 'Autumn' }), 201)
    const used = await upload(api, await plain('png', 10, 10), 'B.png')
    for (const name of ['c.png', 'a.png']) await upload(api, await plain('png', 20, 20), name)
    await save(api, {
      name: 'Shop banner',
      nodes: { photo: { type: 'image', params: { source: used.id } } },
      output: { node: 'photo', format: 'png' },
    })
    const inTarget = async () =>
      ok(await api.get<Images>('/storage/images', { projectId: target.id, sort: 'name' })).images.map(
        ({ name }) => name,
      )
    await visit(
      '/storage?sort=name',
      async ({ page }) => {
        await shows(page, ['a.png', 'B.png', 'c.png'])
        // With the keyboard: the name without its ending is selected.
        await page.getByRole('button', { name: 'Open a.png' }).focus()
        await page.keyboard.press('F2')
        const field = page.getByRole('textbox', { name: 'Name of a.png' })
        await field.waitFor()
        await page.keyboard.type('zebra')
        await page.keyboard.press('Enter')
        await shows(page, ['B.png', 'c.png', 'zebra.png'])
        // With the mouse: Escape keeps the name.
        await page.getByRole('button', { name: 'Actions of c.png' }).click()
        await page.getByRole('menuitem', { name: 'Rename' }).click()
        await page.getByRole('textbox', { name: 'Name of c.png' }).fill('x.png')
        await page.keyboard.press('Escape')
        await page.getByRole('textbox', { name: 'Name of c.png' }).waitFor({ state: 'detached' })
        await shows(page, ['B.png', 'c.png', 'zebra.png'])
        await page.getByText('c.png', { exact: true }).dblclick()
        await page.getByRole('textbox', { name: 'Name of c.png' }).fill('a/b.png')
        await page.keyboard.press('Enter')
        await page.getByText(/must be a file name without/).waitFor()
        await page.getByRole('textbox', { name: 'Name of c.png' }).fill('d.png')
        await page.keyboard.press('Enter')
        await shows(page, ['B.png', 'd.png', 'zebra.png'])

        for (const name of ['d.png', 'zebra.png']) await page.getByRole('checkbox', { name: `Select ${name}` }).check()
        await page.getByRole('button', { name: 'Move 2' }).click()
        const dialog = page.getByRole('dialog', { name: 'Move 2 images' })
        await dialog.getByRole('combobox', { name: 'Project' }).click()
        await page.getByRole('option', { name: 'Autumn', exact: true }).click()
        assert.deepEqual(await seriousViolations(page), [])
        await dialog.getByRole('button', { name: 'Move', exact: true }).click()
        await dialog.waitFor({ state: 'detached' })
        await until(
          'the images in the project',
          async () => (await inTarget()).join() === 'd.png,zebra.png' || undefined,
        )

        await page.getByRole('button', { name: 'Open B.png' }).click()
        const drawer = page.getByRole('dialog', { name: 'B.png' })
        await drawer.getByRole('link', { name: 'Shop banner' }).waitFor()
        assert.deepEqual(await seriousViolations(page), [])
        await drawer.getByRole('textbox', { name: 'Name of B.png' }).fill('hero.png')
        await page.keyboard.press('Enter')
        const renamed = page.getByRole('dialog', { name: 'hero.png' })
        await renamed.waitFor()
        await renamed.getByRole('combobox', { name: 'Project of the image' }).click()
        await page.getByRole('option', { name: 'Autumn', exact: true }).click()
        await until('the third image', async () => (await inTarget()).length === 3 || undefined)
        assert.deepEqual(await inTarget(), ['d.png', 'hero.png', 'zebra.png'])
      },
      { key: api.key ?? null },
    )
  })

  for (const colorScheme of ['light', 'dark'] as const)
    test(`deleted images are in the bin, where they are restored or deleted for good (${colorScheme})`, async () => {
      const { service, visit } = of()
      const { api } = await newAccount({ service })
      for (const name of ['one.png', 'two.png', 'three.png', 'four.png'])
        await upload(api, await plain('png', 10, 10), name)
      const bin = async () =>
        ok(await api.get<Images>('/storage/bin', {}))
          .images.map(({ name }) => name)
          .sort()
          .join()
      await visit(
        '/storage',
        async ({ page }) => {
          await page.getByRole('button', { name: 'Open four.png' }).waitFor()
          await page.getByRole('heading', { name: 'Storage' }).click()
          await page.keyboard.press('Control+a')
          await page.keyboard.press('Delete')
          await page.getByText('4 images moved to the bin').waitFor()
          await page.keyboard.press('Control+z')
          await page.getByText('4 images moved to the bin').waitFor({ state: 'detached' })
          await shows(page, ['four.png', 'three.png', 'two.png', 'one.png'])
          await page.keyboard.press('Control+a')
          await page.getByRole('button', { name: 'Delete 4' }).click()
          await page.getByRole('link', { name: 'Bin' }).click()
          await page.getByRole('heading', { name: 'Bin', exact: true }).waitFor()
          await page.getByText('30 days left').nth(3).waitFor()
          const picture = page.getByRole('button', { name: 'one.png', exact: true }).locator('img')
          await until(
            'the thumbnail',
            async () => (await picture.evaluate((img: { naturalWidth: number }) => img.naturalWidth)) > 0 || undefined,
          )
          assert.deepEqual(await seriousViolations(page), [])
          // With the keyboard.
          await page.getByRole('button', { name: 'one.png', exact: true }).focus()
          await page.keyboard.press('Space')
          await page.getByRole('button', { name: 'Restore 1' }).click()
          await until('three images', async () => (await bin()) === 'four.png,three.png,two.png' || undefined)
          await page.getByRole('checkbox', { name: 'Select two.png' }).check()
          await page.getByRole('button', { name: 'Delete 1 now' }).click()
          await page
            .getByRole('dialog', { name: 'Delete 1 image for good?' })
            .getByRole('button', { name: 'Delete now' })
            .click()
          await until('two images', async () => (await bin()) === 'four.png,three.png' || undefined)
          await page.getByRole('button', { name: 'Empty bin' }).click()
          const asked = page.getByRole('dialog', { name: 'Empty the bin?' })
          await asked.getByText('2 images can’t be restored afterwards.').waitFor()
          assert.deepEqual(await seriousViolations(page), [])
          await asked.getByRole('button', { name: 'Empty bin' }).click()
          await page.getByText('The bin is empty').waitFor()
          await page.getByRole('link', { name: 'Back to Storage' }).click()
          await shows(page, ['one.png'])
        },
        { key: api.key ?? null, colorScheme },
      )
    })

  for (const isMoved of [true, false])
    test(`a project is deleted, and its contents are ${isMoved ? 'moved to the chosen project' : 'deleted'}`, async () => {
      const { service, visit } = of()
      const { api } = await newAccount({ service })
      const project = async (name: string) => ok(await api.post<Project>('/projects', { name }), 201).id
      const [old, target] = [await project('Old shop'), await project('New shop')]
      await save(api, { ...canvas(), name: 'Banner' }, old)
      ok(await api.upload([file(await plain('png'), 'photo.png'), field('projectId', old)]), 201)
      const inTarget = async () => {
        const { workflows } = ok(await api.get<Workflows>('/workflows', { projectId: target }))
        const { images } = ok(await api.get<Images>('/storage/images', { projectId: target }))
        return [...workflows, ...images].map(({ name }) => name)
      }
      await visit(
        `/workflows?project=${old}`,
        async ({ page }) => {
          await choose(page, 'Project', 'Delete this project…')
          const dialog = page.getByRole('dialog', { name: 'Delete Old shop?' })
          await dialog.getByRole('radio', { name: 'Move to another project' }).waitFor()
          assert.deepEqual(await seriousViolations(page), [])
          await dialog.getByRole('button', { name: 'Cancel' }).click()
          await dialog.waitFor({ state: 'detached' })
          await choose(page, 'Project', 'Delete this project…')
          if (isMoved) await choose(page, 'Move to', 'New shop')
          else {
            await dialog.getByRole('radio', { name: /^Delete/ }).check()
            await dialog.getByRole('combobox').waitFor({ state: 'detached' })
          }
          await dialog.getByRole('button', { name: 'Delete', exact: true }).click()
          const what = `1 image and 1 workflow were ${isMoved ? 'moved' : 'deleted'}.`
          await page.getByText(`Old shop was deleted. ${what}`).waitFor()
          await until('all projects', async () => !page.url().includes(old) || undefined)
        },
        { key: api.key ?? null },
      )
      assert.deepEqual((await inTarget()).sort(), isMoved ? ['Banner', 'photo.png'] : [])
      assert.equal(ok(await api.get<Workflows>('/workflows')).total, isMoved ? 1 : 0)
      assert.equal(ok(await api.get<Images>('/storage/images')).total, isMoved ? 1 : 0)
    })
})
