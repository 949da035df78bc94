/** argv and environment -> settings -> the composition root -> listen, or one command. The only reader of `process.env`. */
import './net/dispatcher.ts'
import { existsSync } from 'node:fs'
import { pino } from 'pino'
import { runCli } from './cli/program.ts'
import { ConfigError, readConfig } from './config.ts'
import { createLog } from './log.ts'
import { serve } from './serve.ts'
import { version, wire } from './wire.ts'

if (existsSync('.env')) process.loadEnvFile('.env')

try {
  const config = readConfig(process.env)
  process.exitCode = await runCli(process.argv.slice(2), {
    version,
    serve: () => serve(config),
    // Commands print their result to standard output, so what is logged goes beside it.
    open: () => wire(config, createLog({ level: 'warn', dataDir: config.dataDir }, pino.destination(2))),
  })
} catch (error) {
  if (!(error instanceof ConfigError)) throw error
  process.stderr.write(`${error.message}\n`)
  process.exitCode = 2
}
