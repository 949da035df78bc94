/** Assertions about B next to A that hold on a machine of any speed. */
import assert from 'node:assert/strict'
import { type Attack, type Load, listStatuses } from './load.ts'
import { emptyMeasurements, type Measurements, probe, withHealth } from './probe.ts'
import { residentBytes, type Setup } from './setup.ts'

/** Maximum memory of one process: a heap of 1 GiB, and the images of as many executions as there are slots. */
const residentBytesMax = 1_800_000_000
/** An event loop that is blocked for at most 50 ms by each of A's open requests, in the few turns that a health check takes. */
const mainThreadMsUsualMax = 1_000

/** Probes B, with health checks at the same time, and checks the CPU time that these wait for and the memory of the service. */
export async function probeNeighbour(
  setup: Setup,
  probes: number,
  attack: Pick<Attack, 'fetches' | 'mainThreadMsMax'> = {},
): Promise<Measurements> {
  const measurements = emptyMeasurements()
  const resident: number[] = []
  const work = async () => {
    for (let i = 0; i < probes; i++) {
      await probe(setup, measurements, attack)
      resident.push(...residentBytes(setup.service))
    }
  }
  await withHealth(setup.service, measurements, work())
  const slowest = Math.max(...measurements.mainThreadMs)
  const { mainThreadMsMax = mainThreadMsUsualMax } = attack
  assert.ok(slowest <= mainThreadMsMax, `a health check waited for ${slowest} ms of CPU`)
  assert.ok(Math.max(...resident) < residentBytesMax, `${Math.max(...resident)} bytes are resident`)
  return measurements
}

/** B had every response, while A still waited for its own. */
export function assertServed({ refused }: Measurements, load?: Load): void {
  assert.equal(refused, 0, 'requests of B were refused')
  if (load) assert.ok(load.open() > 0, `A no longer sends anything: ${listStatuses(load)}`)
}
