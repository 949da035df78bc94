/** One JSON line per event. Neither keys nor paths of the machine are ever in one. */
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Logger, pino } from 'pino'

const home = dirname(dirname(fileURLToPath(import.meta.url)))

export function createLog(options: { level: string; dataDir: string; fileDescriptor?: number }): Logger {
  const scrub = scrubber(options.dataDir)
  return pino(
    {
      level: options.level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      serializers: { err: (error: unknown) => describe(error, scrub, 0) },
    },
    pino.destination(options.fileDescriptor ?? 1),
  )
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
