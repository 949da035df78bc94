/** The log of an execution: what became of it, line by line, appended with every change and never rewritten. */
import type { Execution, ExecutionStatus, Step } from './execution.ts'

/** The number of its line, from 1 on, is the id that it is told by. */
export type LoggedEvent =
  /** A step as it now stands. */
  | { step: Step }
  /** `pending` and `running` begin it anew: the steps told before are those of an attempt that was lost or given back. */
  | { status: ExecutionStatus; at: number }

/** An execution, its steps and its log, all as of one moment. */
export interface LoggedExecution {
  execution: Execution
  steps: Step[]
  log: LogPart
}

export interface LogPart {
  events: LoggedEvent[]
  /** Where it ends: from there on it is read again. */
  end: number
}

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
