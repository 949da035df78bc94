/** Reports of stores as the library returns them for files that were made to mislead or to overload a reader. */
import assert from 'node:assert/strict'
import { it } from 'node:test'
import { executionLabel } from '../domain/credentials/credentials.ts'
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
  const report = reportOf({ active_manifest: 'own', manifests: { own: { ingredients }, shared } }, new Set())
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
  const report = reportOf({ active_manifest: 'own', manifests: { own: manifest } }, new Set())
  assert.deepEqual([report.assertions, report.isShortened], [{}, true])
})

it('an ingredient is not trusted because an unknown signer recorded it, and only the file itself is an own one', () => {
  const trusted = { code: 'signingCredential.trusted', explanation: 'found in [user_anchors] trust anchors' }
  const untrusted = { code: 'signingCredential.untrusted' }
  const shared = { signature_info: {} }
  const ingredient = {
    active_manifest: 'shared',
    label: 'i',
    validation_results: { activeManifest: { success: [trusted], failure: [] } },
  }
  const own = { signature_info: {}, ingredients: [ingredient] }
  const deltas = (failure: unknown[]) => [
    { ingredientAssertionURI: 'self#jumbf=/c2pa/own/c2pa.assertions/i', validationDeltas: { failure } },
  ]
  const cases = [
    { active: { success: [trusted], failure: [] }, delta: [], states: ['trusted', 'trusted'] },
    { active: { success: [trusted], failure: [] }, delta: [untrusted], states: ['trusted', 'valid'] },
    { active: { success: [], failure: [untrusted] }, delta: [], states: ['valid', 'valid'] },
  ]
  for (const { active, delta, states } of cases) {
    const results = { activeManifest: active, ingredientDeltas: deltas(delta) }
    const store = { active_manifest: 'own', manifests: { own, shared }, validation_results: results }
    const report = reportOf(store, new Set())
    const inner = report.ingredients[0]?.credentials
    assert.deepEqual([report.state, inner?.state], states)
    assert.equal(inner?.signer?.isOwn, false)
  }
})

it('a file that names the own certificate without a signature of it is not an own one', () => {
  const read = (activeManifest: unknown) => {
    const manifests = { own: { signature_info: {} } }
    return reportOf({ active_manifest: 'own', manifests, validation_results: { activeManifest } }, new Set(['own']))
  }
  const untrusted = { code: 'signingCredential.untrusted' }
  const signed = read({ success: [{ code: 'claimSignature.validated' }], failure: [untrusted] })
  assert.deepEqual([signed.state, signed.problems, signed.signer?.isOwn], ['trusted', [], true])
  const forged = read({ success: [], failure: [untrusted, { code: 'claimSignature.mismatch' }] })
  assert.deepEqual([forged.state, forged.signer?.isOwn], ['invalid', false])
})
