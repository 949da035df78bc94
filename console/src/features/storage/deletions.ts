/** Deletion with undo: marked images are hidden immediately, and deleted after a delay or when the page is left. */

export interface Deletions {
  /** Marked images that are not deleted yet. A new set after each change. */
  pending(): ReadonlySet<string>
  mark(ids: readonly string[]): void
  undo(ids: readonly string[]): void
  /** Whether one of the images can be restored. */
  canUndo(ids: readonly string[]): boolean
  /** Deletes all marked images immediately. */
  flush(): void
  subscribe(listener: () => void): () => void
}

type Delete = (id: string) => Promise<void>

/** Long enough to read the notice and to reach its button, also with a keyboard or a screen reader (WCAG 2.2, 2.2.1). */
export const undoMs = 60_000

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
    setMarked(marked)
    const results = await Promise.allSettled(ids.map(remove))
    // Images that could not be deleted are shown again.
    const failed = results.flatMap((result, index) =>
      result.status === 'rejected' ? [{ id: ids[index] ?? '', error: result.reason }] : [],
    )
    onDone(failed)
    setMarked([...marked].filter((id) => !failed.some((failure) => failure.id === id)))
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
    canUndo: (ids) => ids.some((id) => timers.has(id)),
    flush: () => void deleteNow([...timers.keys()]),
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}
