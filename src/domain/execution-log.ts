/** The log of an execution: what became of it, line by line, appended with every change and never rewritten. */
import type { LoggedEvent, LogPart } from './execution.ts'

/**
 * One line. ASCII alone, so that a position in it is the same number wherever it is counted: in characters or bytes, by
 * a database or here.
 */
export function logLine(event: LoggedEvent): string {
  const text = JSON.stringify(event)
  return `${text.replaceAll(/[\u007f-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)}\n`
}

/** What comes after `start` in a log: the whole lines of `text`. */
export function logPart(text: string, start = 0): LogPart {
  const lines = text.split('\n').slice(0, -1)
  return { events: lines.map((line) => JSON.parse(line) as LoggedEvent), end: start + text.length }
}
