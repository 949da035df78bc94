/** `tintype batch`: a client of a running service, because rows need its workers. */
import { basename, extname, resolve } from 'node:path'
import { type Command, InvalidArgumentError } from 'commander'
import type { Rows, Schemas } from '../../client/src/index.ts'
import { counted } from '../../shared/text.ts'
import { Fault, invalidRequest } from '../errors.ts'
import { fileToSend, requireWritable, writeResponse } from './files.ts'
import { defined } from './images.ts'
import { oneOf, parameter } from './options.ts'
import { startBar } from './progress-bar.ts'
import { type ActOnApi, type CliApi, Interrupted, type Output, onService, type TargetOptions } from './target.ts'
import { chosenWorkflow, typedParameters } from './workflow-id.ts'

interface Options extends TargetOptions {
  workflow: string
  name?: string
  param: Record<string, string>
  maxUsd?: number
  out?: string
  format: ResultFormat
  estimate?: boolean
  yes?: boolean
}

export const resultFormats = ['zip', 'csv', 'ndjson'] as const
export type ResultFormat = (typeof resultFormats)[number]

type Batch = Schemas['Batch']
type Estimate = Schemas['BatchEstimate']

/** How the rows in a file are sent, by its extension. */
const rowsOf: Record<string, (file: File) => Rows | Promise<Rows>> = {
  '.csv': (csv) => ({ csv }),
  '.tsv': (csv) => ({ csv }),
  '.ndjson': (ndjson) => ({ ndjson }),
  '.jsonl': (ndjson) => ({ ndjson }),
  '.json': async (file) => {
    try {
      return JSON.parse(await file.text()) as Rows
    } catch (error) {
      throw invalidRequest([{ path: file.name, message: `must be JSON: ${(error as Error).message}` }])
    }
  },
}

export function batchCommand(program: Command, act: ActOnApi, fail: () => void): void {
  onService(
    program
      .command('batch <file>')
      .requiredOption('--workflow <id>', 'id or slug of the workflow; with @3 or @live, a version or a channel of it')
      .option('--name <name>', 'name of the batch; default: the name of the file')
      .option('--param <name=value>', 'parameter of all rows; repeatable', parameter, {})
      .option('--max-usd <usd>', 'limit of the cost of AI models in US dollars', dollars)
      .option(
        '--out <file>',
        'file of the results, with a number if there are several; default: the name of the input with -results',
      )
      .option('--format <format>', 'results: zip, csv or ndjson', oneOf(resultFormats), 'zip')
      .option('--estimate', 'validate the file and print the estimated cost, without starting the batch')
      .option('--yes', 'start without a limit although AI models may cost something'),
  )
    .description(
      'Execute a workflow of a running service for each row of a CSV, NDJSON or JSON file, and download the results.',
    )
    .action((file: string, options: Options) =>
      act(options, (api) => run(api, file, options, fail), { changes: options.estimate !== true }),
    )
}

function dollars(text: string): number {
  if (/^\d{1,7}(\.\d{1,6})?$/.test(text) && Number(text) <= 1_000_000) return Number(text)
  throw new InvalidArgumentError('It must be US dollars such as 12.50, from 0 to 1000000.')
}

async function run(api: CliApi, file: string, options: Options, fail: () => void): Promise<Output> {
  const { client, request } = api
  const { format, maxUsd } = options
  const content = await fileToSend(file)
  const toRows = rowsOf[extname(file).toLowerCase()]
  if (toRows === undefined)
    throw usage(
      `The name of the file must end with ${Object.keys(rowsOf).join(', ')}, not ${JSON.stringify(basename(file))}.`,
    )
  const out = options.out ?? `${file.slice(0, -extname(file).length)}-results.${format}`
  if (!options.estimate) {
    if (resolve(out) === resolve(file))
      throw usage('The file of --out is the input. Choose another name for the results.')
    requireWritable(out, '--out')
  }
  const rows = await toRows(content)
  const chosen = chosenWorkflow(options.workflow)
  const created = await client.batches.create(
    {
      ...chosen,
      name: options.name ?? basename(file),
      defaults: (await typedParameters(api, chosen, options.param)) as Record<string, string | number>,
      ...defined({ maxUsd }),
    },
    request,
  )
  const { id } = created
  api.onInterrupt(`Batch ${id} was created, but not started. Delete it with "tintype batches delete ${id}".`)
  try {
    await client.batches.upload(id, rows, request)
    const estimate = await client.batches.estimate(id, {}, request)
    if (options.estimate) {
      await client.batches.delete(id, {}, request)
      return { answer: { rows: estimate.rows, cost: estimate.cost, expectedSeconds: secondsOf(estimate) } }
    }
    requireConsent(estimate, options)
  } catch (error) {
    if (!isRefusal(error)) throw await about(error, `Batch ${id} was created, but not started`, unstarted(id))
    // Nothing has run: the rows stay in the file.
    await client.batches.delete(id, {}, request).catch(() => undefined)
    throw error
  }
  await client.batches.start(id, {}, request).catch(async (error: unknown) => {
    throw await about(error, `Batch ${id} may not have started`, `Show it with "tintype batches show ${id}".`)
  })
  const batch = await followBatch(api, id).catch(async (error: unknown) => {
    const advice = `It continues without this command: "tintype batches follow ${id}".`
    throw await about(error, `The progress of batch ${id} is unknown`, advice)
  })
  if (batch.status !== 'completed' || batch.counts.failed + batch.counts.cancelled > 0) fail()
  if (batch.status === 'paused') throw usage(pausedMessage(batch))
  const files = await saveResults(api, id, format, out).catch(async (error: unknown) => {
    const advice = `Get them with "tintype batches results ${id}".`
    throw await about(error, `Batch ${id} has ended, but its results were not saved`, advice)
  })
  const { completed, failed, cancelled } = batch.counts
  const facts = {
    batch: id,
    completed,
    failed,
    cancelled,
    costUsd: batch.cost?.usd ?? 0,
    results: files.length > 1 ? files : out,
  }
  const failures = `results.csv in ${files.join(', ')}, or "tintype batches show ${id}"`
  return { answer: facts, view: failed === 0 ? facts : { ...facts, failures } }
}

