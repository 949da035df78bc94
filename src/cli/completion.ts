/** `tintype completion`: scripts that complete commands, options and files in shells. */
import { Argument, type Command, type Option } from 'commander'

const shells = ['bash', 'zsh', 'fish', 'powershell']

export function completionCommands(program: Command): void {
  program
    .command('completion')
    .addArgument(new Argument('<shell>').choices(shells))
    .description('Print a script that completes commands, options and files in a shell.')
    .action(async (shell: string) => {
      const { script } = await import('@bomb.sh/tab')
      script(shell, program.name(), program.name())
    })
  // The scripts run it at each Tab: `tintype complete -- workflows li`.
  program
    .command('complete', { hidden: true })
    .argument('[words...]')
    .action((words: string[]) => {
      const { values, directive } = completionsOf(program, words)
      for (const [value, description] of values) process.stdout.write(`${value}\t${description}\n`)
      process.stdout.write(`:${directive}\n`)
    })
}

interface Completions {
  values: [value: string, description: string][]
  /** Number in cobra's protocol, which the scripts use: 0 also completes names of files if `values` is empty, 4 completes only `values`. */
  directive: 0 | 4
}

/** `words`: without the name of the program; the last is incomplete or empty. Not of `@bomb.sh/tab`, whose completions have no files. */
export function completionsOf(program: Command, words: readonly string[]): Completions {
  const last = words.at(-1) ?? ''
  let command = program
  let argumentsBefore = 0
  let open: Option | undefined
  for (const word of words.slice(0, -1)) {
    if (open) {
      open = undefined
      continue
    }
    const option = command.options.find(({ long, short }) => word === long || word === short)
    if (option?.required) open = option
    if (word.startsWith('-')) continue
    const subcommand = command.commands.find((each) => each.name() === word)
    if (subcommand) command = subcommand
    else argumentsBefore += 1
  }
  const matching = (values: [string, string][]) => values.filter(([value]) => value.startsWith(last))
  if (open) return choicesOr(open.argChoices, isFile(open.flags), matching)
  if (last.startsWith('-')) {
    const options = command.createHelp().visibleOptions(command)
    return { values: matching(options.map(({ long, description }) => [long ?? '', description])), directive: 4 }
  }
  const commands = command.createHelp().visibleCommands(command)
  if (commands.length > 0)
    return { values: matching(commands.map((each) => [each.name(), each.description()])), directive: 4 }
  const all = command.registeredArguments
  const argument = all[argumentsBefore] ?? (all.at(-1)?.variadic ? all.at(-1) : undefined)
  return choicesOr(argument?.argChoices, argument !== undefined && isFile(argument.name()), matching)
}

function choicesOr(
  choices: readonly string[] = [],
  takesFile: boolean,
  matching: (values: [string, string][]) => [string, string][],
): Completions {
  return { values: matching(choices.map((choice) => [choice, ''])), directive: takesFile ? 0 : 4 }
}

/** Whether a file or a folder is expected: the name of an argument, or the flags of an option. */
function isFile(name: string): boolean {
  return /\b(file|folder|path|before|after)\b/.test(name)
}
