/**
 * A process that sends `GET /health/live`, and executes a workflow of another account, all the time: nothing but the service and the
 * machine can delay it.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { sendRequest } from '../../harness/http.ts'

/** The requests that ended since the last message. */
export interface Lap {
  checks: number
  /** Requests of both kinds without a 200. */
  failures: string[]
  /** Milliseconds from request to response. */
  slowestCheckMs: number
  slowestExecutionMs: number
  /** The delay of a timer of this process at the same time: the machine's part. */
  timerMs: number
}

const [origin = '', key = '', workflowId = ''] = process.argv.slice(2)
const pauseMs = 10
const newLap = (): Lap => ({ checks: 0, failures: [], slowestCheckMs: 0, slowestExecutionMs: 0, timerMs: 0 })
let lap = newLap()

process.on('message', () => {
  process.send?.(lap)
  lap = newLap()
})
process.on('disconnect', () => process.exit())

/** Returns the milliseconds that it takes. */
async function send(path: string, body?: object): Promise<number> {
  const startMs = performance.now()
  const json = { method: 'POST', headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' } }
  const failure = await sendRequest(origin, path, body ? { ...json, body: JSON.stringify(body) } : {}).then(
    ({ status, bytes }) => (status === 200 ? undefined : `${status} ${bytes}`),
    (error: Error) => error.message,
  )
  if (failure !== undefined) lap.failures.push(`${path}: ${failure}`)
  return performance.now() - startMs
}

async function checkHealth(): Promise<never> {
  for (;;) {
    lap.slowestCheckMs = Math.max(lap.slowestCheckMs, await send('/health/live'))
    lap.checks += 1
    const startMs = performance.now()
    await sleep(pauseMs)
    lap.timerMs = Math.max(lap.timerMs, performance.now() - startMs - pauseMs)
  }
}

async function execute(): Promise<never> {
  for (let width = 1; ; width = (width % 300) + 1) {
    const ms = await send('/v1/workflows/execute', { workflowId, parameters: { width } })
    lap.slowestExecutionMs = Math.max(lap.slowestExecutionMs, ms)
  }
}

await Promise.all([checkHealth(), execute()])
