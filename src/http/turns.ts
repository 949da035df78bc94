/**
 * Turns of work that can take some milliseconds of the main thread: to read and serialize a response or one piece of a long response, to parse a large
 * body. One account can request many at the same time. So only a few milliseconds of it are done in each turn of the event loop, accounts alternate, and
 * after a long piece others have as much time. The data of a read arrives in a later turn of the event loop, so few reads are open at the same time.
 */

import { elapsedSince, monotonicMs, processorMs } from '../domain/clock.ts'

export interface Turns {
  wait(accountId: string): Promise<void>
  /** Waits for a turn, then reads from the database. `bytesOf`: the length of what was read, if it is known. */
  read<Value>(
    accountId: string,
    work: () => Promise<Value>,
    bytesOf: (value: Value) => number | undefined,
  ): Promise<Value>
  /** Returns the same pieces, and waits for a turn before it reads each of them. */
  of(
    accountId: string,
    pieces: AsyncIterable<Uint8Array>,
    source: 'database' | 'files',
  ): AsyncGenerator<Uint8Array, void>
}

/** CPU time, after which no more begins in a turn of the event loop. */
const turnMs = 5
const pauseMsMax = 100

/** Of the connections of the database, for reads of all accounts that are open. The others are left to executions. */
const readsShare = 0.6
/** With more connections: their data can arrive in one turn of the event loop. */
const readsMost = 6
/** Open reads of accounts whose responses can have more than `longBytes`: each occupies the event loop for some milliseconds when its data arrives. */
const longReadsMax = 2
const longBytes = 65_536
/** After as many shorter responses, one after the other, an account is expected to read no longer ones. */
const shortReadsMin = 8
/** A read that takes longer waits for something else, such as a search that other accounts do as well. It is not counted from then on. */
const countedMs = 100

interface Work {
  isRead: boolean
  start(): void
}

interface Account {
  waiting: Work[]
  openReads: number
  /** Responses of at most `longBytes` since the last longer one. */
  shortReads: number
}

interface Read {
  accountId: string
  account: Account
  /** Whether `longReads` counts it. */
  isLong: boolean
  startMs: number
}

/** `connectionsMax`: of this process to the database. */
export function createTurns(connectionsMax: number): Turns {
  const readsMax = Math.min(readsMost, Math.max(1, Math.floor(connectionsMax * readsShare)))
  /** Accounts with work that waits, or with open reads. The account whose turn is next is first. */
  const accounts = new Map<string, Account>()
  let isRunning = false
  const reads = new Set<Read>()
  let longReads = 0
  let lateTimer: NodeJS.Timeout | undefined

  function run(): void {
    if (!isRunning) setImmediate(next)
    isRunning = true
  }

  function next(): void {
    const startMs = processorMs()
    startOne()

    function startOne(): void {
      const work = take()
      isRunning = work !== undefined
      if (work === undefined) return
      work.start()
      // Node runs callbacks of promises before those of `nextTick`. So the work is done by then, until it waits for input or output.
      queueMicrotask(() => process.nextTick(goOn))
    }

    function goOn(): void {
      const spentMs = processorMs() - startMs
      if (spentMs < turnMs) startOne()
      else if (spentMs < 2 * turnMs) setImmediate(next)
      else setTimeout(next, Math.min(spentMs, pauseMsMax))
    }
  }

  function take(): Work | undefined {
    let isBlocked = false
    for (const [id, account] of accounts) {
      const mayStart = mayRead(account)
      const index = mayStart ? 0 : account.waiting.findIndex(({ isRead }) => !isRead)
      isBlocked ||= !mayStart && account.waiting.length > 0
      const [work] = index < 0 ? [] : account.waiting.splice(index, 1)
      if (work === undefined) continue
      accounts.delete(id)
      if (account.waiting.length + account.openReads > 0 || work.isRead) accounts.set(id, account)
      return work
    }
    if (isBlocked) closeLateSoon()
    return undefined
  }

  /** The first read of an account does not wait for those of others. */
  function mayRead(account: Account): boolean {
    if (account.openReads === 0) return true
    return reads.size < readsMax && (!isLong(account) || longReads < longReadsMax)
  }

  function isLong({ shortReads }: Account): boolean {
    return shortReads < shortReadsMin
  }

  function enter(accountId: string, work: (account: Account) => Work): void {
    const account = accounts.get(accountId) ?? { waiting: [], openReads: 0, shortReads: 0 }
    accounts.set(accountId, account)
    account.waiting.push(work(account))
    run()
  }

  function startRead(accountId: string): Promise<Read> {
    return new Promise((resolve) => {
      enter(accountId, (account) => ({ isRead: true, start: () => resolve(open(accountId, account)) }))
    })
  }

  function open(accountId: string, account: Account): Read {
    const read = { accountId, account, isLong: isLong(account), startMs: monotonicMs() }
    reads.add(read)
    account.openReads += 1
    if (read.isLong) longReads += 1
    return read
  }

  function close(read: Read): void {
    if (!reads.delete(read)) return
    const { accountId, account } = read
    account.openReads -= 1
    if (read.isLong) longReads -= 1
    if (account.waiting.length + account.openReads === 0) accounts.delete(accountId)
    if (accounts.size > 0) run()
  }

  /** Sets a timer for the end of `countedMs` of the oldest read. */
  function closeLateSoon(): void {
    const [oldest] = reads
    if (lateTimer !== undefined || oldest === undefined) return
    // The clock of a timer has whole milliseconds.
    lateTimer = setTimeout(closeLate, countedMs - elapsedSince(oldest.startMs) + 1)
  }

  function closeLate(): void {
    lateTimer = undefined
    for (const read of reads) if (elapsedSince(read.startMs) >= countedMs) close(read)
    run()
  }

  async function read<Value>(
    accountId: string,
    work: () => Promise<Value>,
    bytesOf: (value: Value) => number | undefined,
  ): Promise<Value> {
    const read = await startRead(accountId)
    try {
      const value = await work()
      const bytes = bytesOf(value)
      if (bytes !== undefined) read.account.shortReads = bytes > longBytes ? 0 : read.account.shortReads + 1
      return value
    } finally {
      close(read)
    }
  }

  function wait(accountId: string): Promise<void> {
    return new Promise((resolve) => enter(accountId, () => ({ isRead: false, start: resolve })))
  }

  return {
    wait,
    read,
    async *of(accountId, pieces, source) {
      const iterator = pieces[Symbol.asyncIterator]()
      const next = () => iterator.next()
      const nextInTurn =
        source === 'files' ? () => wait(accountId).then(next) : () => read(accountId, next, bytesOfPiece)
      try {
        for (;;) {
          const piece = await nextInTurn()
          if (piece.done) return
          yield piece.value
        }
      } finally {
        await iterator.return?.()
      }
    },
  }
}

/** All pieces but the last are long. */
function bytesOfPiece({ value }: IteratorResult<Uint8Array>): number | undefined {
  return value && value.byteLength > longBytes ? value.byteLength : undefined
}
