/**
 * The black-box suite: all tests over HTTP run in this process, so that the areas share services and one ledger. The
 * suites that start many processes are in processes.test.ts. See test/README.md.
 */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { runTogether } from '../harness/area.ts'
import { openApiOf } from '../harness/client.ts'
import { ledgerReport } from '../harness/ledger.ts'
import { sharedService } from '../harness/shared.ts'
import { logs } from '../hostile/logs.ts'
import '../harness/collect.ts'
import './auth.ts'
import './session.ts'
import './console.ts'
import './docs.ts'
import './permissions.ts'
import './rate-limits.ts'
import './client-limits.ts'
import './tenancy.ts'
import './accounts.ts'
import './execute.ts'
import './parameters.ts'
import './typed-parameters.ts'
import './typed-values.ts'
import './input-schema.ts'
import './failures.ts'
import './steps.ts'
import './events.ts'
import './previews.ts'
import './cache.ts'
import './resume.ts'
import './openai.ts'
import './batches.ts'
import './variations.ts'
import './origins.ts'
import './credentials.ts'
import './workflows.ts'
import './workflow-openapi.ts'
import './svg-imports.ts'
import './channels.ts'
import './used-workflows.ts'
import './audit.ts'
import './brand.ts'
import './drafts.ts'
import './compare.ts'
import './documents.ts'
import './each.ts'
import './branches.ts'
import './templates.ts'
import './pictures.ts'
import './html.ts'
import './outputs.ts'
import './named-outputs.ts'
import './animations.ts'
import './upload.ts'
import './images.ts'
import './image-expiry.ts'
import './verify.ts'
import './reexecution.ts'
import './fonts.ts'
import './providers.ts'
import './onnx-models.ts'
import './structured-text.ts'
import './mcp.ts'
import './keys.ts'
import './signing-keys.ts'
import './delivery.ts'
import './paid-delivery.ts'
import './image-urls.ts'
import './served-images.ts'
import './thumbnails.ts'
import './storage.ts'
import './projects.ts'
import './quotas.ts'
import './lists.ts'
import './cursors.ts'
import './webhook-notices.ts'
import './webhooks.ts'
import './idempotency.ts'
import './errors.ts'
import './reference.ts'
import '../hostile/pictures.ts'
import '../hostile/sources.ts'
import '../hostile/names.ts'
import '../hostile/documents.ts'
import '../hostile/clients.ts'
import '../hostile/anything.ts'

runTogether('the service over HTTP', { concurrency: 3 })
describe('the log of all services', logs)

/** Declared responses that no test can or should cause, with the reason. */
const waivers: Record<string, string> = {
  ' 500 internal_error': 'a fault of the service itself: there is none that a request could bring about on purpose',
  ' 503 unavailable': 'asked while its records cannot be reached: faults/database-away.matrix.ts asks then',
}

test('the tests have seen every response that the OpenAPI document declares, and no other', async () => {
  const service = await sharedService()
  const { declared, ...problems } = ledgerReport(await openApiOf(service, service.key), waivers)
  assert.ok(declared > 100, `${declared} rows are declared`)
  assert.deepEqual(problems, { untested: [], undeclared: [], unusedWaivers: [] })
})
