/**
 * The queue of executions: their rows are its entries, and a worker claims the next one when it has room. With PostgreSQL several
 * processes do so at the same time; their leases show which executions were lost with their process.
 */
import { setTimeout as pause } from 'node:timers/promises'
import { QuotaReached } from '../../domain/accounts/quota.ts'
import { AlreadyExists } from '../../domain/already-exists.ts'
import { BatchItemTaken } from '../../domain/batches/batch-item.ts'
import type { Clock } from '../../domain/clock.ts'
import { DerivedFileTaken } from '../../domain/delivery/derived-file.ts'
import {
  type AttemptBounds,
  type AttemptId,
  type Execution,
  type ExecutionSlot,
  type ExecutionStore,
  KeyBusy,
  TooManyWaiting,
  WorkflowGone,
} from '../../domain/executions/execution.ts'
import type { ExecutionNotices } from '../../domain/executions/execution-notice.ts'
import type { ExecutionQueue, HandOver } from '../../domain/executions/execution-queue.ts'
import { IdempotencyKeyTaken } from '../../domain/idempotency.ts'
import { limits } from '../../limits.ts'
import { createEndingExecutions } from './ending-executions.ts'
import type { Leases } from './leases.ts'
import { createSlots, type Slot } from './slots.ts'

interface Dependencies {
  executions: ExecutionStore
  notices: ExecutionNotices
  clock: Clock
  /** Bounds for an execution that was tried before. */
  boundsOf(executionId: string): AttemptBounds
  /** How long an execution may stay with a worker, from its claim to its outcome. */
  secondsMax: number
  /** If several processes claim. */
  leases?: Leases
  /** If another process executes for this one. */
  handOver?: HandOver | undefined
}

/** A slot of this process for an execution that is being recorded. */
interface ClaimedSlot {
  /** The execution is recorded as running. */
  begin(execution: Execution): void
  /** The execution waits, or is not recorded. */
  leave(): void
  /** The response of the store was lost: if the execution is recorded as running, it has to wait again. */
  lose(): void
}

/** How long a service tries to give back an execution that it could not hand over. */
const loseMs = 60_000

/** Pause after the store failed. */
const retryMs = 1_000

/** How often a worker looks without a notice: for executions whose notice was lost, or that a command recorded. */
const pollMs = 1_000

/** Pauses while executions wait and none can be claimed: another process has locked their account for a moment, or it runs as many as it may. */
const backoffMsMin = 5
const backoffMsMax = 640

