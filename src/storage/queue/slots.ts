/**
 * How many executions a worker runs at the same time. One that waits for an AI model leaves its slot to another meanwhile.
 * A worker with several slots has a spare one: executions of an account that has none in a slot may take it when the others are
 * full. So an account that fills the slots with long executions doesn't keep others waiting, and no slot stays empty for that.
 * Executions that only wait for a download count as full slots for their own accounts only.
 */
import type { ExecutionSlot } from '../../domain/executions/execution.ts'

export interface Slots {
  /** Undefined if nothing may begin; else the accounts that may not begin another. */
  room(): { except: readonly string[] } | undefined
  /** The number that have started and not ended, and how many of them are away. */
  counts(): { started: number; away: number }
  begin(accountId: string): Slot
  /**
   * Begins an execution that another process has handed over, which knows the number of running ones a moment later. Without room it waits, before
   * those that have not started. Otherwise it would take the spare slot from other accounts.
   */
  enter(accountId: string): Promise<Slot>
  /** Keeps a slot for an execution that is being claimed. */
  reserve(): { begin(accountId: string): Slot; release(): void }
}

export interface Slot {
  yieldSlot: ExecutionSlot['yieldSlot']
  whileDownloading: ExecutionSlot['whileDownloading']
  end(): void
}

interface Options {
  atOnce: number
  /** Most that are away at the same time: beyond that they wait in their slots. Also the most that start next to downloads. */
  parkedMax: number
  /** There may be room now. */
  onRoom(): void
}

interface Returning {
  accountId: string
  arrive(): void
}

export function createSlots({ atOnce, parkedMax, onRoom }: Options): Slots {
  const slotsMax = atOnce > 1 ? atOnce + 1 : atOnce
  /** How many are in a slot, by account; no entry for 0. */
  const present = new Map<string, number>()
  let presentInAll = 0
  let away = 0
  /** Executions in a slot that wait for a download. */
  const downloading = new Set<Returning>()
  /** They have priority over executions that have not started. */
  const returning: Returning[] = []

  function count(accountId: string, change: 1 | -1): void {
    presentInAll += change
    const number = (present.get(accountId) ?? 0) + change
    if (number === 0) present.delete(accountId)
    else present.set(accountId, number)
  }

  /** Whether an account that has none in a slot may start one. */
  const isOpenToOthers = () => presentInAll - downloading.size < slotsMax && presentInAll < slotsMax + parkedMax
  const mayEnter = (accountId: string) => presentInAll < atOnce || (isOpenToOthers() && !present.has(accountId))

  function left(accountId: string): void {
    count(accountId, -1)
    makeRoom()
  }

  function makeRoom(): void {
    callBack()
    if (presentInAll < atOnce || isOpenToOthers()) onRoom()
  }

  function callBack(): void {
    for (let next = nextReturning(); next !== undefined; next = nextReturning()) {
      returning.splice(returning.indexOf(next), 1)
      count(next.accountId, 1)
      away -= 1
      next.arrive()
    }
  }

  /** The first of those whose account has the fewest in slots. */
  function nextReturning(): Returning | undefined {
    let least: Returning | undefined
    for (const candidate of returning) {
      if (!mayEnter(candidate.accountId)) continue
      if (least === undefined || (present.get(candidate.accountId) ?? 0) < (present.get(least.accountId) ?? 0))
        least = candidate
    }
    return least
  }

  function begin(accountId: string): Slot {
    count(accountId, 1)
    return newSlot(accountId).slot
  }

  async function enter(accountId: string): Promise<Slot> {
    if (mayEnter(accountId)) return begin(accountId)
    const { slot, comeBack } = newSlot(accountId, true)
    await comeBack()
    return slot
  }

  function newSlot(accountId: string, isAway = false): { slot: Slot; comeBack(): Promise<void> } {
    /** How many things it waits for at the same time. */
    let waits = 0
    let downloads = 0
    let isParked = isAway
    /** Work may outlive the execution: aborted work can take a while. */
    let hasEnded = false
    let coming: PromiseWithResolvers<void> | undefined
    const countDownloading = () => {
      if (downloads > 0 && !isParked && !hasEnded) downloading.add(waiter)
      else downloading.delete(waiter)
    }
    const waiter: Returning = {
      accountId,
      arrive() {
        isParked = false
        countDownloading()
        coming?.resolve()
        coming = undefined
      },
    }
    if (isAway) away += 1
    function comeBack(): Promise<void> {
      coming = Promise.withResolvers()
      returning.push(waiter)
      const arrived = coming.promise
      callBack()
      return arrived
    }
    const slot: Slot = {
      async yieldSlot(work) {
        waits += 1
        if (!isParked && !hasEnded && away < parkedMax) {
          isParked = true
          countDownloading()
          away += 1
          left(accountId)
        }
        try {
          return await work()
        } finally {
          waits -= 1
          if (isParked && !hasEnded && waits === 0 && coming === undefined) void comeBack()
          await coming?.promise
        }
      },
      async whileDownloading(work) {
        downloads += 1
        countDownloading()
        if (downloads === 1) makeRoom()
        try {
          return await work()
        } finally {
          downloads -= 1
          countDownloading()
        }
      },
      end() {
        if (hasEnded) return
        hasEnded = true
        countDownloading()
        if (!isParked) return left(accountId)
        away -= 1
        if (coming) returning.splice(returning.indexOf(waiter), 1)
        coming?.resolve()
      },
    }
    return { slot, comeBack }
  }

  return {
    room() {
      if (presentInAll < atOnce) return { except: [] }
      return isOpenToOthers() ? { except: [...present.keys()] } : undefined
    },
    reserve() {
      presentInAll += 1
      return {
        begin(accountId) {
          presentInAll -= 1
          return begin(accountId)
        },
        release() {
          presentInAll -= 1
          callBack()
        },
      }
    },
    counts: () => ({ started: presentInAll + away, away }),
    begin,
    enter,
  }
}
