/** `tintype batch`: a client of a running service, because rows need its workers. */

import { accessSync, constants, statSync } from 'node:fs'
import { basename, dirname, extname, resolve } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { type Command, InvalidArgumentError, Option } from 'commander'
import { counted } from '../../shared/text.ts'
import { Fault } from '../errors.ts'
import type { Act, CliApi } from './cli-services.ts'
import { oneOf, parameter, typed } from './options.ts'
import { startBar } from './progress-bar.ts'

interface Options {
  workflow: string
  url: string
  key?: string
  name?: string
  param: Record<string, string>
  maxUsd?: number
  out?: string
  format: Format
  estimate?: boolean
  yes?: boolean
  json?: boolean
}

const formats = ['zip', 'csv', 'ndjson'] as const
type Format = (typeof formats)[number]

interface Batch {
  id: string
  status: string
  pauseReason?: string
  counts: Record<'total' | 'pending' | 'running' | 'completed' | 'failed' | 'cancelled', number>
  cost?: { usd: number }
  expectedCompletionAt?: string
}

interface Workflow {
  parameters: { name: string; type: string }[]
}

interface Results {
  zipParts: { fromRow: number; toRow: number }[]
}

interface Estimate {
  rows: number
  cost: { minUsd: number; maxUsd: number } | null
  expectedDuration: number | null
}

const mediaTypes: Record<string, string> = {
  '.csv': 'text/csv',
  '.tsv': 'text/csv',
  '.ndjson': 'application/x-ndjson',
  '.jsonl': 'application/x-ndjson',
  '.json': 'application/json',
}

export function batchCommand(
  program: Command,
  { actOn, fail }: { actOn(service: { url: string; key: string }): Act<CliApi>; fail(): void },
): void {
  program
    .command('batch <file>')
    .description(
      'Execute a workflow of a running service for each row of a CSV, NDJSON or JSON file, and download the results.',
    )
    .requiredOption('--workflow <id>', 'id or slug of the workflow; with @3 or @live, a version or a channel of it')
    .addOption(new Option('--url <url>', 'address of the service').env('TINTYPE_URL').default('http://127.0.0.1:8080'))
    .addOption(
      new Option('--key <key>', 'API key; better in the environment than on the command line').env('TINTYPE_API_KEY'),
    )
    .option('--name <name>', 'name of the batch; default: the name of the file')
    .option('--param <name=value>', 'parameter of all rows; repeatable', parameter, {})
    .option('--max-usd <usd>', 'limit of the cost of AI models in US dollars', dollars)
    .option(
      '--out <file>',
      'file of the results, with a number if there are several; default: the name of the input with -results',
    )
    .option('--format <format>', 'results: zip, csv or ndjson', oneOf(formats), 'zip')
    .option('--estimate', 'validate the file and print the estimated cost, without starting the batch')
    .option('--yes', 'start without a limit although AI models may cost something')
    .option('--json', 'print one JSON value')
    .action((file: string, options: Options) => {
      const { url, key = '', json = false } = options
      return actOn({ url, key })((api) => run(api, file, options, fail), { json })
    })
}

function dollars(text: string): number {
  if (/^\d{1,7}(\.\d{1,6})?$/.test(text) && Number(text) <= 1_000_000) return Number(text)
  throw new InvalidArgumentError('It must be US dollars such as 12.50, from 0 to 1000000.')
}

async function run(api: CliApi, file: string, options: Options, fail: () => void) {
  const { key, format, maxUsd, json } = options
  if (!key) throw usage('Set TINTYPE_API_KEY to an API key of the service, or pass --key.')
  const input = statSync(file, { throwIfNoEntry: false })
  if (input === undefined) throw usage(`The file ${JSON.stringify(file)} does not exist.`)
  if (!input.isFile()) throw usage(`${JSON.stringify(file)} is not a file. Pass a CSV, NDJSON or JSON file.`)
  const mediaType = mediaTypes[extname(file).toLowerCase()]
  if (mediaType === undefined)
    throw usage(
      `The name of the file must end with ${Object.keys(mediaTypes).join(', ')}, not ${JSON.stringify(basename(file))}.`,
    )
  const out = options.out ?? `${file.slice(0, -extname(file).length)}-results.${format}`
  if (!options.estimate) requireWritable(out, file)
  const chosen = workflowOf(options.workflow)
  const created = await api.json<Batch>('POST', '/batches', {
    ...chosen,
    name: options.name ?? basename(file),
    defaults: await defaultsOf(api, chosen, options.param),
    ...(maxUsd === undefined ? {} : { maxUsd }),
  })
  const path = `/batches/${created.id}`
  try {
    await api.upload(`${path}/items`, file, mediaType)
    const estimate = await api.json<Estimate>('GET', `${path}/estimate`)
    if (options.estimate) {
      await api.json('DELETE', path)
      return { rows: estimate.rows, cost: estimate.cost, expectedSeconds: secondsOf(estimate) }
    }
    requireConsent(estimate, options)
  } catch (error) {
    if (!isRefusal(error)) throw about(error, `Batch ${created.id} was created, but not started`, unstarted(path))
    // Nothing has run: the rows stay in the file.
    await api.json('DELETE', path).catch(() => undefined)
    throw error
  }
  await api.json('POST', `${path}/start`).catch((error: unknown) => {
    throw about(error, `Batch ${created.id} may not have started`, `Get its status from GET ${path}.`)
  })
  const batch = await follow(api, path).catch((error: unknown) => {
    const advice = `It continues without this command. Get its status from GET ${path}.`
    throw about(error, `The progress of batch ${created.id} is unknown`, advice)
  })
  if (batch.status !== 'completed' || batch.counts.failed + batch.counts.cancelled > 0) fail()
  if (batch.status === 'paused') throw usage(pausedMessage(batch))
  const files = await download(api, path, format, out).catch((error: unknown) => {
    const advice = `Get them from ${path}/results.${format}.`
    throw about(error, `Batch ${batch.id} has ended, but its results were not saved`, advice)
  })
  const { completed, failed, cancelled } = batch.counts
  const facts = {
    batch: batch.id,
    completed,
    failed,
    cancelled,
    costUsd: batch.cost?.usd ?? 0,
    results: files.length > 1 ? files : out,
  }
  return json || failed === 0
    ? facts
    : { ...facts, failures: `results.csv in ${files.join(', ')}, or GET ${path}/items?status=failed` }
}

