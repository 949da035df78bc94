/** Formats numbers and times. */

const steps = [
  ['second', 60],
  ['minute', 60],
  ['hour', 24],
  ['day', 7],
  ['week', 4.35],
  ['month', 12],
] as const

const ago = new Intl.RelativeTimeFormat('en', { numeric: 'auto', style: 'short' })

/** For example `just now`, `5 min. ago`, `last wk.`, relative to `now`. */
export function timeAgo(at: string, now: number): string {
  let amount = (now - Date.parse(at)) / 1000
  if (!Number.isFinite(amount)) return ''
  if (amount < 10) return 'just now'
  for (const [unit, size] of steps) {
    if (amount < size) return ago.format(-Math.floor(amount), unit)
    amount /= size
  }
  return ago.format(-Math.floor(amount), 'year')
}

const moment = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'medium' })

/** For example `21 Nov 2026, 23:05:12`, in the time zone of the browser. */
export function fullTime(at: string): string {
  const time = Date.parse(at)
  return Number.isFinite(time) ? moment.format(time) : ''
}

/** Formats milliseconds: `4.2 ms`, `380 ms`, `2.41 s`, `3 min 5 s`, `2 h 4 min`. */
export function duration(milliseconds: number): string {
  if (milliseconds < 10) return `${Number(milliseconds.toFixed(1))} ms`
  if (milliseconds < 999.5) return `${Math.round(milliseconds)} ms`
  if (milliseconds < 59_995) return `${Number((milliseconds / 1000).toFixed(2))} s`
  const seconds = Math.round(milliseconds / 1000)
  if (seconds < 3600) return `${Math.floor(seconds / 60)} min ${seconds % 60} s`
  return `${Math.floor(seconds / 3600)} h ${Math.floor((seconds % 3600) / 60)} min`
}

/** US dollars: `$0.04`, `$0.0013`, `$12.50`. */
export function dollars(usd: number): string {
  if (usd === 0) return '$0'
  return usd < 0.01 ? `$${Number(usd.toPrecision(2))}` : `$${usd.toFixed(2)}`
}

/** For example `812 B`, `48 kB`, `2.4 MB`: with decimal prefixes. */
export function byteSize(bytes: number): string {
  if (bytes < 1000) return `${bytes} B`
  if (bytes < 1e6) return `${Math.round(bytes / 1000)} kB`
  return bytes < 1e9 ? `${Number((bytes / 1e6).toFixed(1))} MB` : `${Number((bytes / 1e9).toFixed(2))} GB`
}

/** `1 node`, `3 nodes`. */
export function counted(count: number, one: string, many = `${one}s`): string {
  return `${count} ${count === 1 ? one : many}`
}
