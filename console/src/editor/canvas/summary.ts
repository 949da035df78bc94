/** The settings that a card shows before its first run. */

const linesMax = 5
const charsMax = 30

export function summaryOf(params: Readonly<Record<string, unknown>> = {}): string {
  const lines = Object.entries(params).map(([name, value]) => `${name}: ${short(value)}`)
  const visible = lines.slice(0, linesMax)
  const more = lines.length - visible.length
  return [...visible, ...(more > 0 ? [`and ${more} more`] : [])].join('\n')
}

function short(value: unknown): string {
  const text = typeof value === 'string' ? value : Array.isArray(value) ? `${value.length} values` : textOf(value)
  return text.length > charsMax ? `${text.slice(0, charsMax - 1)}…` : text
}

function textOf(value: unknown): string {
  if (typeof value !== 'object' || value === null) return String(value)
  return Object.values(value).map(String).join(', ')
}
