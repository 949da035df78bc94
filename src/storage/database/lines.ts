/** Work that waits, in one line for each client. Clients take turns. */

export interface Lines {
  /** Returns a function that removes it, if it hasn't been taken. */
  add(client: string | undefined, start: () => void): () => void
  /** Removes and returns the first of the client whose turn it is, among those that may start. */
  take(mayStart: (client: string | undefined) => boolean): { client: string | undefined; start(): void } | undefined
  isEmpty(): boolean
  clients(): Iterable<string | undefined>
}

export function createLines(): Lines {
  /** In the order of their turns. */
  const lines = new Map<string | undefined, Set<() => void>>()

  return {
    add(client, start) {
      const line = lines.get(client) ?? new Set()
      lines.set(client, line.add(start))
      return () => {
        line.delete(start)
        if (line.size === 0 && lines.get(client) === line) lines.delete(client)
      }
    },
    take(mayStart) {
      for (const [client, line] of lines) {
        if (!mayStart(client)) continue
        const [start] = line
        lines.delete(client)
        if (start === undefined) continue
        line.delete(start)
        if (line.size > 0) lines.set(client, line)
        return { client, start }
      }
      return undefined
    },
    isEmpty: () => lines.size === 0,
    clients: () => lines.keys(),
  }
}
