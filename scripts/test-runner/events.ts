/**
 * Events of a test process: one JSON line for each result, which `run.ts` reads when the process has
 * ended. A test that has started and not completed is known as well, so that a process that hangs can be explained.
 */
import { relative } from 'node:path'
import type { TestEvent } from 'node:test/reporters'
import { inspect } from 'node:util'

export interface Result {
  type: 'result'
  /** The names of the suites around it, then its own. */
  path: string[]
  /** The file that declares the test, which may be a helper. */
  file: string
  line: number
  milliseconds: number
  outcome: 'pass' | 'fail' | 'skip' | 'todo'
  isSuite: boolean
  /** Why it was skipped; the message, expected and received value of a failure. */
  text: string
  /** A suite that fails only because a test in it failed. */
  isConsequence: boolean
}

export type Counts = Record<'tests' | 'suites' | 'passed' | 'failed' | 'cancelled' | 'skipped' | 'todo', number>

export type Line =
  | Result
  | { type: 'started' | 'completed'; id: string; name: string }
  | { type: 'counts'; counts: Counts }
  | { type: 'cpu'; seconds: number }

export async function* events(source: AsyncIterable<TestEvent>): AsyncGenerator<string> {
  const around: string[] = []
  for await (const event of source) {
    if (event.type === 'test:start') around.splice(event.data.nesting, around.length, event.data.name)
    const line = lineOf(event, around)
    if (line) yield `${JSON.stringify(line)}\n`
  }
}

function lineOf({ type, data }: TestEvent, around: string[]): Line | undefined {
  if (type === 'test:dequeue' || type === 'test:complete') {
    const id = `${data.file}:${data.line}:${data.column}:${data.nesting}:${data.name}`
    return { type: type === 'test:dequeue' ? 'started' : 'completed', id, name: data.name }
  }
  // The types of Node leave out `failed`.
  if (type === 'test:summary' && data.file === undefined)
    return { type: 'counts', counts: data.counts as unknown as Counts }
  if (type !== 'test:pass' && type !== 'test:fail') return undefined
  const isSkipped = data.skip !== undefined && data.skip !== false
  const isTodo = data.todo !== undefined && data.todo !== false
  const error = type === 'test:fail' ? data.details.error : undefined
  return {
    type: 'result',
    path: [...around.slice(0, data.nesting), data.name],
    file: relative(process.cwd(), data.file ?? '').replaceAll('\\', '/'),
    line: data.line ?? 0,
    milliseconds: data.details.duration_ms,
    outcome: isSkipped ? 'skip' : isTodo ? 'todo' : error ? 'fail' : 'pass',
    isSuite: data.details.type === 'suite',
    text: error ? describeError(error) : isSkipped && typeof data.skip === 'string' ? data.skip : '',
    isConsequence: (error as { failureType?: string } | undefined)?.failureType === 'subtestsFailed',
  }
}

const charactersMax = 6000

/** The message, then expected and received value if the message doesn't have them, then where it happened. */
function describeError(error: Error): string {
  const cause = error.cause ?? error
  if (!(cause instanceof Error)) return inspect(cause).slice(0, charactersMax)
  const parts = [cause.message.trim() || cause.name]
  if ('expected' in cause && (cause as { generatedMessage?: boolean }).generatedMessage !== true) {
    const { actual, expected } = cause as { actual?: unknown; expected?: unknown }
    parts.push(`expected: ${inspect(expected, { depth: 6 })}`, `received: ${inspect(actual, { depth: 6 })}`)
  }
  if (cause.cause !== undefined) parts.push(`cause: ${inspect(cause.cause)}`)
  const text = parts.map((part) => part.slice(0, charactersMax)).join('\n')
  return [text, ...ownFrames(cause)].join('\n')
}

function ownFrames({ stack = '' }: Error): string[] {
  const frames = stack.split('\n').filter((line) => /^\s+at /.test(line))
  return frames.filter((line) => !/node_modules|node:/.test(line)).slice(0, 6)
}
