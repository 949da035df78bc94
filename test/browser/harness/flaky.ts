/** Repeated suites and slower pages, so that races between a page and its test show. `npm run test:flaky` sets the variables. */
import type { Page } from 'playwright-core'

/** How often each suite runs, one round after another, on one service and one Chromium. */
export const rounds = Number(process.env.TEST_ROUNDS ?? 1)

/** 4: pages take four times as long as this machine needs. */
export const rate = Number(process.env.TEST_CPU_THROTTLING_RATE ?? 1)

export async function slowDown(page: Page): Promise<void> {
  if (rate === 1) return
  const session = await page.context().newCDPSession(page)
  await session.send('Emulation.setCPUThrottlingRate', { rate })
}
