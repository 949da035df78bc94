/** Parses the JSON that a model returns for `judge`. */
import { cleanText, withoutFence } from './model-text.ts'

export interface Judgement {
  /** Starts at 0. */
  index: number
  reason: string
}

/**
 * Strict JSON, except for a Markdown code fence, which models often add. Throws an Error that describes the problem.
 */
export function parseJudgement(text: string, count: number, reasonCharsMax: number): Judgement {
  const { index, reason = '' } = objectOf(withoutFence(text.trim()))
  if (typeof index !== 'number' || !Number.isInteger(index) || index < 1 || index > count) {
    throw new Error(`The response chooses image ${JSON.stringify(index)}, but the images are 1 to ${count}.`)
  }
  if (typeof reason !== 'string') throw new Error('It gave a reason that is no text.')
  return { index: index - 1, reason: cleanText(reason).slice(0, reasonCharsMax).toWellFormed() }
}

function objectOf(text: string): { index?: unknown; reason?: unknown } {
  try {
    const value: unknown = JSON.parse(text)
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value
  } catch {
    // Reported below.
  }
  throw new Error('The response is not the JSON that was requested.')
}
