import assert from 'node:assert/strict'
import { test } from 'node:test'
import { systemClock } from '../../domain/clock.ts'
import type { UsableFont } from '../accounts/fonts.ts'
import { createStepReuse } from './step-reuse.ts'

test('an execution uses the fonts of its step keys, even if others are added while it runs', async () => {
  let uploadedFonts = [{ id: 'font_1', family: 'Acme' }]
  const reuseFor = createStepReuse({
    sources: { identify: async () => undefined },
    fonts: { usable: async () => uploadedFonts as UsableFont[] },
    caches: undefined,
    fingerprint: async () => 'here',
    clock: systemClock,
  })
  const { keyContext, usableFonts } = await reuseFor('acct_1')
  const before = await keyContext.fonts()
  uploadedFonts = [{ id: 'font_2', family: 'Acme' }, ...uploadedFonts]
  assert.deepEqual(before, [{ id: 'font_1', family: 'Acme' }])
  assert.deepEqual(await usableFonts(), [{ id: 'font_1', family: 'Acme' }])
  const next = await reuseFor('acct_1')
  assert.equal((await next.usableFonts()).length, 2)
})
