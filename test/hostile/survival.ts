/** What has to hold after every attack: the service answers, as the process that it was, in bounded memory. */
import assert from 'node:assert/strict'
import { ask } from '../harness/http.ts'
import type { Service } from '../harness/service.ts'

/** Nearly twice what the whole suite takes, and far below what one bomb unpacks to. */
const residentBytesMax = 800_000_000

export async function assertAlive(service: Service): Promise<void> {
  const { status } = await ask(service.origin, '/health/ready', { keepAlive: false })
  assert.equal(status, 200)
  const resident = service.peakResidentBytes()
  if (resident !== undefined) assert.ok(resident < residentBytesMax, `${Math.round(resident / 1e6)} MB were resident`)
}
