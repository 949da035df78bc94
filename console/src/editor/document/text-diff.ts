/** Two texts word by word: what both have, what came and what went. */
export interface TextPart {
  kind: 'same' | 'added' | 'removed'
  text: string
}

/** The table of the comparison has words times words cells. */
const cellsMax = 400_000

export function diffTexts(before: string, after: string): TextPart[] {
  const [a, b] = [wordsOf(before), wordsOf(after)]
  const start = commonLength(a, b)
  const end = commonLength(a.slice(start).toReversed(), b.slice(start).toReversed())
  const middle = between(a.slice(start, a.length - end), b.slice(start, b.length - end))
  return joined([
    ...a.slice(0, start).map((text) => ({ kind: 'same' as const, text })),
    ...middle,
    ...a.slice(a.length - end).map((text) => ({ kind: 'same' as const, text })),
  ])
}

function wordsOf(text: string): string[] {
  return text.match(/\s+|[\p{L}\p{N}_]+|[^\s\p{L}\p{N}_]/gu) ?? []
}

function commonLength(a: readonly string[], b: readonly string[]): number {
  let length = 0
  while (length < a.length && length < b.length && a[length] === b[length]) length++
  return length
}

/** By the longest sequence that both have. */
function between(a: readonly string[], b: readonly string[]): TextPart[] {
  const all = [
    ...a.map((text): TextPart => ({ kind: 'removed', text })),
    ...b.map((text): TextPart => ({ kind: 'added', text })),
  ]
  if (a.length === 0 || b.length === 0 || a.length * b.length > cellsMax) return all
  const width = b.length + 1
  const lengths = new Uint32Array((a.length + 1) * width)
  const at = (i: number, j: number) => lengths[i * width + j] ?? 0
  for (let i = a.length - 1; i >= 0; i--)
    for (let j = b.length - 1; j >= 0; j--)
      lengths[i * width + j] = a[i] === b[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1))
  const parts: TextPart[] = []
  let [i, j] = [0, 0]
  while (i < a.length || j < b.length) {
    if (i < a.length && j < b.length && a[i] === b[j]) {
      parts.push({ kind: 'same', text: a[i] ?? '' })
      i++
      j++
    } else if (j >= b.length || (i < a.length && at(i + 1, j) >= at(i, j + 1))) {
      parts.push({ kind: 'removed', text: a[i] ?? '' })
      i++
    } else {
      parts.push({ kind: 'added', text: b[j] ?? '' })
      j++
    }
  }
  return parts
}

function joined(parts: readonly TextPart[]): TextPart[] {
  const merged: TextPart[] = []
  for (const part of parts) {
    const last = merged.at(-1)
    if (last?.kind === part.kind) last.text += part.text
    else merged.push({ ...part })
  }
  return merged
}