function requireConsent({ cost, rows }: Estimate, { maxUsd, yes }: Options): void {
  if (yes || maxUsd !== undefined || cost?.maxUsd === 0) return
  const range = cost === null ? 'an unknown amount' : `${cost.minUsd} to ${cost.maxUsd} US dollars`
  throw usage(
    `The AI models of ${counted(rows, 'row')} cost ${range}, as estimated. Pass --max-usd to limit the cost, or --yes.`,
  )
}

function secondsOf({ expectedDuration }: Estimate): number | null {
  return expectedDuration === null ? null : Math.ceil(expectedDuration / 1_000)
}

/** Shows the progress until the batch ends or is paused. The batch continues without this command. */
export async function followBatch(api: CliApi, id: string): Promise<Batch> {
  const { client, request } = api
  api.onInterrupt(`Batch ${id} continues. Follow it with "tintype batches follow ${id}".`)
  const bar = startBar()
  try {
    for await (const event of client.batches.events(id, {}, request)) {
      if (event.type !== 'batch') continue
      const { status, counts, expectedCompletionAt } = event.data
      const { total, pending, running, failed } = counts
      const ended = total - pending - running
      const failures = failed === 0 ? '' : `, ${failed} failed`
      bar.show(ended, total, `${ended} of ${counted(total, 'row')}${failures}${untilText(expectedCompletionAt)}`)
      const isOver = status === 'completed' || status === 'paused' || (status === 'cancelled' && ended === total)
      if (isOver) return event.data
    }
    return await client.batches.get(id, {}, request)
  } finally {
    bar.end()
  }
}

function untilText(endsAt: string | undefined): string {
  return endsAt === undefined ? '' : `, until about ${new Date(endsAt).toTimeString().slice(0, 5)}`
}

/** Returns the written files: `out`, or numbered parts of it if one ZIP file can't have all images. */
export async function saveResults(
  { client, request }: CliApi,
  id: string,
  format: ResultFormat,
  out: string,
): Promise<string[]> {
  if (format !== 'zip') {
    const results = format === 'csv' ? client.batches.resultsCsv : client.batches.resultsNdjson
    await writeResponse(() => results(id, {}, request), out)
    return [out]
  }
  const { zipParts } = await client.batches.results(id, {}, request)
  if (zipParts.length <= 1) {
    await writeResponse(() => client.batches.resultsZip(id, {}, request), out)
    return [out]
  }
  const base = out.slice(0, out.length - extname(out).length)
  const files: string[] = []
  for (const { fromRow, toRow } of zipParts) {
    const file = `${base}-${files.length + 1}${extname(out)}`
    await writeResponse(() => client.batches.resultsZip(id, { fromRow, toRow }, request), file)
    files.push(file)
  }
  return files
}

/** Whether the service has rejected the batch. Without a response, or after a temporary error, the batch may still be needed. */
function isRefusal(error: unknown): boolean {
  const { code } = error as { code?: string }
  return code !== undefined && !['unavailable', 'rate_limited', 'internal_error', 'unexpected_response'].includes(code)
}

function unstarted(id: string): string {
  return `Run this command again, and delete the batch with "tintype batches delete ${id}".`
}

/** The error with the id of the batch. */
async function about(error: unknown, sentence: string, advice: string): Promise<unknown> {
  if (error instanceof Interrupted) return error
  const { clientFault } = await import('./client-faults.ts')
  const fault = clientFault(error, undefined) ?? (error instanceof Fault ? error : undefined)
  const reason = (fault ?? (error as Error)).message
  const message = `${sentence}: ${reason.replace(/\.$/, '')}. ${advice}`
  return new Fault(fault?.code ?? 'invalid_request', message, fault?.details ?? {}, { cause: error })
}

function pausedMessage({ id, pauseReason }: Batch): string {
  if (pauseReason === 'storage' || pauseReason === 'quota')
    return `Batch ${id} is paused, because the account has reached a quota: see "tintype usage". Delete images, or wait for the next month, and resume it.`
  return pauseReason === 'budget'
    ? `Batch ${id} has reached its budget and is paused. Increase it in the console, and resume the batch with "tintype batches resume ${id}".`
    : `Batch ${id} was paused. Resume it with "tintype batches resume ${id}".`
}

function usage(message: string): Fault {
  return new Fault('invalid_request', message)
}
