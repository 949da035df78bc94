/** A cache in memory with a bound in bytes, and a smaller one for each account, so that one account can't evict all others. */
export interface BoundedCache<Value> {
  /** Counts as a use: the least recently used entries leave first. */
  get(key: string): Value | undefined
  /** Replaces an entry of the same key. A value above the share of an account isn't kept. */
  set(key: string, value: Value, size: { accountId: string; bytes: number }): void
  /** Removes an entry without `onLeave`. */
  take(key: string): Value | undefined
  /** Evicts everything. */
  clear(): void
  readonly bytes: number
}

export interface CacheBounds {
  bytesMax: number
  accountBytesMax: number
}

interface Entry<Value> {
  value: Value
  accountId: string
  bytes: number
}

/** `onLeave`: receives each value that is evicted, or that is not kept in the first place. */
export function createBoundedCache<Value>(
  { bytesMax, accountBytesMax }: CacheBounds,
  onLeave: (value: Value) => void = () => undefined,
): BoundedCache<Value> {
  /** The least recently used first. */
  const entries = new Map<string, Entry<Value>>()
  const bytesOf = new Map<string, number>()
  let bytes = 0

  function remove(key: string): Value | undefined {
    const entry = entries.get(key)
    if (entry === undefined) return undefined
    entries.delete(key)
    bytes -= entry.bytes
    const left = (bytesOf.get(entry.accountId) ?? 0) - entry.bytes
    if (left > 0) bytesOf.set(entry.accountId, left)
    else bytesOf.delete(entry.accountId)
    return entry.value
  }

  function evict(key: string): void {
    const value = remove(key)
    if (value !== undefined) onLeave(value)
  }

  return {
    get(key) {
      const entry = entries.get(key)
      if (entry === undefined) return undefined
      entries.delete(key)
      entries.set(key, entry)
      return entry.value
    },

    set(key, value, size) {
      remove(key)
      if (size.bytes > Math.min(accountBytesMax, bytesMax)) {
        onLeave(value)
        return
      }
      entries.set(key, { value, ...size })
      bytes += size.bytes
      bytesOf.set(size.accountId, (bytesOf.get(size.accountId) ?? 0) + size.bytes)
      for (const [other, { accountId }] of entries) {
        const ofAccount = bytesOf.get(size.accountId) ?? 0
        if (ofAccount <= accountBytesMax && bytes <= bytesMax) break
        if (bytes > bytesMax || accountId === size.accountId) evict(other)
      }
    },

    take: remove,
    clear() {
      for (const key of [...entries.keys()]) evict(key)
    },
    get bytes() {
      return bytes
    },
  }
}
