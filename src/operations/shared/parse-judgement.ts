/** What a model says of images when it was asked for JSON. */
import { cleanText } from './model-text.ts'

export interface Judgement {
  /** From 0. */
  index: number
  reason: string
}

/** Strict but for a fence of Markdown around it, which models cannot leave alone. Throws an Error that says what is wrong. */
export function parseJudgement(text: string, count: number, reasonCharsMax: number): Judgement {
  const [, fenced] = /^```(?:json)?\s*([\s\S]*?)\s*```$/i.exec(text.trim()) ?? []
  const { index, reason = '' } = objectOf(fenced ?? text)
  if (typeof index !== 'number' || !Number.isInteger(index) || index < 1 || index > count) {
    throw new Error(`It chose image ${JSON.stringify(index)}, and there are images 1 to ${count}.`)
  }
  if (typeof reason !== 'string') throw new Error('It gave a reason that is no text.')
  return { index: index - 1, reason: cleanText(reason).slice(0, reasonCharsMax).toWellFormed() }
}

function objectOf(text: string): { index?: unknown; reason?: unknown } {
  try {
    const value: unknown = JSON.parse(text)
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value
  } catch {
    // Told below.
  }
  throw new Error('It did not answer with the JSON that it was asked for.')
}