export function createExecutionQueue(dependencies: Dependencies): ExecutionQueue {
  const { executions, notices, clock, boundsOf, secondsMax, leases, handOver } = dependencies
  const startFor = leases ? { worker: leases.worker } : {}
  /** Takes a slot for an execution that is about to be recorded; undefined if none is free. Set while this process works. */
  let takeSlot: ((execution: Execution) => ClaimedSlot | undefined) | undefined = handOver && slotElsewhere(handOver)

  /** Ends an attempt that has no outcome: its execution waits again, or fails if it was tried too often. Tries again until the signal. */
  async function release(only: AttemptId, signal: AbortSignal, onError: (error: unknown) => void): Promise<void> {
    const { executionId } = only
    for (;;) {
      try {
        const { failed } = await executions.recover({ ...boundsOf(executionId), now: clock.now(), only })
        notices.send(failed > 0 ? { kind: 'ended', executionId } : { kind: 'enqueued' })
        return
      } catch (error) {
        onError(error)
        // The next start, or the lease, finds it.
        if (signal.aborted) return
        await pause(retryMs, undefined, { signal }).catch(() => undefined)
      }
    }
  }

  function slotElsewhere(to: HandOver): NonNullable<typeof takeSlot> {
    notices.listen((notice) => {
      if (notice.kind === 'ended') to.ended(notice.executionId)
      if (notice.kind === 'missed') to.forget()
    })
    return (execution) => {
      const slot = to.take(execution)
      if (slot === undefined) return undefined
      const lose = () => {
        slot.leave()
        void release({ executionId: execution.id, attempt: 1 }, AbortSignal.timeout(loseMs), () => undefined)
      }
      const begin = (recorded: Execution) => {
        if (!slot.begin(recorded)) lose()
      }
      return { begin, leave: slot.leave, lose }
    }
  }

  return {
    async add(execution, options) {
      const slot = takeSlot?.(execution)
      const recorded = await executions.create(execution, { ...options, ...(slot && { startFor }) }).catch((error) => {
        if (isNothingWritten(error)) slot?.leave()
        else slot?.lose()
        throw error
      })
      if (recorded.status === 'running') slot?.begin(recorded)
      else {
        slot?.leave()
        notices.send({ kind: 'enqueued', accountId: execution.accountId })
      }
      return recorded
    },

    async work({ atOnce, run, onError, onClaimed }) {
      /** Work by attempt. */
      const running = new Map<string, Promise<void>>()
      /** Executions that are being recorded for a slot of this process, or wait for one, by id. Resolves when that is decided. */
      const starting = new Map<string, Promise<void>>()
      const slots = createSlots({ atOnce, parkedMax: limits.executionsParkedMax, onRoom: () => take() })
      const stopping = new AbortController()
      let claiming: Promise<void> | undefined
      /** A notice has come since the claim in progress looked at the accounts that wait. */
      let hasNews = false
      const waiting = createWaitingAccounts()
      const giveBack = (attempt: AttemptId) => release(attempt, stopping.signal, onError)
      let claimed = 0
      let backoffMs = backoffMsMin
      let nextLook: NodeJS.Timeout | undefined
      const ending = createEndingExecutions({ executionsMax: atOnce, bytesMax: limits.unstoredBytesMax })

      function take(): void {
        if (claiming !== undefined) return
        hasNews = false
        claiming = claimSome().finally(() => {
          claiming = undefined
          if (hasNews) take()
        })
      }

      async function claimSome(): Promise<void> {
        try {
          for (let room = slots.room(); room !== undefined; room = slots.room()) {
            hasNews = false
            if (stopping.signal.aborted || !waiting.mayHaveOther(room.except)) return
            const checked = waiting.removeOther(room.except)
            const execution = await claimOne(room.except)
            const mayWait = await othersWait(room.except, execution)
            if (mayWait) waiting.add(checked)
            if (!mayWait || execution !== undefined) continue
            lookIn(backoffMs)
            backoffMs = Math.min(backoffMs * 2, backoffMsMax)
            return
          }
        } catch (error) {
          onError(error)
          lookIn(retryMs)
        }
      }

      async function claimOne(except: readonly string[]): Promise<Execution | undefined> {
        const reserved = slots.reserve()
        let execution: Execution | undefined
        try {
          execution = await executions.claimNext(clock.now(), { ...startFor, except })
        } finally {
          if (execution === undefined) reserved.release()
          else {
            countClaimed(1)
            begin(execution, reserved.begin(execution.accountId), () => countClaimed(-1))
          }
        }
        return execution
      }

      function lookIn(ms: number): void {
        clearTimeout(nextLook)
        nextLook = setTimeout(look, ms).unref()
      }

      /** Whether more may wait after this claim. Counts them only if there is room for all. */
      async function othersWait(except: readonly string[], found: Execution | undefined): Promise<boolean> {
        if (found === undefined && except.length > 0) return false
        if (found !== undefined && slots.room()?.except.length !== 0) return true
        return (await executions.countPending()) > 0
      }

      function look(): void {
        waiting.add(anyAccount)
        take()
      }

      /**
       * Looks for executions whose notice was lost. Usually none waits, and one small statement counts them. A claim
       * needs two more.
       */
      async function poll(): Promise<void> {
        try {
          if ((await executions.countPending()) > 0) look()
        } catch (error) {
          onError(error)
        }
      }

      takeSlot = (execution) => {
        // A claim in progress may need the room.
        if (claiming !== undefined || stopping.signal.aborted) return undefined
        const room = slots.room()
        if (room === undefined || room.except.includes(execution.accountId)) return undefined
        const slot = slots.begin(execution.accountId)
        const { promise, resolve } = Promise.withResolvers<void>()
        starting.set(execution.id, promise)
        const decided = () => {
          starting.delete(execution.id)
          resolve()
        }
        return {
          begin(recorded) {
            begin(recorded, slot)
            decided()
          },
          leave() {
            decided()
            slot.end()
          },
          lose() {
            this.leave()
            void giveBack({ executionId: execution.id, attempt: 1 })
          },
        }
      }

      function countClaimed(change: 1 | -1): void {
        claimed += change
        onClaimed?.(claimed)
      }

      function begin(execution: Execution, slot: Slot, onEnd?: () => void): void {
        backoffMs = backoffMsMin
        const attempt = { executionId: execution.id, attempt: execution.attempt }
        let freeRoom: (() => void) | undefined
        function end(left: 'storing' | 'recording', bytes: number): void {
          // With several processes the claim has another connection, and counts this execution as running.
          if (left === 'recording' && leases !== undefined) return
          freeRoom ??= ending.enter(bytes, slot.end)
        }
        const done = runOne(execution, attempt, { ...slot, end }).finally(() => {
          freeRoom?.()
          running.delete(keyOf(attempt))
          slot.end()
          onEnd?.()
          take()
        })
        running.set(keyOf(attempt), done)
      }

      async function runOne(execution: Execution, attempt: AttemptId, slot: ExecutionSlot): Promise<void> {
        const takenOver = new AbortController()
        const timer = setTimeout(() => {
          takenOver.abort()
          void giveBack(attempt)
        }, secondsMax * 1000)
        const outcome = await run(execution, takenOver.signal, slot)
        clearTimeout(timer)
        if (outcome === 'again') await giveBack(attempt)
      }

      /** Gives back the executions of lost processes, and executions that this process has claimed without receiving the response. */
      let unknown: ReadonlySet<string> = new Set()
      async function renewLease(): Promise<void> {
        if (leases === undefined) return
        const couldClaim = claiming !== undefined
        const { claimed: own, lost } = await leases.renew()
        const notHere = own.filter((attempt) => !running.has(keyOf(attempt)) && !starting.has(attempt.executionId))
        // One that was just handed over is on its way.
        if (!couldClaim && claiming === undefined)
          lost.push(...notHere.filter((attempt) => unknown.has(keyOf(attempt))))
        unknown = new Set(notHere.map(keyOf))
        for (const attempt of lost) await giveBack(attempt)
      }

      const stopListening = notices.listen((notice) => {
        if (notice.kind === 'missed') look()
        if (notice.kind !== 'enqueued') return
        waiting.add(notice.accountId === undefined ? anyAccount : new Set([notice.accountId]))
        hasNews = claiming !== undefined
        take()
      })
      await renewLease()
      let renewing = Promise.resolve()
      const beat = setInterval(() => {
        renewing = renewing.then(renewLease).catch(onError)
      }, pollMs)
      let polling: Promise<void> | undefined
      const pollTimer = setInterval(() => {
        polling ??= poll().finally(() => {
          polling = undefined
        })
      }, pollMs)
      look()

      return {
        begin(execution) {
          const entered = slots.enter(execution.accountId).then((slot) => begin(execution, slot))
          starting.set(
            execution.id,
            entered.finally(() => starting.delete(execution.id)),
          )
        },
        async stop() {
          stopping.abort()
          clearInterval(pollTimer)
          clearTimeout(nextLook)
          stopListening()
          await polling
          await claiming
          await Promise.all(starting.values())
          await Promise.all(running.values())
          clearInterval(beat)
          await renewing
          await leases?.end().catch(onError)
        },
      }
    },
  }
}

