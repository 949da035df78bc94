/** Two servers with the same load in turns, so that a machine that gets slower affects both. */
import { cpuMs, treeCpuMs } from './processes.ts'
import { median } from './statistics.ts'

export interface Side {
  pid: number
  /** Whether its child processes count too. */
  isTree?: boolean
  /** One request, to the end of its response; throws unless the response is correct. */
  call(): Promise<void>
}

export interface Measured {
  /** CPU of the entire process, per request. */
  cpuMs: number
  /** Median. */
  latencyMs: number
}

export interface Comparison {
  ours: Measured
  bare: Measured
  requests: number
  /** The ratio of CPU in each quarter of the run, to judge the precision. */
  cpuRatios: number[]
}

const parts = 4

/** Compares two services: in each round every client makes `callsPerTurn` calls to one side, then to the other. */
export async function compare(
  { ours, bare }: { ours: Side; bare: Side },
  { clients, rounds, callsPerTurn = 1 }: { clients: number; rounds: number; callsPerTurn?: number },
): Promise<Comparison> {
  const latencies: { ours: number[]; bare: number[] } = { ours: [], bare: [] }
  const readings = [[spentBy(ours), spentBy(bare)]]
  const turn = async (side: Side, into: number[]) => {
    await Promise.all(
      Array.from({ length: clients }, async () => {
        for (let call = 0; call < callsPerTurn; call += 1) into.push(await timed(side))
      }),
    )
  }
  for (let round = 0; round < rounds; round += 1) {
    await turn(ours, latencies.ours)
    await turn(bare, latencies.bare)
    if ((round + 1) % Math.ceil(rounds / parts) === 0 || round === rounds - 1)
      readings.push([spentBy(ours), spentBy(bare)])
  }
  const requests = rounds * clients * callsPerTurn
  const spent = (side: 0 | 1) => ((readings.at(-1)?.[side] ?? 0) - (readings[0]?.[side] ?? 0)) / requests
  return {
    ours: { cpuMs: spent(0), latencyMs: median(latencies.ours) },
    bare: { cpuMs: spent(1), latencyMs: median(latencies.bare) },
    requests,
    cpuRatios: readings.slice(1).map((now, i) => {
      const before = readings[i] ?? []
      return ((now[0] ?? 0) - (before[0] ?? 0)) / ((now[1] ?? 0) - (before[1] ?? 0))
    }),
  }
}

function spentBy({ pid, isTree }: Side): number {
  return isTree ? treeCpuMs(pid) : cpuMs(pid)
}

async function timed(side: Side): Promise<number> {
  const startMs = performance.now()
  await side.call()
  return performance.now() - startMs
}
