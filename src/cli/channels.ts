import type { Command } from 'commander'
import type { Schemas } from '../../client/src/index.ts'
import { firstOf, limitOption, rows } from './lists.ts'
import { channelName, versionNumber } from './options.ts'
import { type ActOnApi, type CliApi, type Output, onBoth, type TargetOptions } from './target.ts'
import { workflowIdOf } from './workflow-id.ts'

export function channelCommands(workflows: Command, act: ActOnApi): void {
  const commands = workflows.command('channel').description('Manage the channels of a workflow.')
  const withWorkflow = (
    workflow: string,
    options: TargetOptions,
    work: (api: CliApi, workflowId: string) => Promise<Output>,
    changes = true,
  ) => act(options, async (api) => work(api, await workflowIdOf(api, workflow)), { workflow, changes })

  onBoth(commands.command('list <workflow>'))
    .description('List the channels of a workflow and their versions.')
    .action((id: string, options: TargetOptions) =>
      withWorkflow(
        id,
        options,
        async ({ client, request }, workflowId) =>
          rows((await client.channels.list(workflowId, {}, request)).channels, show),
        false,
      ),
    )
  onBoth(commands.command('set'))
    .description('Point a channel to a version. The channel is created if it is missing.')
    .argument('<workflow>')
    .argument('<name>', '', channelName)
    .argument('<version>', '', versionNumber)
    .action((id: string, name: string, version: number, options: TargetOptions) =>
      withWorkflow(id, options, async ({ client, request }, workflowId) =>
        shown(await client.channels.move(workflowId, name, { version }, request)),
      ),
    )
  onBoth(commands.command('rollback <workflow> <name>'))
    .description('Point a channel to the version before its last move. Repeated rollbacks go back further.')
    .action((id: string, name: string, options: TargetOptions) =>
      withWorkflow(id, options, async ({ client, request }, workflowId) =>
        shown(await client.channels.rollBack(workflowId, name, {}, request)),
      ),
    )
  onBoth(commands.command('history <workflow> <name>').addOption(limitOption()))
    .description('List the moves of a channel, newest first.')
    .action((id: string, name: string, { limit, ...options }: TargetOptions & { limit: number }) =>
      withWorkflow(
        id,
        options,
        async ({ client, request }, workflowId) => {
          const moves = await firstOf(client.channels.listMoves(workflowId, name, {}, request), limit)
          return rows(moves, ({ version, from, rollback, movedAt, keyId }) => {
            return { version, from, rollback: rollback ?? false, movedAt, keyId }
          })
        },
        false,
      ),
    )
  onBoth(commands.command('delete <workflow> <name>'))
    .description('Delete a channel. Requests by this channel are rejected afterwards.')
    .action((id: string, name: string, options: TargetOptions) =>
      withWorkflow(id, options, async ({ client, request }, workflowId) => ({
        answer: { name, ...(await client.channels.delete(workflowId, name, {}, request)) },
      })),
    )
}

function shown(channel: Schemas['Channel']): Output {
  return { answer: channel, view: show(channel) }
}

function show({ name, version, movedAt, keyId }: Schemas['Channel']) {
  return { name, version, movedAt, keyId }
}
