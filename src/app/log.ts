/** Logs one JSON line per event, without keys, secrets or paths of the machine. */
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Logger, pino } from 'pino'
import type { Execution } from '../domain/executions/execution.ts'
import { currentTrace, traceIdOf } from '../domain/observed.ts'
import type { Fault } from '../errors.ts'

const home = dirname(dirname(dirname(fileURLToPath(import.meta.url))))

export interface LogOptions {
  level: string
  dataDir: string
  /** Values to redact in every line. A second safeguard: no caller should log them. */
  secrets: readonly string[]
  fileDescriptor?: number
}

export function createLog(options: LogOptions): Logger {
  const scrub = scrubber(options.dataDir)
  return pino(
    {
      level: options.level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      mixin: currentTraceId,
      serializers: { err: (error: unknown) => describe(error, scrub, 0) },
    },
    createDestination(options.fileDescriptor ?? 1, secretsOut(options.secrets)),
  )
}

/** The field that joins a line with the trace of its work. */
function currentTraceId(): object {
  const { traceparent } = currentTrace()
  return traceparent === undefined ? {} : { traceId: traceIdOf(traceparent) }
}

/** pino's number of the level. */
const warnLevel = 40

/** Each write is a trip to the thread pool, so lines of this time share one: a line for each request costs 2 % of the CPU of a small execution otherwise. */
const flushMs = 10

/** PIPE_BUF of Linux. */
const atomicChars = 4_096

/** Writes lines together, and a warning immediately, after the lines before it. */
function createDestination(fileDescriptor: number, withoutSecrets: (line: string) => string) {
  const out = pino.destination(fileDescriptor)
  let text = ''
  let timer: NodeJS.Timeout | undefined

  function flush(): void {
    if (text === '') return
    clearTimeout(timer)
    timer = undefined
    process.off('beforeExit', flush).off('exit', flush)
    out.write(text)
    text = ''
  }

  return {
    // pino sets `lastLevel` before each line then.
    [Symbol.for('pino.metadata')]: true,
    lastLevel: 0,
    write(written: string) {
      const line = withoutSecrets(written)
      // A longer write to a pipe isn't atomic.
      if (text.length + line.length > atomicChars) flush()
      text += line
      if (this.lastLevel >= warnLevel) return flush()
      if (timer) return
      timer = setTimeout(flush, flushMs).unref()
      // Before pino ends its destination. A process that ends by itself cancels what it writes in its exit event.
      process.prependListener('beforeExit', flush).prependListener('exit', flush)
    },
  }
}

/** Logs a failed execution: as an error with its cause if the service is at fault. */
export function logFailure(log: Logger, { id, workflowId }: Execution, { message, details, cause }: Fault): void {
  const facts = { execution: id, workflow: workflowId, reason: details.reason, node: details.node, problem: message }
  if (details.reason === 'internal') log.error({ ...facts, err: cause }, 'execution failed')
  else log.info(facts, 'execution failed')
}

/** Shorter values would match other text. */
const secretCharsMin = 8

function secretsOut(secrets: readonly string[]): (line: string) => string {
  // Also as escaped in JSON.
  const texts = secrets
    .filter(({ length }) => length >= secretCharsMin)
    .map((part) => JSON.stringify(part).slice(1, -1))
  return (line) => texts.reduce((rest, each) => rest.replaceAll(each, '[secret]'), line)
}

function describe(error: unknown, scrub: (text: string) => string, depth: number): unknown {
  if (!(error instanceof Error)) return scrub(String(error))
  return {
    type: error.name,
    message: scrub(error.message),
    stack: scrub(error.stack ?? ''),
    ...(error.cause !== undefined && depth < 3 ? { cause: describe(error.cause, scrub, depth + 1) } : {}),
  }
}

/** Makes paths relative to the project or the data directory, and shortens keys to their public prefix. */
function scrubber(dataDir: string): (text: string) => string {
  return (text) =>
    text
      .replaceAll(dataDir, '$DATA_DIR')
      .replaceAll(`file://${home}/`, '')
      .replaceAll(`${home}/`, '')
      .replace(/tt_(live|test|link)_\w+/g, 'tt_$1_...')
}