/** All rows can cost money, so this is checked before the first. Parts of the results have the name with a number. */
function requireWritable(out: string, file: string): void {
  if (resolve(out) === resolve(file))
    throw usage('The file of --out is the input. Choose another name for the results.')
  if (statSync(out, { throwIfNoEntry: false })?.isDirectory())
    throw usage(`${JSON.stringify(out)} of --out is a folder. Add the name of a file.`)
  try {
    accessSync(dirname(out), constants.W_OK)
  } catch {
    throw usage(`The folder ${JSON.stringify(dirname(out))} of --out does not exist or is not writable.`)
  }
}

/** Default values with numbers where the workflow has them. A key that can't read the workflow sends texts. */
async function defaultsOf(api: CliApi, { workflowId, ...choice }: Chosen, texts: Record<string, string>) {
  if (Object.keys(texts).length === 0) return {}
  const query = new URLSearchParams(
    Object.entries(choice).map(([name, value]): [string, string] => [name, String(value)]),
  )
  const path = `/workflows/${encodeURIComponent(workflowId)}?${query}`
  const workflow = await api.json<Workflow>('GET', path).catch((error: unknown) => {
    if (!(error instanceof Fault) || error.code !== 'forbidden') throw error
  })
  return typed(workflow?.parameters, texts)
}

interface Chosen {
  workflowId: string
  version?: number
  channel?: string
}

/** `wf_...@3`, `link-card@live`. */
function workflowOf(text: string): Chosen {
  const at = text.lastIndexOf('@')
  if (at < 1) return { workflowId: text }
  const choice = text.slice(at + 1)
  return {
    workflowId: text.slice(0, at),
    ...(/^\d+$/.test(choice) ? { version: Number(choice) } : { channel: choice }),
  }
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

const pollMs = 1_000

/** Shows the progress until the batch ends or is paused. The batch continues without this command. */
async function follow(api: CliApi, path: string): Promise<Batch> {
  const bar = startBar()
  try {
    for (;;) {
      const batch = await api.json<Batch>('GET', path)
      bar.show(batch.counts, batch.expectedCompletionAt)
      const { pending, running } = batch.counts
      if (batch.status === 'completed' || batch.status === 'paused') return batch
      if (batch.status === 'cancelled' && pending + running === 0) return batch
      await pause(pollMs)
    }
  } finally {
    bar.end()
  }
}

/** Returns the written files: `out`, or numbered parts of it if one ZIP file can't have all images. */
async function download(api: CliApi, path: string, format: Format, out: string): Promise<string[]> {
  const source = `${path}/results.${format}`
  const parts = format === 'zip' ? (await api.json<Results>('GET', `${path}/results`)).zipParts : []
  if (parts.length <= 1) {
    await api.download(source, out)
    return [out]
  }
  const base = out.slice(0, out.length - extname(out).length)
  const files: string[] = []
  for (const { fromRow, toRow } of parts) {
    const file = `${base}-${files.length + 1}${extname(out)}`
    await api.download(`${source}?fromRow=${fromRow}&toRow=${toRow}`, file)
    files.push(file)
  }
  return files
}

/** Whether the service has rejected the batch. Without a response, or after a temporary error, the batch may still be needed. */
function isRefusal(error: unknown): boolean {
  return error instanceof Fault && !['unavailable', 'rate_limited', 'internal_error'].includes(error.code)
}

function unstarted(path: string): string {
  return `Start it with POST ${path}/start if GET ${path} shows all rows. Otherwise delete it with DELETE ${path}, and run this command again.`
}

/** The error with the id of the batch. An error that isn't from the service is from a file. */
function about(error: unknown, sentence: string, advice: string): Fault {
  const reason = error instanceof Error ? error.message : String(error)
  const message = `${sentence}: ${reason.replace(/\.$/, '')}. ${advice}`
  return error instanceof Fault
    ? new Fault(error.code, message, error.details, { cause: error })
    : new Fault('invalid_request', message, {}, { cause: error })
}

function pausedMessage({ id, pauseReason }: Batch): string {
  if (pauseReason === 'storage' || pauseReason === 'quota')
    return `Batch ${id} is paused, because the account has reached a quota: see "tintype usage". Delete images, or wait for the next month, and resume it.`
  return pauseReason === 'budget'
    ? `Batch ${id} has reached its budget and is paused. Increase it with PATCH /batches/${id}, and resume it.`
    : `Batch ${id} was paused. Resume it in the console, or with POST /batches/${id}/resume.`
}

function usage(message: string): Fault {
  return new Fault('invalid_request', message)
}
