/**
 * The service with SQLite and files, in a process that kills itself at a call of a port that its parent selects. It
 * counts the calls from then on, and reports them on request.
 */
import { pino } from 'pino'
import { createApp } from '../../../src/app/app.ts'
import { readConfig } from '../../../src/config/config.ts'
import type { StagedBlob } from '../../../src/domain/images/image.ts'

/** A call, for example the second call of `executions.create`: before it has an effect, or after all of its effects. */
export interface KillPoint {
  name: string
  nth: number
  when: 'before' | 'after'
}

export type ParentMessage = { count: KillPoint | null } | { report: true }
export type ChildMessage = { origin: string } | { counting: true } | { calls: string[] }

const [dir = ''] = process.argv.slice(2)
const FETCH_ALLOW = 'localhost'
const config = {
  ...readConfig({ DATA_DIR: dir, PORT: '0', EXECUTIONS_RUNNING_MAX: '2', FETCH_ALLOW }),
  publicUrl: undefined,
}

let calls: string[] = []
let point: KillPoint | null = null

/** Whether it is this call. */
function note(name: string): KillPoint['when'] | undefined {
  calls.push(name)
  if (name !== point?.name) return undefined
  return calls.filter((each) => each === name).length === point.nth ? point.when : undefined
}

function die(): void {
  process.kill(process.pid, 'SIGKILL')
}

function port<Port extends object>(name: string, target: Port): Port {
  return new Proxy(target, {
    get(_, property) {
      const method: unknown = Reflect.get(target, property)
      if (typeof method !== 'function') return method
      return (...args: unknown[]) => {
        const called = [`${name}.${String(property)}`, ...kindOf(args[0])].join(' ')
        const when = note(called)
        if (when === 'before') die()
        const given: unknown = method.apply(target, args)
        if (!(given instanceof Promise)) {
          if (when === 'after') die()
          return given
        }
        return given.then((value: unknown) => {
          if (when === 'after') die()
          return called === 'blobs.stage' ? port('blob', value as StagedBlob) : value
        })
      }
    },
  })
}

/** The kind of the bytes: an image or a step. */
function kindOf(key: unknown): string[] {
  return typeof key === 'string' && /^(img|font|step)_/.test(key) ? [key.slice(0, key.indexOf('_'))] : []
}

const report = (message: ChildMessage) => process.send?.(message)
process.on('message', (message: ParentMessage) => {
  if ('report' in message) return report({ calls })
  calls = []
  point = message.count
  report({ counting: true })
})
process.on('disconnect', () => process.exit())

const app = await createApp(config, pino({ level: 'silent' }), { port })
app.lock()
const origin = `http://127.0.0.1:${await (await app.openServer()).listen(config)}`
app.setPublicUrl(origin)
await app.startWorker()
app.startBatches()
report({ origin })
