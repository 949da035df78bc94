/** Conditions after every attack: the same process still responds, with limited memory. */
import assert from 'node:assert/strict'
import { sendRequest } from '../harness/http.ts'
import type { Service } from '../harness/service.ts'

/** Nearly twice the memory of the entire suite, and far less than a single decompressed bomb. */
const residentBytesMax = 800_000_000

export async function assertAlive(service: Service): Promise<void> {
  const { status } = await sendRequest(service.origin, '/health/ready', { keepAlive: false })
  assert.equal(status, 200)
  const resident = service.peakResidentBytes()
  if (resident !== undefined) assert.ok(resident < residentBytesMax, `${Math.round(resident / 1e6)} MB were resident`)
}
