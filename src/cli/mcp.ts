/** `tintype mcp`: lets programs of this machine use a running service over the Model Context Protocol. */
import type { Command } from 'commander'
import type { Act, CliMcp } from './cli-services.ts'
import { onService, type TargetOptions } from './target.ts'

export function mcpCommand(program: Command, actOn: (options: TargetOptions) => Act<CliMcp>): void {
  const command = program
    .command('mcp')
    .description('Connect an agent on this machine to a running service: MCP over standard input and output.')
  onService(command).action((options: TargetOptions) => actOn(options)((mcp) => mcp.run(), {}))
}
