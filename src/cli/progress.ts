import { counted } from '../../shared/text.ts'
import { elapsedSince, monotonicMs } from '../domain/clock.ts'
import type { OnProgress } from './cli-services.ts'

const betweenMs = 200

/** A progress line on standard error, if that is a terminal. */
export function startProgress(verb: string): { add: OnProgress; end(): void } {
  const sum = { rows: 0, blobs: 0, bytes: 0 }
  let printedAt: number | undefined
  return {
    add({ rows = 0, blobs = 0, bytes = 0 }) {
      sum.rows += rows
      sum.blobs += blobs
      sum.bytes += bytes
      if (!process.stderr.isTTY || (printedAt !== undefined && elapsedSince(printedAt) < betweenMs)) return
      printedAt = monotonicMs()
      const megabytes = (sum.bytes / 1e6).toFixed(1)
      process.stderr.write(
        `\r${verb} ${counted(sum.rows, 'row')}, ${counted(sum.blobs, 'blob')}, ${megabytes} MB\u001b[K`,
      )
    },
    end() {
      if (printedAt !== undefined) process.stderr.write('\r\u001b[K')
    },
  }
}
