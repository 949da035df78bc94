/** One JSON line per event. Neither keys, secrets nor paths of the machine are ever in one. */
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Logger, pino } from 'pino'

const home = dirname(dirname(dirname(fileURLToPath(import.meta.url))))

export interface LogOptions {
  level: string
  dataDir: string
  /** Values that are taken out of every line, whoever wrote it: nobody is to hand one over in the first place. */
  secrets: readonly string[]
  fileDescriptor?: number
}

export function createLog(options: LogOptions): Logger {
  const scrub = scrubber(options.dataDir)
  const out = pino.destination(options.fileDescriptor ?? 1)
  const withoutSecrets = secretsOut(options.secrets)
  return pino(
    {
      level: options.level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      serializers: { err: (error: unknown) => describe(error, scrub, 0) },
    },
    { write: (line: string) => out.write(withoutSecrets(line)) },
  )
}

/** Shorter ones would be found in what is none. */
const secretCharsMin = 8

function secretsOut(secrets: readonly string[]): (line: string) => string {
  // As they stand in JSON.
  const texts = secrets
    .filter(({ length }) => length >= secretCharsMin)
    .map((each) => JSON.stringify(each).slice(1, -1))
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

/** Paths become relative to the project or to the data directory, and keys are cut to the part that may be shown. */
function scrubber(dataDir: string): (text: string) => string {
  return (text) =>
    text
      .replaceAll(dataDir, '$DATA_DIR')
      .replaceAll(`file://${home}/`, '')
      .replaceAll(`${home}/`, '')
      .replace(/tt_live_\w+/g, 'tt_live_...')
}
