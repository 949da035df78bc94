/**
 * Creates accounts and keys for tests without starting a process for each. Tests of the command itself use `cli.ts`,
 * which runs the real one.
 */
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'
import type { Command, Ran } from './commands-process.ts'
import { inherited } from './process.ts'
import type { Service } from './service.ts'

type Place = Pick<Service, 'dataDir' | 'environment'>

const program = path.join(import.meta.dirname, 'commands-process.ts')
const processes = new Map<string, ChildProcess>()
let commands = 0

/** Runs `tintype accounts ...` or `tintype keys ...` next to a service and returns the printed value. */
export async function runCommand<T>(place: Place, ...args: string[]): Promise<T> {
  const ran = await runAny(place, ...args, '--json')
  if (ran.code !== 0) throw new Error(`tintype ${args.join(' ')} ended with ${ran.code}: ${ran.stderr}${ran.stdout}`)
  return JSON.parse(ran.stdout) as T
}

/** Runs a command on accounts, keys or a service (`--url`). */
export async function runAny(place: Place, ...args: string[]): Promise<Ran> {
  const child = processOf(place)
  const id = ++commands
  // Only a running command keeps this process alive.
  child.channel?.ref()
  child.send({ id, args } satisfies Command)
  const ran = await new Promise<Ran>((resolve, reject) => {
    const onMessage = (message: Ran & { id: number }): void => {
      if (message.id !== id) return
      child.off('message', onMessage).off('exit', onExit)
      if (child.listenerCount('message') === 0) child.channel?.unref()
      resolve(message)
    }
    const onExit = (code: number | null): void => reject(new Error(`The process for commands ended with ${code}.`))
    child.on('message', onMessage).on('exit', onExit)
  })
  return ran
}

/** Ends the process of a service that is removed. */
export async function endCommands(dataDir: string): Promise<void> {
  const child = processes.get(dataDir)
  if (!child) return
  processes.delete(dataDir)
  const exited = once(child, 'exit')
  child.kill('SIGKILL')
  await exited
}

function processOf({ dataDir, environment }: Place): ChildProcess {
  const known = processes.get(dataDir)
  if (known) return known
  const env = { ...inherited(), ...environment, DATA_DIR: dataDir }
  const child = fork(program, { cwd: dataDir, env, stdio: 'inherit' })
  child.setMaxListeners(0)
  child.unref()
  processes.set(dataDir, child)
  return child
}
