/**
 * The response times of B while A attacks, next to those of B alone. A second service, which A doesn't use, gets the same requests in turns with
 * the first one. It shares the machine, which is slower because of the CPU that A's work takes, and nothing else. A delay that both
 * services have is the machine's.
 */
import { percentile } from '../../bench/statistics.ts'
import { type Attack, listStatuses } from './load.ts'
import { emptyMeasurements, type Measurements, probe, withHealth } from './probe.ts'
import { openSetup, residentBytes, type Setup } from './setup.ts'

export interface Measured {
  name: string
  /** B before A begins. */
  alone: Measurements
  /** B while A attacks. */
  withAttack: Measurements
  /** B at the second service, at the same time. */
  elsewhere: Measurements
  /** A's responses, by status. */
  responses: string
  /** The peak of resident memory of a process of the service after a probe. */
  residentBytesMax: number
  /** The error that ended the measurement early. */
  ended?: string
}

export interface Repetitions {
  probes: number
  /** No probe begins later: a service that is so slow has failed already. */
  secondsMax: number
}

/** `settings` are read once for each of the two services. */
export async function measure(
  attack: Attack,
  { probes, secondsMax }: Repetitions,
  settings: () => Promise<Record<string, string>> = async () => ({}),
): Promise<Measured> {
  const stages: Setup[] = []
  const result: Measured = {
    name: attack.name,
    alone: emptyMeasurements(),
    withAttack: emptyMeasurements(),
    elsewhere: emptyMeasurements(),
    responses: '',
    residentBytesMax: 0,
  }
  try {
    const setup = await openSetup({ ...(await settings()), ...attack.settings }, attack)
    stages.push(setup)
    const second = await openSetup(await settings())
    stages.push(second)
    const inTurns = async (
      times: number,
      here: Measurements,
      there: Measurements,
      deadline = Number.POSITIVE_INFINITY,
    ) => {
      for (let i = 0; i < times && performance.now() < deadline; i++) {
        await probe(setup, here, attack)
        await probe(second, there, attack)
        result.residentBytesMax = Math.max(result.residentBytesMax, ...residentBytes(setup.service))
      }
    }
    // The first executions load and compile code.
    await inTurns(5, emptyMeasurements(), emptyMeasurements())
    await withHealth(setup.service, result.alone, inTurns(probes, result.alone, emptyMeasurements()))
    const load = await attack.start(setup)
    const work = inTurns(probes, result.withAttack, result.elsewhere, performance.now() + secondsMax * 1000)
    await Promise.all([
      withHealth(setup.service, result.withAttack, work),
      withHealth(second.service, result.elsewhere, work),
    ])
    result.responses = listStatuses(load)
    await load.stop()
  } catch (error) {
    result.ended = String(error)
  } finally {
    await Promise.all(stages.map((setup) => setup.close()))
  }
  return result
}

const healthMsMax = 200

export function p95(values: number[]): number {
  return percentile(values, 95)
}

/** The most that an execution or a read of B may take, at the 95th percentile. */
export function msMax(alone: number[]): number {
  return Math.max(5 * p95(alone), 1_000)
}

/** Sentences about where B noticed A. Twice the time of the second service is within the noise of a busy machine. */
export function problemsOf({ alone, withAttack, elsewhere, ended }: Measured): string[] {
  if (ended !== undefined) return [ended]
  const compare = (label: string, measured: number, most: number, other: number) =>
    measured <= Math.max(most, 2 * other)
      ? []
      : [`${label}: ${ms(measured)}; at most ${ms(most)} is allowed; ${ms(other)} at the other service`]
  return [
    ...(['executions', 'reads'] as const).flatMap((label) =>
      compare(`p95 of ${label}`, p95(withAttack[label]), msMax(alone[label]), p95(elsewhere[label])),
    ),
    ...compare('slowest health check', Math.max(...withAttack.health), healthMsMax, Math.max(...elsewhere.health)),
    ...(withAttack.refused > 0 ? [`${withAttack.refused} requests of B were refused`] : []),
  ]
}

function ms(value: number): string {
  return `${Math.round(value)} ms`
}
