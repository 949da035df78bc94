/** Writes the steps of a running execution from time to time, for readers. */
import type { Execution, ExecutionStore, Step } from '../domain/executions/execution.ts'
import type { ExecutionNotices } from '../domain/executions/execution-notice.ts'

export interface Recorder {
  /** Notes a change. The array and its steps may change further. */
  note(steps: readonly Step[]): void
  /** The steps that differ from their last write. */
  changed(steps: readonly Step[]): Step[]
  /** No writes happen after it resolves. */
  stop(): Promise<void>
}

interface Dependencies {
  executions: Pick<ExecutionStore, 'saveSteps'>
  notices: Pick<ExecutionNotices, 'send'>
  /** Receives the errors of writes. The steps are written with the outcome then. */
  onUnwritten(error: unknown): void
}

/** Steps are written at most every quarter of a second while they change, so that short executions write them once. */
const recordEveryMs = 250

export function createRecorder(
  { id, attempt }: Pick<Execution, 'id' | 'attempt'>,
  { executions, notices, onUnwritten }: Dependencies,
  onLeaseLost: () => void,
): Recorder {
  let timer: NodeJS.Timeout | undefined
  let writing: Promise<void> = Promise.resolve()
  /** Each step as JSON, by node. */
  let written = new Map<string, string>()

  function changed(steps: readonly Step[]): Step[] {
    return steps.filter((step) => written.get(step.node) !== JSON.stringify(step))
  }

  async function write(current: readonly Step[]): Promise<void> {
    // The steps change while the write waits for the database, and the record must agree with the events.
    const steps = current.map((step) => ({ ...step }))
    const texts = new Map(steps.map((step) => [step.node, JSON.stringify(step)]))
    try {
      if (!(await executions.saveSteps(id, attempt, steps, changed(steps)))) return onLeaseLost()
      written = texts
      notices.send({ kind: 'changed', executionId: id })
    } catch (error) {
      onUnwritten(error)
    }
  }

  return {
    note(steps) {
      timer ??= setTimeout(() => {
        timer = undefined
        // One at a time: writes that overtake each other would store older steps, and events out of order.
        writing = writing.then(() => write(steps))
      }, recordEveryMs)
    },
    changed,
    async stop() {
      clearTimeout(timer)
      await writing
    },
  }
}
