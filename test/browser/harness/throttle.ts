/** A slower processor, so that races between a page and its test show. `npm run test:flaky` sets the variable. */
import type { Page } from 'playwright-core'

/** 4: pages take four times as long as this machine needs. */
export const rate = Number(process.env.TEST_CPU_THROTTLING_RATE ?? 1)

export async function slowDown(page: Page): Promise<void> {
  if (rate === 1) return
  const session = await page.context().newCDPSession(page)
  await session.send('Emulation.setCPUThrottlingRate', { rate })
}
