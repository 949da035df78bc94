/**
 * The pace at which bodies are read. Node reads all that has arrived on each connection in one turn of the event loop, so a burst of large bodies
 * would occupy it.
 */
import type { IncomingMessage } from 'node:http'

export interface Pace {
  /** Pauses this request after a chunk if enough was read in this turn. For bodies that are read by `data` events. */
  follow(raw: IncomingMessage): void
}

/** Of all connections. */
const turnBytesMax = 524_288
/** As much as Node reads of a connection before a pause takes effect. */
const connectionBytes = 131_072

export function createPace(): Pace {
  const followed = new WeakSet<IncomingMessage>()
  const paused = new Set<IncomingMessage>()
  let turnBytes = 0
  let isCounting = false

  function next(): void {
    turnBytes = 0
    isCounting = paused.size > 0
    if (!isCounting) return
    setImmediate(next)
    for (const raw of [...paused].slice(0, turnBytesMax / connectionBytes)) {
      paused.delete(raw)
      raw.resume()
    }
  }

  return {
    follow(raw) {
      if (followed.has(raw)) return
      followed.add(raw)
      raw.on('data', (chunk: Buffer) => {
        turnBytes += chunk.length
        if (!isCounting) setImmediate(next)
        isCounting = true
        if (turnBytes <= turnBytesMax && paused.size === 0) return
        raw.pause()
        paused.add(raw)
      })
      raw.once('close', () => paused.delete(raw))
    },
  }
}
