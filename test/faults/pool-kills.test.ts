/** Processes of the pools are killed while several accounts upload, fetch and draw: no request fails. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { crash, executorId, poolProcessesOf } from '../harness/executor.ts'
import { file, multipart } from '../harness/multipart.ts'
import { noise, svg } from '../harness/pictures.ts'
import { cpuSecondsOf } from '../harness/proc.ts'
import { repetitions } from '../harness/repetitions.ts'
import { until } from '../harness/wait.ts'
import { openExecutorSetup } from './executor-setup.ts'

const options = { skip: process.platform !== 'linux' && 'finds processes in /proc' }
const signals: NodeJS.Signals[] = ['SIGKILL', 'SIGSEGV']

test(
  'a killed process of a pool fails no request of any account, and neither does the executor next to it',
  options,
  async (t) => {
    const setup = await openExecutorSetup(t, { CACHE_MAX_BYTES: '0', SYNC_WAIT_SECONDS: '300' })
    const { servicePid, outside } = setup
    const photo = await noise('webp', 2_000, 1_500)
    const photoUrl = outside.serve('/photo', (_request, response) => response.end(photo))
    const callers = await Promise.all(['one', 'two', 'three'].map((name) => setup.newCaller(name)))
    const watch = setup.watch()
    const failures: string[] = []
    const open = new Set<Promise<void>>()
    let isOver = false
    let count = 0
    t.after(() => {
      isOver = true
    })

    const loops = callers.map(async (caller, index) => {
      const save = async (type: string, params: object) => {
        const document = { name: type, nodes: { n: { type, params } }, output: { node: 'n', format: 'jpeg' } }
        const { bytes } = await caller.send('POST', '/workflows', document)
        return (JSON.parse(bytes.toString()) as { id: string }).id
      }
      const ids = [
        await save('image', { source: photoUrl }),
        await save('svg', { svg: svg(lines, 'width="1500" height="1500"').toString() }),
        await save('html', { html: '<p>one</p>'.repeat(300) }),
      ]
      for (let at = index; !isOver && failures.length === 0; at++) {
        const workflowId = ids[at % 4]
        const request = workflowId
          ? caller.send('POST', '/workflows/execute', { workflowId })
          : caller.send('POST', '/storage/upload', multipart([file(photo)]))
        const ended = request.then(
          ({ status, bytes }) => {
            count += 1
            if (status > 201) failures.push(`${status} ${bytes}`)
          },
          (error: Error) => void failures.push(error.message),
        )
        open.add(ended)
        await ended
        open.delete(ended)
      }
    })

    /** Kills a process; open requests end before the next kill, so that no job loses more than one process. */
    const killOne = async (pid: number, signal: NodeJS.Signals) => {
      const interrupted = [...open]
      await crash(pid, signal)
      await Promise.all(interrupted)
      assert.deepEqual(failures, [])
    }
    for (let kill = 0; kill < repetitions(12, 40); kill++) {
      await killOne(await busyProcess(servicePid), signals[kill % 2] as NodeJS.Signals)
      if (kill % 6 === 5) await killOne(await executorId(servicePid), signals[kill % 4 === 1 ? 0 : 1] as NodeJS.Signals)
    }
    isOver = true
    await Promise.all(loops)
    assert.deepEqual(failures, [])
    const checks = await watch.end()
    t.diagnostic(`${count} requests, ${checks} checks of the service`)
  },
)

/** A process that has used CPU time since the last look: it has a job. */
function busyProcess(servicePid: number): Promise<number> {
  const before = new Map<number, number>()
  return until('a process with a job', () => {
    for (const pid of poolProcessesOf(servicePid)) {
      const seconds = cpuSecondsOf(pid)
      if (seconds > (before.get(pid) ?? seconds)) return pid
      before.set(pid, seconds)
    }
    return undefined
  })
}

/** Takes some tenths of a second to draw. */
const lines = Array.from(
  { length: 2_000 },
  (_, at) => `<path d="M0 ${at}L1500 ${1_500 - at}" stroke="red" opacity="0.5"/>`,
).join('')
