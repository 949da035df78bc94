import { type Command, Option } from 'commander'
import { timestamp } from '../domain/clock.ts'
import {
  type DeliveryStatus,
  deliveryStatuses,
  type WebhookDelivery,
  type WebhookEndpoint,
} from '../domain/webhooks/webhook.ts'
import { accountIdOf } from './account-option.ts'
import type { Act, CliServices } from './cli-services.ts'
import { duration, eventTypeList } from './options.ts'

type Options = { account?: string; json?: boolean } & Record<string, unknown>

const listed = { limit: 100, offset: 0 }

/** The running service sends what these commands write. */
export function webhookCommands(program: Command, act: Act<CliServices>): void {
  const commands = program.command('webhooks').description('Manage the webhook endpoints of an account.')
  /** A command for one account. `work` gets its services, the account, and the arguments and options of the command. */
  function add<Given extends unknown[]>(
    name: string,
    description: string,
    work: (webhooks: CliServices['services']['webhooks'], accountId: string, ...given: Given) => Promise<unknown>,
    options: Option[] = [],
  ): void {
    const command = commands
      .command(name)
      .description(description)
      .option('--account <id>', 'account; required if there are several')
      .option('--json', 'print one JSON value')
    for (const option of options) command.addOption(option)
    command.action((...given: unknown[]) => {
      // Commander passes the arguments, the options and the command.
      const passed = given.slice(0, -1)
      const { account, json } = passed.at(-1) as Options
      return act(async (app) => work(app.services.webhooks, await accountIdOf(app, account), ...(passed as Given)), {
        json: json === true,
      })
    })
  }

  add(
    'create <url>',
    'Create an endpoint and print its secret.',
    async (
      webhooks,
      accountId,
      url: string,
      { events, description }: { events?: WebhookEndpoint['eventTypes']; description?: string },
    ) => {
      const endpoint = await webhooks.create(accountId, { url, description, eventTypes: events ?? undefined })
      return { secret: endpoint.secret, ...show(endpoint) }
    },
    [
      new Option('--events <list>', 'comma-separated types (default: all)').argParser(eventTypeList),
      new Option('--description <text>', 'description of the endpoint'),
    ],
  )
  add('list', 'List the endpoints, newest first.', async (webhooks, accountId) =>
    (await webhooks.list(accountId, listed)).items.map(show),
  )
  add('delete <id>', 'Delete an endpoint.', async (webhooks, accountId, id: string) => {
    await webhooks.remove(accountId, id)
    return { id, deleted: true }
  })
  add('test <id>', 'Send a test event to an endpoint.', async (webhooks, accountId, id: string) =>
    showDelivery(await webhooks.test(accountId, id)),
  )
  add(
    'rotate <id>',
    'Replace the secret of an endpoint. The old secret signs for the overlap period, too.',
    async (webhooks, accountId, id: string, { overlap }: { overlap: number }) => {
      const { secret, previousUntil } = await webhooks.rotate(accountId, id, overlap / 1_000)
      return { secret, id, oldSecretExpiresAt: previousUntil === null ? null : timestamp(previousUntil) }
    },
    [
      new Option('--overlap <duration>', 'time that the old secret signs, too')
        .argParser(duration)
        .default(86_400_000, '24h'),
    ],
  )
  add(
    'deliveries',
    'List the newest deliveries.',
    async (webhooks, accountId, { endpoint, status }: { endpoint?: string; status?: DeliveryStatus }) => {
      const filter = { ...(endpoint === undefined ? {} : { endpointId: endpoint }), ...(status && { status }) }
      return (await webhooks.listDeliveries(accountId, listed, filter)).items.map(showDelivery)
    },
    [
      new Option('--endpoint <id>', 'list only deliveries to this endpoint'),
      new Option('--status <status>', 'list only deliveries with this status').choices(deliveryStatuses),
    ],
  )
  add('replay <id>', 'Send a delivery again.', async (webhooks, accountId, id: string) =>
    showDelivery(await webhooks.replay(accountId, id)),
  )
}

function show({ id, url, eventTypes, disabledReason, createdAt }: WebhookEndpoint) {
  return { id, url, events: eventTypes?.join(',') ?? 'all', disabled: disabledReason, createdAt: timestamp(createdAt) }
}

function showDelivery({ id, eventType, status, attempts, url, endpointId, createdAt }: WebhookDelivery) {
  return { id, eventType, status, attempts, url, endpointId, createdAt: timestamp(createdAt) }
}
