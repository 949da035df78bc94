/** The requests of the black-box suite have the same responses if the methods of the client send them. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import './through-client.ts'
import '../harness/collect.ts'
import '../api/steps.ts'
import '../api/workflows.ts'
import '../api/drafts.ts'
import '../api/upload.ts'
import '../api/images.ts'
import '../api/keys.ts'
import '../api/signing-keys.ts'
import '../api/projects.ts'
import '../api/idempotency.ts'
import './features.ts'
import { operations } from '../../client/src/resources.ts'
import { runTogether } from '../harness/area.ts'
import { isFull } from '../harness/repetitions.ts'
import { calls } from '../harness/through-client.ts'

if (isFull)
  for (const area of [
    'audit',
    'batches',
    'brand',
    'channels',
    'compare',
    'execute',
    'failures',
    'fonts',
    'image-expiry',
    'image-urls',
    'lists',
    'named-outputs',
    'parameters',
    'previews',
    'providers',
    'reference',
    'resume',
    'svg-imports',
    'thumbnails',
    'typed-parameters',
    'used-workflows',
    'verify',
    'webhook-notices',
    'webhooks',
    'workflow-openapi',
  ])
    await import(`../api/${area}.ts`)

runTogether('the service by its client', { concurrency: 3 })

test('the suite has called every method of the client, except streams of events', {
  skip: !isFull && 'npm run test:full runs the areas that call all of them',
}, () => {
  const all = Object.entries(operations).flatMap(([noun, rows]) =>
    Object.entries(rows).flatMap(([verb, [, , , result]]) => (result === 'events' ? [] : `${noun}.${verb}`)),
  )
  assert.ok(all.length > 80)
  assert.deepEqual(
    all.filter((id) => !calls.has(id)),
    [],
  )
})
