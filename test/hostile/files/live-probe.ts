/** A process that sends `GET /health/live` all the time, so that nothing but the service and the machine can delay it. */
import { setTimeout as sleep } from 'node:timers/promises'
import { sendRequest } from '../../harness/http.ts'

/** The checks since the last message. */
export interface Lap {
  checks: number
  failed: number
  /** Milliseconds from request to response, and the delay of a timer of this process at that time: the machine's part. */
  slowestMs: number
  timerMs: number
}

const [origin = ''] = process.argv.slice(2)
const pauseMs = 10
let lap: Lap = { checks: 0, failed: 0, slowestMs: 0, timerMs: 0 }

process.on('message', () => {
  process.send?.(lap)
  lap = { checks: 0, failed: 0, slowestMs: 0, timerMs: 0 }
})
process.on('disconnect', () => process.exit())

for (;;) {
  const startMs = performance.now()
  const status = await sendRequest(origin, '/health/live').then(
    (response) => response.status,
    () => 0,
  )
  const responseMs = performance.now()
  lap.checks += 1
  if (status !== 200) lap.failed += 1
  lap.slowestMs = Math.max(lap.slowestMs, responseMs - startMs)
  await sleep(pauseMs)
  lap.timerMs = Math.max(lap.timerMs, performance.now() - responseMs - pauseMs)
}
