import { createMemoryRates } from '../../src/storage/rate-limits/memory.ts'
import { ratesContract } from './rates.ts'

ratesContract('memory', async (t) => {
  t.mock.timers.enable({ apis: ['Date'], now: 1_795_000_000_000 })
  return { counter: createMemoryRates(), moveClock: (ms) => t.mock.timers.tick(ms) }
})
