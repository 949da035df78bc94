/** Bytes whose row is gone, and that are to go: noted in the transaction that took the row away. */

export interface BlobRemoval {
  key: string
  requestedAt: number
}

export interface BlobRemovalStore {
  /** The oldest first. */
  list(limit: number): Promise<BlobRemoval[]>
  /** Forgets a note, once the bytes are gone. */
  done(key: string): Promise<void>
}

/** Work that comes round, and that one process is enough for. */
export interface ChoreStore {
  /** True for one of any number of callers at once, and then for nobody until `everyMs` have gone by. */
  begin(name: string, now: number, everyMs: number): Promise<boolean>
  /** When the oldest account was made; undefined where there is none. */
  recordsSince(): Promise<number | undefined>
}
