import { type Command, Option } from 'commander'
import type { Schemas } from '../../client/src/index.ts'
import { type DeliveryStatus, deliveryStatuses, type WebhookEventType } from '../domain/webhooks/webhook.ts'
import { defined } from './images.ts'
import { firstOf, limitOption, rows } from './lists.ts'
import { duration, eventTypeList } from './options.ts'
import { type ActOnApi, onBoth, type TargetOptions } from './target.ts'

interface CreateOptions extends TargetOptions {
  events?: WebhookEventType[]
  description?: string
}

interface DeliveryOptions extends TargetOptions {
  limit: number
  endpoint?: string
  status?: DeliveryStatus
}

/** The running service sends what these commands write. */
export function webhookCommands(program: Command, act: ActOnApi): void {
  const commands = program.command('webhooks').description('Manage the webhook endpoints of an account.')
  onBoth(
    commands
      .command('create <endpoint>')
      .option('--events <list>', 'comma-separated types (default: all)', eventTypeList)
      .option('--description <text>', 'description of the endpoint'),
  )
    .description('Create an endpoint, by the URL of its receiver, and print its secret.')
    .action((url: string, { events, description, ...options }: CreateOptions) =>
      act(
        options,
        async ({ client, request }) => {
          const input = { url, ...defined({ description, eventTypes: events }) }
          const endpoint = await client.webhookEndpoints.create(input, request)
          return { answer: endpoint, view: { secret: endpoint.secret, ...show(endpoint) } }
        },
        { changes: true },
      ),
    )
  onBoth(commands.command('list').addOption(limitOption()))
    .description('List the endpoints, newest first.')
    .action(({ limit, ...options }: TargetOptions & { limit: number }) =>
      act(options, async ({ client, request }) =>
        rows(await firstOf(client.webhookEndpoints.list({}, request), limit), show),
      ),
    )
  onBoth(commands.command('delete <id>'))
    .description('Delete an endpoint.')
    .action((id: string, options: TargetOptions) =>
      act(
        options,
        async ({ client, request }) => ({ answer: { id, ...(await client.webhookEndpoints.delete(id, {}, request)) } }),
        { changes: true },
      ),
    )
  onBoth(commands.command('test <id>'))
    .description('Send a test event to an endpoint.')
    .action((id: string, options: TargetOptions) =>
      act(options, async ({ client, request }) => delivered(await client.webhookEndpoints.test(id, {}, request)), {
        changes: true,
      }),
    )
  onBoth(
    commands
      .command('rotate <id>')
      .addOption(
        new Option('--overlap <duration>', 'time that the old secret signs, too')
          .argParser(duration)
          .default(86_400_000, '24h'),
      ),
  )
    .description('Replace the secret of an endpoint. The old secret signs for the overlap period, too.')
    .action((id: string, { overlap, ...options }: TargetOptions & { overlap: number }) =>
      act(
        options,
        async ({ client, request }) => ({
          answer: {
            id,
            ...(await client.webhookEndpoints.rotateSecret(id, { overlapSeconds: overlap / 1_000 }, request)),
          },
        }),
        { changes: true },
      ),
    )
  onBoth(
    commands
      .command('deliveries')
      .addOption(limitOption())
      .option('--endpoint <id>', 'list only deliveries to this endpoint')
      .addOption(new Option('--status <status>', 'list only deliveries with this status').choices(deliveryStatuses)),
  )
    .description('List the newest deliveries.')
    .action(({ limit, endpoint, status, ...options }: DeliveryOptions) =>
      act(options, async ({ client, request }) => {
        const filter = defined({ endpointId: endpoint, status })
        return rows(await firstOf(client.webhookDeliveries.list(filter, request), limit), showDelivery)
      }),
    )
  onBoth(commands.command('replay <id>'))
    .description('Send a delivery again.')
    .action((id: string, options: TargetOptions) =>
      act(options, async ({ client, request }) => delivered(await client.webhookDeliveries.replay(id, {}, request)), {
        changes: true,
      }),
    )
}

function show({ id, url, eventTypes, disabledReason, createdAt }: Schemas['WebhookEndpoint']) {
  return { id, url, events: eventTypes?.join(',') ?? 'all', disabled: disabledReason, createdAt }
}

function delivered(delivery: Schemas['WebhookDelivery']) {
  return { answer: delivery, view: showDelivery(delivery) }
}

function showDelivery({ id, eventType, status, attempts, url, endpointId, createdAt }: Schemas['WebhookDelivery']) {
  return { id, eventType, status, attempts, url, endpointId, createdAt }
}
