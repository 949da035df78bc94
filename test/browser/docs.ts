/** The documentation at `/guide`: every visit also fails on a violation of its policy or a request to another origin. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { until } from '../harness/wait.ts'
import { seriousViolations } from './harness/axe.ts'
import { consoleTests } from './harness/console.ts'

consoleTests('the documentation', (of) => {
  const reader = { key: null }

  for (const [path, heading] of [
    ['/guide/', 'Tintype'],
    ['/guide/quickstart', 'Quickstart'],
    ['/guide/operations/resize', 'Resize'],
  ] as const) {
    for (const colorScheme of ['light', 'dark'] as const) {
      test(`${path} is readable in ${colorScheme}, and its images load`, () =>
        of().visit(
          path,
          async ({ page }) => {
            await page.getByRole('heading', { level: 1, name: heading }).waitFor()
            assert.equal(await page.locator('html.dark').count(), colorScheme === 'dark' ? 1 : 0)
            const images = page.locator('main img, .VPHome img').filter({ visible: true })
            for (const image of await images.all()) {
              await image.scrollIntoViewIfNeeded()
              assert.ok(
                await image.evaluate((each: unknown) =>
                  (each as { decode(): Promise<void> }).decode().then(() => true),
                ),
              )
            }
            assert.deepEqual(await seriousViolations(page), [])
          },
          { ...reader, colorScheme },
        ))
    }
  }

  test('search works with the keyboard, offline, and opens the page that was found', () =>
    of().visit(
      '/guide/quickstart',
      async ({ page }) => {
        await waitForScripts(page)
        await page.getByRole('button', { name: 'Search' }).click()
        await page.locator('input[type=search]').fill('idempotency keys')
        await page
          .getByRole('option', { name: /Idempotency keys/ })
          .first()
          .waitFor()
        await page.keyboard.press('Enter')
        await page.waitForURL('**/guide/idempotency**')
        await page.getByRole('heading', { level: 1, name: 'Idempotency keys' }).waitFor()
      },
      reader,
    ))

  test('on a phone, nothing is wider than the screen, and the menu opens the navigation', () =>
    of().visit(
      '/guide/operations/resize',
      async ({ page }) => {
        await waitForScripts(page)
        await page.locator('.VPLocalNav').getByRole('button', { name: 'Menu' }).click()
        await page.getByRole('link', { name: 'Smart crop' }).click()
        await page.waitForURL('**/guide/operations/smart-crop')
        await page.getByRole('heading', { level: 1, name: 'Smart crop' }).waitFor()
        const { scrollWidth, clientWidth } = await page
          .locator('html')
          .evaluate(({ scrollWidth, clientWidth }: { scrollWidth: number; clientWidth: number }) => ({
            scrollWidth,
            clientWidth,
          }))
        assert.equal(scrollWidth, clientWidth)
      },
      { ...reader, width: 390, height: 844 },
    ))

  test('a page of the console links to the documentation about it', () =>
    of().visit('/keys', async ({ page, context }) => {
      const opened = context.waitForEvent('page')
      await page.getByRole('link', { name: 'Documentation: API keys' }).click()
      const guide = await opened
      await guide.waitForURL('**/guide/authentication')
      await guide.getByRole('heading', { level: 1, name: /Authentication/ }).waitFor()
    }))
})

/** Waits until buttons work: a page is complete before its scripts run. */
async function waitForScripts(page: Page): Promise<void> {
  const isApp = async () =>
    (await page.evaluate("document.querySelector('#app').__vue_app__ !== undefined")) || undefined
  await until('the app of the page', isApp)
}
