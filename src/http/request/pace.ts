/**
 * Limits how many bytes of bodies are read in one turn of the event loop. Node reads whatever has arrived on each connection, so a burst of large
 * bodies would occupy it. Accounts alternate.
 */
import type { IncomingMessage } from 'node:http'

export interface Pace {
  /**
   * Pauses this request when enough was read, and resumes it in a later turn. It starts the flow of `data` events, so it must be called in the turn in
   * which those who use the body listen to them. `accountId`: undefined for bodies of which nothing is used.
   */
  follow(raw: IncomingMessage, accountId: string | undefined): void
}

/** Bytes of all bodies in one turn. */
const turnBytesMax = 262_144
/** Bytes of one body in one turn, while others are paused. */
const bodyBytesMax = 65_536

/** Bodies of one account that are paused, with the functions that resume them. */
type Paused = Map<IncomingMessage, () => void>

export function createPace(): Pace {
  const followed = new WeakSet<IncomingMessage>()
  /** The account whose turn is next is first. */
  const accounts = new Map<string | undefined, Paused>()
  let turnBytes = 0
  let isCounting = false

  function nextTurn(): void {
    turnBytes = 0
    isCounting = accounts.size > 0
    if (!isCounting) return
    setImmediate(nextTurn)
    for (let left = turnBytesMax / bodyBytesMax; left > 0; left--) resumeOne()
  }

  function resumeOne(): void {
    const [first] = accounts
    if (first === undefined) return
    const [accountId, paused] = first
    accounts.delete(accountId)
    const [next] = paused
    if (next === undefined) return
    const [raw, resume] = next
    paused.delete(raw)
    if (paused.size > 0) accounts.set(accountId, paused)
    resume()
  }

  return {
    follow(raw, accountId) {
      if (followed.has(raw)) return
      followed.add(raw)
      let bytes = 0
      raw.on('data', (chunk: Buffer) => {
        bytes += chunk.length
        turnBytes += chunk.length
        if (!isCounting) setImmediate(nextTurn)
        isCounting = true
        if (turnBytes <= turnBytesMax && (accounts.size === 0 || bytes < bodyBytesMax)) return
        raw.pause()
        const paused: Paused = accounts.get(accountId) ?? new Map()
        accounts.set(accountId, paused)
        paused.set(raw, () => {
          bytes = 0
          raw.resume()
        })
      })
      raw.once('close', () => {
        const paused = accounts.get(accountId)
        paused?.delete(raw)
        if (paused?.size === 0) accounts.delete(accountId)
      })
    },
  }
}
