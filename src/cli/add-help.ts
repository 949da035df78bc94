import type { Command } from 'commander'
import { type CommandHelp, commandHelp } from './help.ts'

/** Adds examples and a link to the help of each command. */
export function addHelp(program: Command): void {
  for (const [name, help] of Object.entries(commandHelp)) {
    const command = name
      .split(' ')
      .reduce<Command | undefined>(
        (parent, part) => parent?.commands.find((command) => command.name() === part),
        program,
      )
    command?.addHelpText('after', helpText(help))
  }
}

function helpText({ examples, page }: CommandHelp): string {
  const lines = examples.map(([command, purpose]) => `  ${purpose}\n    $ ${command}`)
  return `\nExamples:\n${lines.join('\n')}\n\nMore: /guide/${page} on the address of the service.`
}
