/** Several processes on PostgreSQL: the benefit of a second worker, the cost of the queue, and the time after a loss. */
import { startCluster } from './cluster.ts'
import { type Cancellations, measureCancellations, measureTakeOvers, type TakeOvers } from './losses.ts'
import { measureWorkerLongRun, measureWorkerMemory, type WorkerLongRun, type WorkerMemory } from './memory.ts'
import { measurePosts, type Posts } from './posts.ts'
import { measureStartLatency, type StartLatency } from './starts.ts'
import { measureThroughput, type Throughput } from './throughput.ts'

export interface WorkersResults {
  throughput?: Throughput[]
  startLatency?: StartLatency[]
  takeOvers?: TakeOvers
  cancellations?: Cancellations
  posts?: Posts[]
  memory?: WorkerMemory[]
}

export const workersParts = ['throughput', 'startLatency', 'takeOvers', 'cancellations', 'posts', 'memory'] as const
export type WorkersPart = (typeof workersParts)[number]

export async function measureWorkers(
  folder: string,
  selected: readonly WorkersPart[] = workersParts,
): Promise<WorkersResults> {
  const cluster = await startCluster(folder, { FETCH_ALLOW: 'localhost', FETCH_TIMEOUT_SECONDS: '100' })
  const measures = {
    throughput: () => measureThroughput(cluster, folder),
    startLatency: () => measureStartLatency(cluster, folder),
    takeOvers: () => measureTakeOvers(cluster),
    cancellations: () => measureCancellations(cluster),
    posts: () => measurePosts(cluster),
    memory: () => measureWorkerMemory(cluster),
  }
  try {
    const results: WorkersResults = {}
    for (const part of workersParts)
      if (selected.includes(part)) Object.assign(results, { [part]: await measures[part]() })
    return results
  } finally {
    await cluster.stop()
  }
}

export async function measureWorkerOverTime(folder: string): Promise<WorkerLongRun> {
  const cluster = await startCluster(folder)
  try {
    return await measureWorkerLongRun(cluster)
  } finally {
    await cluster.stop()
  }
}
