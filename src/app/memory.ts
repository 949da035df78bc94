/**
 * Memory of a process that works with images. Decision 0013 has the measurements.
 *
 * V8 counts the pixels in buffers towards the limit of its heap. The heap itself is small, so V8 would collect all of it for almost
 * every execution, at up to 50 ms of CPU each. `configureHeap` lets it grow fourfold between collections. But in a container of
 * 2 GiB, fourfold is too much: the pixels of finished steps would stay in memory next to those of the next. `createCollector`
 * therefore collects once the released pixels reach a part of the memory, and at most 256 MiB: on a large machine V8's own limit is gigabytes.
 */
import { getHeapStatistics, setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { memoryBytes } from '../config/config.ts'
import { limits } from '../limits.ts'

export function configureHeap(): void {
  setFlagsFromString('--heap-growing-percent=300')
  // Without this, V8 13 collects after each 64 MB of buffers, whatever the other flag says.
  setFlagsFromString('--external-memory-accounted-in-global-limit')
}

/**
 * Returns a function that counts released bytes. It collects garbage when they reach their part of `memory`, or their limit, and `heldBytes` is as
 * much: the pixels of most photos are never in a buffer, because one call of sharp decodes, changes and encodes them.
 */
export function createCollector(
  memory = memoryBytes,
  heldBytes = externalBytes,
  collect = collectGarbage,
  later: (work: () => void) => void = afterRelease,
): (bytes: number) => void {
  const bytesMax = Math.min(memory * limits.releasedMemoryPart, limits.releasedBytesMax)
  let released = 0
  let isPlanned = false
  return (bytes) => {
    released += bytes
    if (released < bytesMax || isPlanned || heldBytes() < bytesMax) return
    isPlanned = true
    later(() => {
      isPlanned = false
      released = 0
      collect()
    })
  }
}

/** An image is released shortly before its last reference is dropped: a failed execution still has its results until it has ended. */
function afterRelease(work: () => void): void {
  setTimeout(work, 100).unref()
}

/** Memory of all buffers, live or not. */
function externalBytes(): number {
  return getHeapStatistics().external_memory
}

let gc: (() => void) | undefined

/** V8 has no API for this. A new context gets `gc` once the flag is set. */
function collectGarbage(): void {
  if (gc === undefined) {
    setFlagsFromString('--expose-gc')
    gc = runInNewContext('gc') as () => void
  }
  gc()
}
