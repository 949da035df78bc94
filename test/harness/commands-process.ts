/**
 * Runs `tintype accounts ...`, `tintype keys ...` and commands on a service in one process for one service, started by `commands.ts`. Each
 * command reads its arguments and opens and closes the records, as the real command does. This only saves the start of a
 * process.
 */
import { flushCompileCache } from 'node:module'
import { openRecordServices } from '../../src/app/records.ts'
import { runCli } from '../../src/cli/program.ts'
import { readConfig } from '../../src/config/config.ts'
import { connectService } from '../../src/net/service-client.ts'

export interface Command {
  id: number
  args: string[]
}

export interface Ran {
  code: number
  stdout: string
  stderr: string
}

const never = (): never => {
  throw new Error('Only commands on accounts, keys and services run here.')
}

async function run(args: string[]): Promise<Ran> {
  const printed = { stdout: '', stderr: '' }
  const originals = { stdout: process.stdout.write, stderr: process.stderr.write }
  for (const name of ['stdout', 'stderr'] as const)
    process[name].write = (chunk: string | Uint8Array) => {
      printed[name] += chunk
      return true
    }
  try {
    const code = await runCli(args, {
      version: 'test',
      openRecords: () => openRecordServices(readConfig(process.env)),
      open: never,
      openModels: never,
      openMcp: never,
      openProviders: never,
      openVerifier: never,
      connect: async (service) => connectService(service),
      openOffline: never,
      openMoving: never,
      configFolder: '',
      serve: never,
      work: never,
    })
    return { code, ...printed }
  } finally {
    for (const name of ['stdout', 'stderr'] as const) process[name].write = originals[name]
  }
}

let last: Promise<unknown> = Promise.resolve()
process.on('message', ({ id, args }: Command) => {
  // One at a time, so that the output belongs to one command.
  last = last.then(async () => {
    const ran = await run(args).catch((error) => ({ code: 1, stdout: '', stderr: String(error) }))
    process.send?.({ id, ...ran })
    // This process is killed, and Node writes its cache of compiled modules only at an exit.
    flushCompileCache()
  })
})
process.on('disconnect', () => process.exit())
