/**
 * The response times of B while A attacks, next to those of B alone. A second service, which A doesn't use, gets the same requests in turns with
 * the first one. It shares the machine, which is slower because of the CPU that A's work takes, and nothing else. A delay that both
 * services have is the machine's.
 */
import { percentile } from '../../bench/statistics.ts'
import { type Attack, listStatuses } from './load.ts'
import { type Noticed, noticedNothing, probe, withHealth } from './probe.ts'
import { openStage, residentBytes, type Stage } from './stage.ts'

export interface Measured {
  name: string
  /** B before A begins. */
  alone: Noticed
  /** B while A attacks. */
  beside: Noticed
  /** B at the second service, at the same time. */
  elsewhere: Noticed
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
  const stages: Stage[] = []
  const result: Measured = {
    name: attack.name,
    alone: noticedNothing(),
    beside: noticedNothing(),
    elsewhere: noticedNothing(),
    responses: '',
    residentBytesMax: 0,
  }
  try {
    const stage = await openStage({ ...(await settings()), ...attack.settings }, attack)
    stages.push(stage)
    const second = await openStage(await settings())
    stages.push(second)
    const inTurns = async (times: number, here: Noticed, there: Noticed, deadline = Number.POSITIVE_INFINITY) => {
      for (let i = 0; i < times && performance.now() < deadline; i++) {
        await probe(stage, here, attack)
        await probe(second, there, attack)
        result.residentBytesMax = Math.max(result.residentBytesMax, ...residentBytes(stage.service))
      }
    }
    // The first executions load and compile code.
    await inTurns(5, noticedNothing(), noticedNothing())
    await withHealth(stage.service, result.alone, inTurns(probes, result.alone, noticedNothing()))
    const load = await attack.begin(stage)
    const work = inTurns(probes, result.beside, result.elsewhere, performance.now() + secondsMax * 1000)
    await Promise.all([
      withHealth(stage.service, result.beside, work),
      withHealth(second.service, result.elsewhere, work),
    ])
    result.responses = listStatuses(load)
    await load.stop()
  } catch (error) {
    result.ended = String(error)
  } finally {
    await Promise.all(stages.map((stage) => stage.close()))
  }
  return result
}

const healthMsMax = 200

export function p95(values: number[]): number {
  return percentile(values, 95)
}

/** The most that an execution or a read of B may take, at the 95th percentile. */
export function msMax(alone: number[]): number {
  return Math.max(5 * p95(alone), 500)
}

/** Where B noticed A, as sentences. Twice the time of the second service is within the noise of a busy machine. */
export function problemsOf({ alone, beside, elsewhere, ended }: Measured): string[] {
  if (ended !== undefined) return [ended]
  const compare = (what: string, measured: number, most: number, other: number) =>
    measured <= Math.max(most, 2 * other)
      ? []
      : [`${what}: ${ms(measured)}; at most ${ms(most)} is allowed; ${ms(other)} at the other service`]
  return [
    ...(['executions', 'reads'] as const).flatMap((what) =>
      compare(`p95 of ${what}`, p95(beside[what]), msMax(alone[what]), p95(elsewhere[what])),
    ),
    ...compare('slowest health check', Math.max(...beside.health), healthMsMax, Math.max(...elsewhere.health)),
    ...(beside.refused > 0 ? [`${beside.refused} requests of B were refused`] : []),
  ]
}

function ms(value: number): string {
  return `${Math.round(value)} ms`
}
