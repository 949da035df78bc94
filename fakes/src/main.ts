/** The `tintype-fakes` command: starts fake providers, prints the settings that point Tintype at them, and waits for a signal. */
import { parseArgs } from 'node:util'
import type { Fake, FakeKind } from './fake.ts'
import { fakeKinds, startFake } from './index.ts'

const portMax = 65_000
const defaultPort = 9100
/** Long enough to see the progress of a job. */
const latencyMs = 1_500
/**
 * A key that is not `fake`: Tintype removes the key from the errors of a provider, and the word is in most texts of the
 * fakes.
 */
const key = 'fake-key'

const usage = `Usage: tintype-fakes [names...] [--port-from <port>]

Starts fake providers on this machine, to try workflows without an account. Without names, it starts all of them:
${fakeKinds.map(({ id }) => id).join(', ')}.

  --port-from <port>  port of the first provider in this list, from which the others follow (default: ${defaultPort})
  -h, --help          print this text
`

/** A command line that the command can't run. */
class UsageError extends Error {}

try {
  await run(process.argv.slice(2))
} catch (error) {
  const { message, code = '' } = error as NodeJS.ErrnoException
  if (!(error instanceof UsageError) && !code.startsWith('ERR_PARSE_ARGS')) throw error
  process.stderr.write(`${message}\n`)
  process.exitCode = 2
}

async function run(args: string[]): Promise<void> {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: { 'port-from': { type: 'string' }, help: { type: 'boolean', short: 'h' } },
  })
  if (values.help) {
    process.stdout.write(usage)
    return
  }
  const portFrom = portOf(values['port-from'])
  const unknown = positionals.filter((name) => !fakeKinds.some(({ id }) => id === name))
  if (unknown.length > 0)
    throw new UsageError(
      `Unknown provider: ${unknown.join(', ')}. Available: ${fakeKinds.map(({ id }) => id).join(', ')}.`,
    )
  const started: Started[] = []
  try {
    for (const [index, kind] of fakeKinds.entries()) {
      if (positionals.length > 0 && !positionals.includes(kind.id)) continue
      started.push({ kind, fake: await start(kind, portFrom + index) })
    }
    process.stdout.write(introduction(started))
    await interrupted()
  } finally {
    await Promise.all(started.map(({ fake }) => fake.close()))
  }
}

interface Started {
  kind: FakeKind
  fake: Fake
}

function portOf(text = String(defaultPort)): number {
  const port = Number(text)
  if (/^\d+$/.test(text) && port >= 1 && port <= portMax) return port
  throw new UsageError(`--port-from is ${text}; it must be a whole number from 1 to ${portMax}.`)
}

function start({ id }: FakeKind, port: number): Promise<Fake> {
  return startFake(id, { port, latencyMs, key }).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EADDRINUSE') throw error
    throw new UsageError(`Port ${port}, for the fake of ${id}, is in use. Specify another first port with --port-from.`)
  })
}

function introduction(started: readonly Started[]): string {
  const settings = started.map(({ kind, fake }) =>
    Object.entries(kind.env(fake.url, fake.key))
      .map(([name, value]) => `${name}=${quoted(value)}`)
      .join(' '),
  )
  const width = Math.max(...started.map(({ kind }) => kind.title.length))
  return [
    'These are fake providers. They imitate the APIs, run no model and cost nothing; their images and texts say so.',
    '',
    ...started.map(({ kind, fake }) => `  fake of ${kind.title.padEnd(width)}  ${fake.url}`),
    '',
    'Settings for Tintype:',
    '',
    ...settings.map((line) => `export ${line}`),
    '',
    'Or in one line:',
    '',
    `env ${settings.join(' ')} npx tintype serve`,
    '',
    'A prompt that contains #moderated is rejected. Press Ctrl-C to stop.',
    '',
  ].join('\n')
}

/** Text quoted for a shell. */
function quoted(value: string): string {
  return /^[\w./:@-]+$/.test(value) ? value : `'${value.replaceAll("'", `'\\''`)}'`
}

function interrupted(): Promise<void> {
  return new Promise((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => resolve())
  })
}
