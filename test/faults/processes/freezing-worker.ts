/**
 * A worker that freezes, like a machine that sleeps, when model calls have reached a point a number of times: before or
 * after a call of the port of their records. It continues on SIGCONT.
 */
import { pino } from 'pino'
import { createApp } from '../../../src/app/app.ts'
import { readConfig } from '../../../src/config/config.ts'

export interface Freeze {
  method: 'begin' | 'accept'
  when: 'before' | 'after'
  /** The number of calls that must reach the point. Until then they wait for each other. */
  count: number
}

const { method, when, count }: Freeze = JSON.parse(process.argv[2] ?? '')
const frozen = Promise.withResolvers<void>()
let waiting = 0

function meet(): Promise<void> {
  waiting += 1
  if (waiting === count) {
    frozen.resolve()
    process.kill(process.pid, 'SIGSTOP')
  }
  return frozen.promise
}

function port<Port extends object>(name: string, target: Port): Port {
  if (name !== 'providerCalls') return target
  return new Proxy(target, {
    get(_, property) {
      const value: unknown = Reflect.get(target, property)
      if (typeof value !== 'function' || property !== method) return value
      return async (...args: unknown[]) => {
        if (when === 'before') await meet()
        const given: unknown = await value.apply(target, args)
        if (when === 'after') await meet()
        return given
      }
    },
  })
}

process.on('disconnect', () => process.exit())
const app = await createApp(readConfig(process.env), pino({ level: 'silent' }), { port })
await app.startWorker()
process.send?.('works')
