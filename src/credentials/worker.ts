/**
 * A thread that runs the C2PA library on bytes of unknown files. It has no keys, no environment and no way to the network: the
 * service signs, and ends the thread if a call takes too long or its memory has grown.
 */
import { parentPort, workerData } from 'node:worker_threads'
import { isCrash, openC2pa } from './c2pa.ts'
import type { FromWorker, ReadJob, SignJob, ToWorker, WorkerOptions, WorkerResult } from './messages.ts'

// The library would fetch with these. Its settings forbid that already.
for (const name of ['fetch', 'WebSocket', 'EventSource', 'XMLHttpRequest'])
  Object.defineProperty(globalThis, name, {
    value: () => {
      throw new Error('the thread for Content Credentials has no network')
    },
  })

const c2pa = openC2pa(workerData as WorkerOptions)
/** Jobs that wait for a signature. */
const claims = new Map<number, PromiseWithResolvers<Uint8Array>>()

parentPort?.on('message', (message: ToWorker) => {
  if ('job' in message) void run(message.id, message.job)
  else if (message.cose) claims.get(message.id)?.resolve(message.cose)
  else claims.get(message.id)?.reject(new Error('there is no signature'))
})

async function run(id: number, job: SignJob | ReadJob): Promise<void> {
  const { sign, read, memoryBytes } = await c2pa
  let result: WorkerResult
  try {
    if (job.kind === 'read') result = { report: await read(job.file) }
    else result = { signed: await sign(job, (claim) => signatureOf(id, claim)) }
  } catch (error) {
    if (isCrash(error)) throw error
    // The library throws texts.
    result = { problem: error instanceof Error ? error.message : String(error) }
  } finally {
    claims.delete(id)
  }
  reply({ id, kind: 'end', result, memoryBytes: memoryBytes() }, 'signed' in result ? [result.signed.buffer] : [])
}

async function signatureOf(id: number, claim: Uint8Array): Promise<Uint8Array> {
  const waiting = Promise.withResolvers<Uint8Array>()
  claims.set(id, waiting)
  reply({ id, kind: 'claim', claim })
  return waiting.promise
}

function reply(message: FromWorker, transfer: ArrayBufferLike[] = []): void {
  parentPort?.postMessage(message, transfer as ArrayBuffer[])
}
