import type { Command } from 'commander'
import { timestamp } from '../domain/clock.ts'
import type { Channel } from '../domain/workflows/channel.ts'
import type { Act, CliServices } from './cli-services.ts'
import { channelName, versionNumber } from './options.ts'
import { accountOption, type FoundWorkflow, workflowOf } from './workflow-of.ts'

interface Options {
  account?: string
  json?: boolean
}

export function channelCommands(workflows: Command, act: Act<CliServices>): void {
  const commands = workflows.command('channel').description('Manage the channels of a workflow.')
  const withWorkflow = (
    id: string,
    { account, json }: Options,
    work: (app: CliServices, found: FoundWorkflow) => Promise<unknown>,
  ) => act(async (app) => work(app, await workflowOf(app, id, account)), { json: json === true })

  commands
    .command('list <workflow>')
    .description('List the channels of a workflow and their versions.')
    .option(...accountOption)
    .option('--json', 'print one JSON value')
    .action((id: string, options: Options) =>
      withWorkflow(id, options, async (app, { accountId, workflow }) =>
        (await app.services.channels.list(accountId, workflow.id)).map(show),
      ),
    )
  commands
    .command('set')
    .description('Point a channel to a version. The channel is created if it is missing.')
    .argument('<workflow>')
    .argument('<name>', '', channelName)
    .argument('<version>', '', versionNumber)
    .option(...accountOption)
    .option('--json', 'print one JSON value')
    .action((id: string, name: string, version: number, options: Options) =>
      withWorkflow(id, options, async (app, { accountId, workflow }) =>
        show(await app.services.channels.move({ accountId }, workflow.id, name, version)),
      ),
    )
  commands
    .command('rollback <workflow> <name>')
    .description('Point a channel to the version before its last move. Repeated rollbacks go back further.')
    .option(...accountOption)
    .option('--json', 'print one JSON value')
    .action((id: string, name: string, options: Options) =>
      withWorkflow(id, options, async (app, { accountId, workflow }) =>
        show(await app.services.channels.rollBack({ accountId }, workflow.id, name)),
      ),
    )
  commands
    .command('history <workflow> <name>')
    .description('List the moves of a channel, newest first.')
    .option(...accountOption)
    .option('--json', 'print one JSON value')
    .action((id: string, name: string, options: Options) =>
      withWorkflow(id, options, async (app, { accountId, workflow }) => {
        const page = { limit: historyMax, offset: 0 }
        const { items } = await app.services.channels.moves(accountId, workflow.id, name, page)
        return items.map(({ version, from, isRollback, movedAt, keyId }) => {
          return { version, from, rollback: isRollback, movedAt: timestamp(movedAt), keyId: keyId ?? null }
        })
      }),
    )
  commands
    .command('delete <workflow> <name>')
    .description('Delete a channel. Requests by this channel are rejected afterwards.')
    .option(...accountOption)
    .option('--json', 'print one JSON value')
    .action((id: string, name: string, options: Options) =>
      withWorkflow(id, options, async (app, { accountId, workflow }) => {
        await app.services.channels.remove({ accountId }, workflow.id, name)
        return { name, deleted: true }
      }),
    )
}

/** Maximum of moves to list: at least the moves that are kept. */
const historyMax = 1_000

function show({ name, version, movedAt, keyId }: Channel) {
  return { name, version, movedAt: timestamp(movedAt), keyId: keyId ?? null }
}