/** Whether the store refused the execution, rather than failed while it recorded it. */
function isNothingWritten(error: unknown): boolean {
  const refusals = [
    TooManyWaiting,
    WorkflowGone,
    AlreadyExists,
    BatchItemTaken,
    KeyBusy,
    DerivedFileTaken,
    IdempotencyKeyTaken,
    QuotaReached,
  ]
  return refusals.some((refusal) => error instanceof refusal)
}

const anyAccount = 'any'
type Accounts = ReadonlySet<string> | typeof anyAccount

/**
 * The accounts that may have executions waiting. A claim takes a write lock, so none is tried without a reason: while one account fills the slots,
 * a slot for other accounts is free all the time.
 */
function createWaitingAccounts() {
  let accounts: Accounts = new Set<string>()
  const other = (except: readonly string[]) =>
    accounts === anyAccount ? accounts : new Set([...accounts].filter((id) => !except.includes(id)))
  return {
    add(more: Accounts): void {
      accounts = accounts === anyAccount || more === anyAccount ? anyAccount : new Set([...accounts, ...more])
    },
    mayHaveOther(except: readonly string[]): boolean {
      const others = other(except)
      return others === anyAccount || others.size > 0
    },
    /** Returns the removed ones. */
    removeOther(except: readonly string[]): Accounts {
      const removed = other(except)
      accounts = new Set(except.filter((id) => accounts === anyAccount || accounts.has(id)))
      return removed
    },
  }
}

function keyOf({ executionId, attempt }: AttemptId): string {
  return `${executionId} ${attempt}`
}
