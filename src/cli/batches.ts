import { type Command, Option } from 'commander'
import type { Schemas } from '../../client/src/index.ts'
import { followBatch, type ResultFormat, resultFormats, saveResults } from './batch.ts'
import { requireWritable } from './files.ts'
import { defined } from './images.ts'
import { firstOf, limitOption, rows } from './lists.ts'
import { oneOf } from './options.ts'
import { type ActOnApi, type CliApi, type Output, onBoth, onService, type TargetOptions } from './target.ts'
import { workflowIdOf } from './workflow-id.ts'

type Batch = Schemas['Batch']

interface ListOptions extends TargetOptions {
  limit: number
  workflow?: string
  status?: Batch['status']
}

export function batchesCommands(program: Command, act: ActOnApi, fail: () => void): void {
  const commands = program.command('batches').description('Manage batches. "tintype batch" creates one.')
  onBoth(
    commands
      .command('list')
      .addOption(limitOption())
      .option('--workflow <id>', 'only batches of this workflow, by its id or slug')
      .addOption(
        new Option('--status <status>', 'only batches with this status').choices([
          'created',
          'running',
          'paused',
          'completed',
          'cancelled',
        ]),
      ),
  )
    .description('List batches, newest first.')
    .action(({ limit, workflow, status, ...options }: ListOptions) =>
      act(
        options,
        async (api) => {
          const workflowId = workflow && (await workflowIdOf(api, workflow))
          const list = api.client.batches.list(defined({ workflowId, status }), api.request)
          return rows(await firstOf(list, limit), show)
        },
        workflow === undefined ? {} : { workflow },
      ),
    )
  onBoth(commands.command('show <id>'))
    .description('Show a batch, and its rows that failed.')
    .action((id: string, options: TargetOptions) =>
      act(options, async ({ client, request }) => {
        const batch = await client.batches.get(id, {}, request)
        const failed = await firstOf(client.batches.items(id, { status: 'failed' }, request), failedMax)
        const failures = failed.map(({ key, row, error }) => `Row ${row} (${key}): ${error?.message ?? 'failed'}\n`)
        return { answer: { ...batch, failures: failed }, view: show(batch), notes: failures }
      }),
    )
  onBoth(commands.command('follow <id>'))
    .description('Show the progress of a batch until it ends or is paused. Exits with 1 if a row failed.')
    .action((id: string, options: TargetOptions) =>
      act(options, async (api) => {
        const batch = await followBatch(api, id)
        if (batch.status !== 'completed' || batch.counts.failed > 0) fail()
        return shown(batch)
      }),
    )
  onBoth(
    commands
      .command('results <id>')
      .option('--format <format>', 'zip, csv or ndjson', oneOf(resultFormats), 'zip')
      .option('--out <file>', 'file of the results, with a number if there are several; default: the id of the batch'),
  )
    .description('Download the results of a batch.')
    .action((id: string, { format, out, ...options }: TargetOptions & { format: ResultFormat; out?: string }) =>
      act(options, async (api) => {
        const file = out ?? `${id}.${format}`
        requireWritable(file, '--out')
        return { answer: { batch: id, results: await saveResults(api, id, format, file) } }
      }),
    )
  const change = (name: string, description: string, work: (api: CliApi, id: string) => Promise<Output>) =>
    onService(commands.command(`${name} <id>`))
      .description(description)
      .action((id: string, options: TargetOptions) => act(options, (api) => work(api, id), { changes: true }))
  change('pause', 'Pause a batch: its running rows end, and no other row starts.', async ({ client, request }, id) =>
    shown(await client.batches.pause(id, {}, request)),
  )
  change('resume', 'Resume a paused batch.', async ({ client, request }, id) =>
    shown(await client.batches.resume(id, {}, request)),
  )
  change('cancel', 'Cancel a batch with its rows that have not ended.', async ({ client, request }, id) =>
    shown(await client.batches.cancel(id, {}, request)),
  )
  change('delete', 'Delete a batch. Its images stay.', async ({ client, request }, id) => ({
    answer: { id, ...(await client.batches.delete(id, {}, request)) },
  }))
}

/** Failed rows that are printed. The results have all. */
const failedMax = 20

function shown(batch: Batch): Output {
  return { answer: batch, view: show(batch) }
}

function show({ id, name, status, pauseReason, workflowId, workflowVersion, counts, cost, createdAt }: Batch) {
  const { total, completed, failed } = counts
  const facts = { id, name, status: pauseReason === undefined ? status : `${status} (${pauseReason})` }
  return {
    ...facts,
    workflow: `${workflowId}@${workflowVersion}`,
    rows: total,
    completed,
    failed,
    costUsd: cost?.usd ?? 0,
    createdAt,
  }
}
