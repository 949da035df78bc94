/** Signing in and out. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ok } from '../harness/client.ts'
import { seriousViolations } from './harness/axe.ts'
import { consoleTests } from './harness/console.ts'

consoleTests('signing in', (of) => {
  const signedOut = { key: null }

  test('without a session, the sign-in page asks for a key and then opens the requested page', async () => {
    const { service, key, visit } = of()
    await visit(
      '/keys',
      async ({ page, context }) => {
        await page.waitForURL('**/sign-in**')
        await page.getByLabel('API key').fill(key)
        await page.keyboard.press('Enter')
        await page.waitForURL('**/keys')
        const [cookie, ...more] = await context.cookies(`${service.origin}/v1`)
        assert.deepEqual(more, [])
        assert.ok(cookie)
        const { name, httpOnly, sameSite, path, expires } = cookie
        assert.deepEqual(
          { name, httpOnly, sameSite, path, expires },
          { name: 'tintype_session', httpOnly: true, sameSite: 'Strict', path: '/v1', expires: -1 },
        )
      },
      signedOut,
    )
  })

  test('the key is not stored in the browser', async () => {
    const { key, visit } = of()
    await visit(
      '/sign-in',
      async ({ page, context }) => {
        await page.getByLabel('API key').fill(key)
        await page.keyboard.press('Enter')
        await page.waitForURL('**/workflows')
        const stored = await page.evaluate(
          'JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie])',
        )
        assert.ok(!`${stored}${JSON.stringify(await context.cookies())}`.includes(key))
      },
      signedOut,
    )
  })

  test('an invalid key shows an error, and its field can be corrected', async () => {
    const { key, visit } = of()
    await visit(
      '/sign-in',
      async ({ page }) => {
        const field = page.getByLabel('API key')
        await field.fill('tt_live_wrong')
        await page.keyboard.press('Enter')
        await page.getByText(/unknown, expired or revoked/).waitFor()
        await field.fill(key)
        await page.keyboard.press('Enter')
        await page.waitForURL('**/workflows')
      },
      signedOut,
    )
  })

  test('without a valid session, every page redirects to the sign-in page', async () => {
    const { visit, service, api } = of()
    await visit('/workflows', async ({ page, context }) => {
      await page.waitForURL('**/workflows')
      const headers = { 'sec-fetch-site': 'same-origin' }
      await context.request.delete('/v1/session', { headers })
      ok(await api.get('/projects'))
      await page.goto('/keys')
      await page.waitForURL('**/sign-in**')
      assert.equal(new URL(page.url()).origin, service.origin)
    })
  })

  for (const colorScheme of ['light', 'dark'] as const) {
    for (const [width, height] of [
      [1440, 900],
      [390, 844],
    ] as const) {
      test(`axe finds nothing serious in the ${colorScheme} sign-in at ${width} pixels`, async () => {
        await of().visit(
          '/sign-in',
          async ({ page }) => {
            await page.getByLabel('API key').waitFor()
            assert.deepEqual(await seriousViolations(page), [])
          },
          { ...signedOut, colorScheme, width, height },
        )
      })
    }
  }
})
