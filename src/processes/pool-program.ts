/** The part that all programs of process pools have: see process-pool.ts. */
import { writeFileSync, writeSync } from 'node:fs'
import { flushCompileCache } from 'node:module'
import { Worker } from 'node:worker_threads'
import { type FailureReason, Fault } from '../errors.ts'

/** The pipe for the data of results. */
export const dataDescriptor = 4

export type Reply<Result, Question> =
  /** `dataBytes`: the property `data` of the result follows in its pipe. */
  | { result: Result; dataBytes?: number }
  | { fault: { reason: FailureReason; message: string; cause?: string } }
  /** A defect, with its stack. */
  | { error: string }
  | { question: Question; id: number }

export type Message<Job> = { job: Job } | { answer: unknown; id: number }

/** Asks the process that sent the job. */
export type Ask<Question> = (question: Question) => Promise<unknown>

/**
 * Does the jobs of this process, one at a time. `work` rejects with a fault if the input is refused. Bytes in the property `data` of a
 * result, such as pixels, aren't copied into a message. The process is killed if a job takes
 * too long or too much memory, and ends when its parent process is gone.
 */
export function serveJobs<Job, Result extends object, Question = never>(
  work: (job: Job, ask: Ask<Question>) => Promise<Result>,
): void {
  try {
    // If memory runs out, the system kills this process first, not the service.
    writeFileSync('/proc/self/oom_score_adj', '1000')
  } catch {
    // Not Linux.
  }
  // A job can keep the main thread busy when the parent process ends.
  new Worker(`setInterval(() => process.ppid === ${process.ppid} || process.kill(process.pid, 'SIGKILL'), 1_000)`, {
    eval: true,
  }).unref()

  const waiting = new Map<number, (answer: unknown) => void>()
  let questions = 0
  let isFirst = true
  const send = (reply: Reply<Result, Question>) => process.send?.(reply)
  async function respond(reply: Reply<Result, Question>): Promise<void> {
    const { data, ...result } = ('result' in reply ? reply.result : {}) as { data?: Uint8Array }
    if (data === undefined) {
      send(reply)
      return
    }
    // The parent reads the pipe when it has the message.
    await new Promise((sent) => process.send?.({ result, dataBytes: data.length }, undefined, undefined, sent))
    for (let at = 0; at < data.length; ) at += writeSync(dataDescriptor, data, at)
  }
  const ask: Ask<Question> = (question) => {
    const { promise, resolve } = Promise.withResolvers<unknown>()
    const id = questions++
    waiting.set(id, resolve)
    send({ question, id })
    return promise
  }
  process.on('message', async (message: Message<Job>) => {
    if ('answer' in message) {
      waiting.get(message.id)?.(message.answer)
      waiting.delete(message.id)
      return
    }
    await respond(await work(message.job, ask).then((result) => ({ result }), replyOf))
    // The process is killed at its end, and wouldn't write it.
    if (isFirst) flushCompileCache()
    isFirst = false
  })
  process.on('disconnect', () => process.kill(process.pid, 'SIGKILL'))
}

function replyOf(error: unknown): Reply<never, never> {
  if (error instanceof Fault && error.details.reason !== undefined)
    return {
      fault: {
        reason: error.details.reason,
        message: error.message,
        ...(error.cause !== undefined && { cause: String(error.cause) }),
      },
    }
  return { error: error instanceof Error ? (error.stack ?? error.message) : String(error) }
}
