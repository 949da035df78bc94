/**
 * How many pixels all executions of a process may hold at once. A step waits for its share before it makes more of them;
 * the eldest execution never waits, so that somebody always gets on and gives back what it holds. As nobody waits for
 * what it holds itself, that has an end of its own.
 */
import { failure } from '../errors.ts'
import type { Picture } from '../operations/define.ts'

export interface PixelBudget {
  /** What one execution holds. `close` gives it all back. */
  open(): PixelShare
}

export interface PixelShare {
  /**
   * Waits until so many more pixels fit, or this execution is the eldest; they count from then on until the returned
   * function is called. Rejects with the signal's reason, or where it holds too many already.
   */
  reserve(pixels: number, signal: AbortSignal): Promise<() => void>
  /** Counts a picture for as long as somebody keeps it; the same picture counts once. */
  keep(picture: Picture): void
  drop(picture: Picture): void
  /**
   * Counts a picture until the returned function is called, also when all others have dropped it; but not towards what its
   * execution may hold.
   */
  lend(picture: Picture): () => void
  close(): void
}

/** `eachMax`: that one execution may have in memory. */
export function createPixelBudget(pixelsMax: number, eachMax: number): PixelBudget {
  let used = 0
  /** In the order in which they were opened. */
  const shares = new Set<PixelShare>()
  const waiting = new Set<() => void>()

  function change(pixels: number): void {
    used += pixels
    if (pixels < 0) wake()
  }
  function wake(): void {
    for (const look of waiting) look()
  }
  function fits(share: PixelShare, pixels: number): boolean {
    const [eldest] = shares
    return share === eldest || !shares.has(share) || used + pixels <= pixelsMax
  }

  function open(): PixelShare {
    const kept = new Map<Picture, { readers: number; lent: number; pixels: number }>()
    const reserved = new Set<{ pixels: number }>()
    const release = (held: { pixels: number }) => {
      if (reserved.delete(held)) change(-held.pixels)
    }
    const check = (pixels: number) => {
      const sum = [...reserved].reduce((total, held) => total + held.pixels, pixels)
      const held = [...kept].reduce((total, [picture, { readers }]) => {
        return readers > 0 ? total + pixelsInMemory(picture) : total
      }, sum)
      if (held > eachMax) {
        throw failure(
          'limit_exceeded',
          `The execution would hold ${held} pixels in memory; at most ${eachMax} are allowed. Use fewer images, or make them smaller first.`,
        )
      }
    }
    const entryOf = (picture: Picture) => {
      const known = kept.get(picture)
      if (known) return known
      const entry = { readers: 0, lent: 0, pixels: pixelsHeld(picture) }
      kept.set(picture, entry)
      change(entry.pixels)
      return entry
    }
    const settle = (picture: Picture, { readers, lent, pixels }: ReturnType<typeof entryOf>) => {
      if (readers === 0 && lent === 0 && kept.delete(picture)) change(-pixels)
    }
    const share: PixelShare = {
      async reserve(pixels, signal) {
        check(pixels)
        if (fits(share, pixels)) change(pixels)
        else await turn(share, pixels, signal)
        const held = { pixels }
        reserved.add(held)
        if (!shares.has(share)) release(held)
        return () => release(held)
      },
      keep(picture) {
        // What cannot be stopped may come after the end of its execution.
        if (shares.has(share)) entryOf(picture).readers += 1
      },
      drop(picture) {
        const known = kept.get(picture)
        if (known === undefined || known.readers === 0) return
        known.readers -= 1
        settle(picture, known)
      },
      lend(picture) {
        if (!shares.has(share)) return () => undefined
        const entry = entryOf(picture)
        entry.lent += 1
        return () => {
          entry.lent -= 1
          settle(picture, entry)
        }
      },
      close() {
        if (!shares.delete(share)) return
        for (const held of reserved) release(held)
        for (const { pixels } of kept.values()) change(-pixels)
        kept.clear()
        // Somebody else may be the eldest now.
        wake()
      },
    }
    shares.add(share)
    return share
  }

  function turn(share: PixelShare, pixels: number, signal: AbortSignal): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    const end = () => {
      waiting.delete(look)
      signal.removeEventListener('abort', onAbort)
    }
    const look = () => {
      if (!fits(share, pixels)) return
      end()
      // Counted here and not by whoever waits, so that the next one who looks sees it.
      change(pixels)
      resolve()
    }
    const onAbort = () => {
      end()
      reject(signal.reason)
    }
    waiting.add(look)
    signal.addEventListener('abort', onAbort, { once: true })
    if (signal.aborted) onAbort()
    return promise
  }

  return { open }
}

/** Of what is only known by its bytes, nothing is in memory yet. */
function pixelsInMemory(picture: Picture): number {
  const { pixels, pending, animation } = picture
  return pixels || pending || animation?.frames ? pixelsOf(picture) : 0
}

/** With those of the picture that it is still to be made of. */
function pixelsHeld(picture: Picture): number {
  return pixelsOf(picture) + (picture.pending ? pixelsHeld(picture.pending.from) : 0)
}

export function pixelsOf({ width, height, animation }: Picture): number {
  return width * height * (animation?.delaysMs.length ?? 1)
}
