/** Reports of stores as the library returns them for files that were made to mislead or to overload a reader. */
import assert from 'node:assert/strict'
import { it } from 'node:test'
import { executionLabel } from '../domain/credentials.ts'
import { limits } from '../limits.ts'
import { reportOf } from './report.ts'

it('a manifest that is an ingredient many times is reported within the bounds, with its facts once', () => {
  const failure = Array.from({ length: 50 }, (_, index) => ({ code: `x.${index}`, explanation: 'x'.repeat(900) }))
  const shared = { assertions: [{ label: executionLabel, data: { text: 'x'.repeat(60_000) } }] }
  const ingredients = Array.from({ length: 1_000 }, (_, index) => ({
    title: `${index}`,
    active_manifest: 'shared',
    validation_results: { activeManifest: { success: [], failure } },
  }))
  const report = reportOf({ active_manifest: 'own', manifests: { own: { ingredients }, shared } })
  assert.equal(report.isShortened, true)
  assert.ok(report.ingredients.length > 900)
  const withFacts = report.ingredients.filter(({ credentials }) => executionLabel in (credentials?.assertions ?? {}))
  assert.equal(withFacts.length, 1)
  const problems = report.ingredients.map(({ credentials }) => credentials?.problems.length)
  assert.equal(problems[0], 50)
  // Commas and brackets are not counted.
  assert.ok(JSON.stringify(report).length < limits.credentialReportCharsMax * 1.2)
})

it('facts that are longer than the maximum are left out', () => {
  const manifest = { assertions: [{ label: executionLabel, data: 'x'.repeat(limits.credentialDataCharsMax) }] }
  const report = reportOf({ active_manifest: 'own', manifests: { own: manifest } })
  assert.deepEqual([report.assertions, report.isShortened], [{}, true])
})
