/** Values in messages. */

/** The first values of a list in a message. */
export function list(values: unknown): string {
  const all = Array.isArray(values) ? values : [values]
  const texts = all.slice(0, 40).map(show)
  return all.length > 40 ? `${texts.join(', ')}, ...` : texts.join(', ')
}

/** A number with its noun: 1 row, 2 rows. */
export function counted(count: number, singular: string, plural = `${singular}s`): string {
  return `${count} ${count === 1 ? singular : plural}`
}

/** A value in a message: short, on one line. */
export function show(value: unknown): string {
  const text = JSON.stringify(beginning(value, { valuesLeft: shownCharsMax })) ?? String(value)
  return text.length > shownCharsMax ? `${text.slice(0, shownCharsMax - 3)}...` : text
}

const shownCharsMax = 80

/** The part of a value that a message can show: it may be very large, and appear in many messages. */
function beginning(value: unknown, counter: { valuesLeft: number }): unknown {
  counter.valuesLeft -= 1
  if (typeof value === 'string') return value.slice(0, shownCharsMax)
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value))
    return value.slice(0, Math.max(0, counter.valuesLeft)).map((item) => beginning(item, counter))
  const lines: Record<string, unknown> = {}
  for (const key in value) {
    if (counter.valuesLeft <= 0) break
    if (Object.hasOwn(value, key)) lines[key] = beginning((value as Record<string, unknown>)[key], counter)
  }
  return lines
}
