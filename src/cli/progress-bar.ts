const cells = 30

export interface ProgressBar {
  /** `text`: after the bar. */
  show(done: number, total: number, text: string): void
  end(): void
}

/** A progress bar on standard error, if that is a terminal. */
export function startBar(): ProgressBar {
  let shown = ''
  return {
    show(done, total, text) {
      if (!process.stderr.isTTY) return
      const full = total === 0 ? 0 : Math.floor((cells * done) / total)
      const bar = `${'#'.repeat(full)}${'-'.repeat(cells - full)}`
      const room = Math.max(0, (process.stderr.columns ?? 80) - cells - 4)
      const line = `[${bar}] ${text.slice(0, room)}`
      if (line !== shown) process.stderr.write(`\r${line}\u001b[K`)
      shown = line
    },
    end() {
      if (shown !== '') process.stderr.write('\r\u001b[K')
    },
  }
}
