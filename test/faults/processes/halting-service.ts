/**
 * The service with SQLite and files, in which model calls halt at the point in the name of their node, before or after a
 * call of a port, and never continue. It reports each; its parent kills it when all have halted.
 */
import { pino } from 'pino'
import { createApp } from '../../../src/app/app.ts'
import { readConfig } from '../../../src/config/config.ts'
import type { StagedBlob } from '../../../src/domain/images/image.ts'
import type { ProviderCall } from '../../../src/domain/models/provider-call.ts'
import type { Provider } from '../../../src/providers/define.ts'
import { providersById } from '../../../src/providers/index.ts'

export type ChildMessage = { origin: string } | { halted: string }

const report = (message: ChildMessage) => process.send?.(message)
const config = { ...readConfig(process.env), publicUrl: undefined }

/** Calls by their ids, and by those of their executions. */
const calls = new Map<string, ProviderCall>()

const points: Record<string, string> = {
  'providerCalls.begin': 'begin',
  'providerCalls.accept': 'accept',
  'providerCalls.end': 'end',
  'executions.complete': 'complete',
  'blob.commit': 'commit',
}

function port<Port extends object>(name: string, target: Port): Port {
  return new Proxy(target, {
    get(_, property) {
      const method: unknown = Reflect.get(target, property)
      if (typeof method !== 'function') return method
      const called = `${name}.${String(property)}`
      const point = points[called]
      return (...args: unknown[]) => {
        if (point !== undefined) return around(point, args[0], () => method.apply(target, args))
        const given: unknown = method.apply(target, args)
        if (called !== 'blobs.stage') return given
        return (given as Promise<StagedBlob>).then((staged) => port('blob', staged))
      }
    },
  })
}

async function around<Value>(point: string, about: unknown, work: () => Promise<Value>): Promise<Value> {
  const call = callOf(about)
  await haltAt(`${point}_before`, call)
  const value = await work()
  await haltAt(`${point}_after`, call)
  return value
}

/** The call by the record itself, its id, the key of its blob, or the id of its execution. */
function callOf(about: unknown): ProviderCall | undefined {
  if (typeof about === 'string') return calls.get(/^call_[0-9A-Za-z]+/.exec(about)?.[0] ?? about)
  const call = about as ProviderCall
  calls.set(call.id, call).set(call.executionId, call)
  return call
}

async function haltAt(point: string, call: ProviderCall | undefined): Promise<void> {
  if (call?.node !== point) return
  report({ halted: call.executionId })
  await new Promise(() => {})
}

/** Many calls halt at the same time, and none waits for another. */
for (const [id, provider] of providersById) (providersById as Map<string, Provider>).set(id, impatient(provider))

function impatient(provider: Provider): Provider {
  const { start, poll } = provider
  return {
    ...provider,
    concurrency: 1_000,
    async start(...all) {
      const started = await start(...all)
      return 'done' in started ? started : { ...started, waitMs: 1 }
    },
    ...(poll && {
      async poll(...all: Parameters<typeof poll>) {
        const polled = await poll(...all)
        return 'done' in polled ? polled : { pending: { ...polled.pending, waitMs: 1 } }
      },
    }),
  }
}

process.on('disconnect', () => process.exit())
const app = await createApp(config, pino({ level: 'silent' }), { port })
app.lock()
const origin = `http://127.0.0.1:${await (await app.openServer()).listen(config)}`
app.setPublicUrl(origin)
await app.startWorker()
report({ origin })
