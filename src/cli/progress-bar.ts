import { counted } from '../../shared/text.ts'

const cells = 30

/** A progress bar on standard error, if that is a terminal. */
export function startBar(): {
  show(counts: { total: number; completed: number; failed: number; cancelled: number }, endsAt?: string): void
  end(): void
} {
  let isShown = false
  return {
    show({ total, completed, failed, cancelled }, endsAt) {
      if (!process.stderr.isTTY) return
      isShown = true
      const ended = completed + failed + cancelled
      const full = total === 0 ? 0 : Math.floor((cells * ended) / total)
      const failures = failed === 0 ? '' : `, ${failed} failed`
      const bar = `${'#'.repeat(full)}${'-'.repeat(cells - full)}`
      process.stderr.write(`\r[${bar}] ${ended} of ${counted(total, 'row')}${failures}${untilText(endsAt)}\u001b[K`)
    },
    end() {
      if (isShown) process.stderr.write('\r\u001b[K')
    },
  }
}

function untilText(endsAt: string | undefined): string {
  return endsAt === undefined ? '' : `, until about ${new Date(endsAt).toTimeString().slice(0, 5)}`
}
