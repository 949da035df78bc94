/**
 * Deletion that can be taken back for a while: what is marked is out of sight at once, and deleted when nobody took it
 * back, or when the page is left.
 */

export interface Deletions {
  /** What is marked and not deleted yet; a new set whenever it changed. */
  pending(): ReadonlySet<string>
  mark(ids: readonly string[]): void
  undo(ids: readonly string[]): void
  /** Deletes what is marked, now. */
  flush(): void
  subscribe(listener: () => void): () => void
}

type Delete = (id: string) => Promise<void>

export const undoMs = 8_000

export function createDeletions(remove: Delete, onDone: (failed: { id: string; error: unknown }[]) => void): Deletions {
  const timers = new Map<string, ReturnType<typeof setTimeout>>()
  const listeners = new Set<() => void>()
  let marked: ReadonlySet<string> = new Set()

  function setMarked(ids: Iterable<string>): void {
    marked = new Set(ids)
    for (const listener of listeners) listener()
  }
  async function deleteNow(ids: readonly string[]): Promise<void> {
    for (const id of ids) {
      clearTimeout(timers.get(id))
      timers.delete(id)
    }
    const results = await Promise.allSettled(ids.map(remove))
    // What could not be deleted is in sight again.
    const failed = results.flatMap((each, index) =>
      each.status === 'rejected' ? [{ id: ids[index] ?? '', error: each.reason }] : [],
    )
    onDone(failed)
    setMarked([...marked].filter((id) => !failed.some((each) => each.id === id)))
  }
  return {
    pending: () => marked,
    mark(ids) {
      const timer = setTimeout(() => void deleteNow(ids.filter((id) => timers.get(id) === timer)), undoMs)
      for (const id of ids) timers.set(id, timer)
      setMarked([...marked, ...ids])
    },
    undo(ids) {
      const open = ids.filter((id) => timers.has(id))
      for (const id of open) timers.delete(id)
      setMarked([...marked].filter((id) => !open.includes(id)))
    },
    flush: () => void deleteNow([...timers.keys()]),
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}
