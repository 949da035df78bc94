/** Ranges of days in UTC, as in the API. */

const dayMs = 86_400_000

export const ranges = [
  { id: '7', label: '7 days' },
  { id: '30', label: '30 days' },
  { id: '90', label: '90 days' },
] as const
export type Range = (typeof ranges)[number]['id']

export function isRange(value: unknown): value is Range {
  return ranges.some(({ id }) => id === value)
}

/** The last days, including today. */
export function daysOf(range: Range, now: Date): { from: string; to: string } {
  const first = new Date(now.getTime() - (Number(range) - 1) * dayMs)
  return { from: dayOf(first), to: dayOf(now) }
}

function dayOf(at: Date): string {
  return at.toISOString().slice(0, 10)
}

/** `21 Nov`. */
export function dayText(day: string): string {
  return new Date(`${day}T00:00:00Z`).toLocaleDateString('en-GB', { day: 'numeric', month: 'short', timeZone: 'UTC' })
}

/** Each day of the range with its cost; zero for days without calls. */
export function everyDay(
  days: readonly { day: string; costUsd: number }[],
  { from, to }: { from: string; to: string },
) {
  const sums = new Map(days.map(({ day, costUsd }) => [day, costUsd]))
  const all: { day: string; costUsd: number }[] = []
  for (let at = Date.parse(from); at <= Date.parse(to); at += dayMs) {
    const day = dayOf(new Date(at))
    all.push({ day, costUsd: sums.get(day) ?? 0 })
  }
  return all
}
