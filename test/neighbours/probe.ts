/** The requests of account B: small synchronous executions, reads and health checks, each timed. */
import assert from 'node:assert/strict'
import { sendRequest } from '../harness/http.ts'
import type { Service } from '../harness/service.ts'
import type { Execution } from '../harness/types.ts'
import { until } from '../harness/wait.ts'
import { bodyOf, mainThreadMs, type Setup } from './setup.ts'

/** Milliseconds from request to response. */
export interface Measurements {
  executions: number[]
  reads: number[]
  health: number[]
  /** CPU time of the main threads during each health check: the work that it waited for, on any machine. */
  mainThreadMs: number[]
  /** Executions and reads with a status other than 200. */
  refused: number
}

export function emptyMeasurements(): Measurements {
  return { executions: [], reads: [], health: [], mainThreadMs: [], refused: 0 }
}

/** One execution, and two reads. `fetches`: the execution loads an image of the outside host. */
export async function probe(setup: Setup, measurements: Measurements, { fetches = false } = {}): Promise<void> {
  const { b, tiny, fetching, sourceUrl } = setup
  const timed = async (list: number[], method: string, path: string, json?: unknown) => {
    const startMs = performance.now()
    const response = await b.send(method, path, { json })
    list.push(performance.now() - startMs)
    if (response.status !== 200) measurements.refused += 1
    return response
  }
  const body = fetches ? { workflowId: fetching, parameters: { source: sourceUrl('/of-b') } } : { workflowId: tiny }
  const executed = await timed(measurements.executions, 'POST', '/workflows/execute', body)
  await timed(measurements.reads, 'GET', '/workflows?limit=5')
  if (executed.status > 202) return
  await timed(measurements.reads, 'GET', `/workflows/executions/${bodyOf<Execution>(executed).executionId}`)
}

/** Health checks, one after the other, for as long as `work` takes. */
export async function withHealth<T>(service: Service, measurements: Measurements, work: Promise<T>): Promise<T> {
  let done = false
  const ended = work.finally(() => {
    done = true
  })
  const checks = until(
    'the end of the work',
    async () => {
      const [startMs, startCpuMs] = [performance.now(), mainThreadMs(service)]
      const { status } = await sendRequest(service.origin, '/health/live', { keepAlive: false })
      measurements.health.push(performance.now() - startMs)
      measurements.mainThreadMs.push(mainThreadMs(service) - startCpuMs)
      assert.equal(status, 200)
      return done || undefined
    },
    600,
  )
  const [result] = await Promise.all([ended, checks])
  return result
}
