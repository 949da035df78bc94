import type { Command } from 'commander'
import { failure } from '../errors.ts'
import type { Act, CliFakes } from './cli-services.ts'
import { wholeUpTo } from './options.ts'

const portMax = 65_000

export function fakesCommand(program: Command, act: Act<CliFakes>): void {
  program
    .command('fakes [names...]')
    .description('start stand-ins of AI providers on this machine, to try workflows without any account')
    .option(
      '--port-from <port>',
      'the port of the first; each has its own, whichever are started',
      wholeUpTo(portMax),
      9100,
    )
    .action((names: string[], { portFrom }: { portFrom: number }) =>
      act(async ({ kinds, start }) => {
        const unknown = names.filter((name) => !kinds.includes(name))
        if (unknown.length > 0)
          throw failure('input_invalid', `There is no fake of ${unknown.join(', ')}: there are ${kinds.join(', ')}.`)
        const fakes: Started[] = []
        for (const [at, name] of kinds.entries()) {
          if (names.length > 0 && !names.includes(name)) continue
          fakes.push(await start(name, portFrom + at))
        }
        process.stdout.write(introduction(fakes))
        await interrupted()
      }, {}),
    )
}

type Started = Awaited<ReturnType<CliFakes['start']>>

function introduction(fakes: readonly Started[]): string {
  const settings = fakes.map(({ env }) =>
    Object.entries(env)
      .map(([name, value]) => `${name}=${shown(value)}`)
      .join(' '),
  )
  const width = Math.max(...fakes.map(({ title }) => title.length))
  return [
    'These are fakes. They speak as the providers do, ask no model, and cost nothing; what they draw and write says so.',
    '',
    ...fakes.map(({ title, url }) => `  fake of ${title.padEnd(width)}  ${url}`),
    '',
    'For a service that is to use them:',
    '',
    ...settings.map((line) => `export ${line}`),
    '',
    'Or in one line:',
    '',
    `env ${settings.join(' ')} npx tintype serve`,
    '',
    'A prompt with #moderated in it is refused. Ctrl-C ends them.',
    '',
  ].join('\n')
}

/** As a shell takes it. */
function shown(value: string): string {
  return /^[\w./:@-]+$/.test(value) ? value : `'${value.replaceAll("'", `'\\''`)}'`
}

function interrupted(): Promise<void> {
  return new Promise((settle) => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => settle())
  })
}
