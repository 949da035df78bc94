/** Two texts word by word. */
import { diffArrays } from 'diff'

export interface TextPart {
  kind: 'same' | 'added' | 'removed'
  text: string
}

/** The time of a comparison grows with the square of the number of edits. */
const editsMax = 1_000

/** Texts that differ more are two parts: the old and the new one. */
export function diffTexts(before: string, after: string): TextPart[] {
  const changes = diffArrays(wordsOf(before), wordsOf(after), { maxEditLength: editsMax })
  return (
    changes?.map(({ value, added, removed }) => ({
      kind: added ? 'added' : removed ? 'removed' : 'same',
      text: value.join(''),
    })) ?? [
      { kind: 'removed', text: before },
      { kind: 'added', text: after },
    ]
  )
}

function wordsOf(text: string): string[] {
  return text.match(/\s+|[\p{L}\p{N}_]+|[^\s\p{L}\p{N}_]/gu) ?? []
}
