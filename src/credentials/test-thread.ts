/** In place of the C2PA library: the definition or the bytes of a job say what it does. */
import { parentPort } from 'node:worker_threads'
import type { FromWorker, ToWorker } from './messages.ts'

parentPort?.on('message', (message: ToWorker) => {
  const { id } = message
  const end = (problem: string, memoryBytes = 1) => reply({ id, kind: 'end', result: { problem }, memoryBytes })
  if ('cose' in message) return end(message.cose ? `signed with ${Buffer.from(message.cose)}` : 'not signed')
  const order = Buffer.from(message.job.file.bytes).toString()
  if (order === 'crash') process.exit(1)
  if (order === 'throw') throw new Error('thrown')
  if (order === 'hang') for (;;);
  if (order === 'wait') Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1_500)
  if (message.job.kind === 'sign') return reply({ id, kind: 'claim', claim: message.job.file.bytes })
  end(order, order === 'grow' ? 1_000 : 1)
})

function reply(message: FromWorker): void {
  parentPort?.postMessage(message)
}
