import type { Execution, ExecutionSlot, NewExecution } from './execution.ts'

/**
 * Distributes pending executions to workers: each goes to one of them, and to another one if that worker gives it back or
 * is lost.
 */
export interface ExecutionQueue {
  /**
   * Records an execution, which starts immediately if a worker of this process has room and no execution waits. Returns it as
   * recorded. Throws as `ExecutionStore.create` does.
   */
  add(execution: Execution, options?: Omit<NewExecution, 'startFor'>): Promise<Execution>
  work(worker: {
    atOnce: number
    /**
     * Runs a claimed execution; never rejects. `again`: it has not ended and must be queued again. `taken`
     * aborts when the queue has given it to another worker.
     */
    run(execution: Execution, takenOver: AbortSignal, slot: ExecutionSlot): Promise<'ended' | 'again'>
    onError(error: unknown): void
    /** Receives the number of running executions that it has claimed, when it changes: without those that began otherwise. */
    onClaimed?(count: number): void
  }): Promise<{
    /** Runs an execution that another process has recorded as running for this one. */
    begin(execution: Execution): void
    /** Claims no more executions, and resolves when all claimed ones have ended. */
    stop(): Promise<void>
  }>
}

/**
 * Executions that start immediately in another process: recorded as running for it, and handed over without a claim. If the process ends, they are
 * recovered as those that it has claimed.
 */
export interface HandOver {
  /** Undefined if the process has no room. */
  take(execution: Pick<Execution, 'id'>):
    | {
        /** The execution is recorded as running. False if the process has ended: then the execution has to wait again. */
        begin(execution: Execution): boolean
        /** The execution waits, or is not recorded. */
        leave(): void
      }
    | undefined
  ended(executionId: string): void
  /** Notices of ends may have been lost. */
  forget(): void
}
