import { createHash } from 'node:crypto'
import type { RateCounter } from '../../domain/accounts/rate.ts'
import { randomBase62 } from '../../domain/ids.ts'
import { limits } from '../../limits.ts'
import { createMemoryRates } from './memory.ts'

/**
 * Counts requests per client address, for one process. A client can have any number of addresses, so they share a fixed
 * number of counters. A secret of this process decides which addresses share a counter, so that a client can't cause a collision.
 */
export function createAddressRates(countersMax: number = limits.addressCountersMax): RateCounter {
  const counts = createMemoryRates()
  const salt = randomBase62(22)
  return {
    count(address, limit) {
      const hash = createHash('sha256').update(salt).update(address).digest()
      return counts.count(String(hash.readUInt32BE(0) % countersMax), limit)
    },
  }
}
