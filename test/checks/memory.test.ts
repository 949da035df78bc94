import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { test } from 'node:test'

/**
 * Every collection in memory that outlives a request or an execution: module or factory, and its bound. Bounds in bytes
 * are in limits.ts ("Memory that a process keeps between requests").
 */
const collections: Record<string, string> = {
  // In bytes, with a share for each account
  'bounded-cache.ts: entries': 'bytesMax and accountBytesMax of each cache: checked workflows, idle fonts',
  'bounded-cache.ts: bytesOf': 'accounts with entries',
  'services/results/unstored-bytes.ts: bytesOf': 'accounts with results that wait to be stored',
  'services/results/step-cache.ts: offered': 'results that wait to be stored: unstoredResultsBytesMax',
  'services/results/step-cache.ts: fresh': 'rows of the last 25 ms',
  'services/results/step-cache.ts: touched': 'keys that were read in the last 5 s',
  // One entry for each account, execution, stream or connection that exists at this moment
  'services/results/step-cache.ts: totals': 'accounts, which only the operator creates',
  'services/batches/events.ts: returned': 'rows of a batch that ended in the last 3 s, of an open stream',
  'services/batches/uploads.ts: uploading': 'accounts that upload rows',
  'services/executions/execution-events.ts: wakes': 'executions with open streams: eventStreamsMax for each account',
  'http/request/client-address.ts: normalized': 'normalizedMax texts of addressCharsMax characters',
  'domain/fair-queue.ts: lanes': 'accounts with entries that wait',
  'domain/fair-queue.ts: used': 'accounts with slots',
  'domain/shared-work.ts: works': 'work that open requests wait for, and work in a slot',
  'storage/queue/claims.ts: accounts': 'accounts with executions that wait',
  'storage/blobs/files.ts: creating': 'folders that are being created, at most 1,296',
  'storage/queue/ending-executions.ts: waiting': 'executions in slots that could leave them',
  'storage/queue/slots.ts: present': 'accounts with running executions',
  'storage/queue/slots.ts: downloading': 'running executions',
  'providers/calls/limiter.ts: pausedUntil': 'models of a provider',
  'providers/calls/context.ts: active': 'calls in progress',
  'app/executor-program.ts: aborts': 'uploads and comparisons under way',
  'domain/fair-queue.ts: open': 'running executions and decodings',
  'http/response/closing.ts: streams': 'open streams: eventStreamsMax for each account',
  'services/executions/execution-waits.ts: justRecorded': 'executions recorded in one turn of the event loop',
  'services/executions/execution-waits.ts: waiting': 'synchronous requests that wait',
  'services/workflows/version-cache.ts: checking': 'checks that open requests wait for',
  'services/delivery/derived-bytes.ts: accounts': 'accountsKept',
  'services/images/images.ts: storing': 'outputs of running executions',
  'services/accounts/request-counts.ts: counted': 'accounts that sent a request in the last 5 s',
  'services/accounts/request-counts.ts: ofDay': 'accounts that sent a request in the last 5 s',
  'storage/queue/in-process-notices.ts: listeners': 'synchronous requests that wait, and parts of the service',
  'storage/rate-limits/postgres.ts: over': 'accounts above their rate in this minute',
  'processes/processes.ts: all': 'running jobs, and processes that have been idle for a minute',
  'processes/processes.ts: idle': 'processes that have been idle for a minute',
  'imaging/vector/account-fonts.ts: loaded': 'fonts that a running step draws with',
  'worker/webhooks.ts: running': 'attempts in flight, at most webhookAttemptsRunningMax',
  // One entry for each thing in the source code or the configuration
  'engine/check/check.ts: checks': 'operations',
  'local-models/model-child.ts: sessions': 'local models',
  'imaging/vector/markup.ts: none': 'stays empty',
  'imaging/vector/packaged-fonts.ts: coverages': 'packaged fonts',
  'imaging/vector/packaged-fonts.ts: fonts': 'packaged fonts',
  'imaging/vector/packaged-fonts.ts: allFiles': 'packaged fonts',
  'imaging/html/html-fonts.ts: renderers': 'renderersMax, in a process of its own',
  'imaging/vector/packaged-fonts.ts: registered': 'packaged fonts',
  'providers/calls/context.ts: limiters': 'providers',
  'storage/database/open.ts: last': 'names of background jobs',
  'storage/database/sql/prepared.ts: texts': 'queries in the source code',
  'storage/database/serve-lock.ts: lockedDatabases': 'one database',
  'storage/database/retention/sweeper.ts: lastAccounts': 'the kinds of records',
  // One execution, one request or one call: released with it
  'domain/fair-queue.ts: waiting': 'steps of running executions',
  'imaging/vector/chart-fonts.ts: known': 'fonts of one chart',
  'imaging/vector/measure-in-pieces.ts: known': 'characters of one chart',
  'imaging/vector/measure-text.ts: pens': 'styles of one text',
  'services/workflows/dry-run-files.ts: staged': 'files of one rendering, renderedFilesBytesMax together',
  'providers/calls/history.ts: records': 'calls of one node',
  'worker/perform.ts: written': 'steps of one execution',
}

/** Factories whose collections are released with one run of an execution. */
const ofOneRun = /^engine\/(run|cache)\/(model-calls|pixel-hashes|previews|step-keys|step-state)\.ts/

function collectionsOf(path: string, text: string): string[] {
  let factory = false
  return text.split('\n').flatMap((line) => {
    const begins = /^(?:export )?(?:async )?function\*? (\w+)/.exec(line)
    if (begins) factory = /^create|^oneAtATime$/.test(begins[1] ?? '')
    else if (/^export class/.test(line)) factory = true
    if (line === '}') factory = false
    const [, indent, name] =
      /^( {2})?(?:export )?(?:const |let |readonly #)(\w+)[^=]*= new (?:Map|Set)(?:<.*>)?\(\)/.exec(line) ?? []
    return name !== undefined && (indent === undefined || factory) ? [`${path}: ${name}`] : []
  })
}

test('every collection that outlives a request is listed, with its bound', () => {
  const root = new URL('../../src/', import.meta.url)
  const files = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter(
    (file) => file.endsWith('.ts') && !/\.test\.ts$|\/test-/.test(file),
  )
  const found = files
    .flatMap((file) => collectionsOf(file, readFileSync(new URL(file, root), 'utf8')))
    .filter((place) => !ofOneRun.test(place))
  assert.deepEqual([...new Set(found)].sort(), Object.keys(collections).sort())
})
