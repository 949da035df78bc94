/** Reads the bytes of an untrusted file for the walks that precede decoding. */
import type { FileHandle } from 'node:fs/promises'
import { setImmediate } from 'node:timers/promises'
import { abortFault } from '../jobs.ts'

export interface Reader {
  /** Bytes of the file. */
  size: number
  /** The byte at a position; 0 after the end. */
  byte(at: number): Promise<number> | number
  /** Valid until the next read. Has fewer bytes at the end of the file. At most 64 KiB. */
  bytes(at: number, count: number): Promise<Buffer> | Buffer
  /** The bytes from a position that are read at the same time: for loops over millions of them. None after the end. */
  window(at: number): Promise<Buffer> | Buffer
}

/** Bytes of a file on disk that a walk has in memory. */
const fileWindowBytes = 65_536
/** Of a file in memory: up to 5 ms of CPU for the smallest parts that a file can have. */
const memoryWindowBytes = 262_144

/**
 * Reads forward through a window, so that a walk needs few system calls. Other work has a turn before each further window; then an
 * abort of the signal ends the walk.
 */
export async function createReader(file: FileHandle | Buffer, signal: AbortSignal): Promise<Reader> {
  const isBuffer = Buffer.isBuffer(file)
  const size = isBuffer ? file.length : (await file.stat()).size
  let window = isBuffer ? file.subarray(0, memoryWindowBytes) : Buffer.alloc(fileWindowBytes)
  let [start, length] = isBuffer ? [0, window.length] : [0, 0]

  async function load(at: number): Promise<void> {
    if (isBuffer) {
      await setImmediate()
      window = file.subarray(at, at + memoryWindowBytes)
      ;[start, length] = [at, window.length]
    } else {
      const { bytesRead } = await file.read(window, 0, fileWindowBytes, at)
      ;[start, length] = [at, bytesRead]
    }
    if (signal.aborted) throw abortFault(signal)
  }

  function held(at: number, count: number): Buffer {
    return window.subarray(at - start, Math.min(at - start + count, length))
  }

  const holds = (at: number, count: number) => at >= start && at + count <= start + length
  return {
    size,
    byte(at) {
      if (holds(at, 1)) return window[at - start] as number
      if (at >= size) return 0
      return load(at).then(() => (length > 0 ? (window[0] as number) : 0))
    },
    bytes(at, count) {
      const present = Math.max(0, Math.min(count, size - at))
      if (present === 0) return Buffer.alloc(0)
      if (holds(at, present)) return held(at, present)
      return load(at).then(() => held(at, present))
    },
    window(at) {
      if (holds(at, 1)) return held(at, length)
      if (at >= size) return Buffer.alloc(0)
      return load(at).then(() => held(at, length))
    },
  }
}
