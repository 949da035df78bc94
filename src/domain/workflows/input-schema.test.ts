import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { dataUrlCharsMax, textForms } from '../../../shared/parameter-formats.ts'
import { clientCheck, type Declaration, declarations, valuesFor } from '../../../test/harness/random-schemas.ts'
import { repetitions } from '../../../test/harness/repetitions.ts'
import { bindParameters, checkDeclarations } from '../../engine/check/parameters.ts'
import { isColor } from '../validate.ts'
import { inputSchemaOf } from './input-schema.ts'
import type { ParameterDeclaration } from './workflow.ts'

const isValid = (declaration: Declaration) => checkDeclarations([declaration as ParameterDeclaration]).length === 0

test('the input schema accepts exactly the parameters that are bound', () => {
  const counts = { accepted: 0, rejected: 0 }
  const numRuns = repetitions(200, 1_000)
  const cases = declarations.filter(isValid).chain((declaration) => {
    const parameters = fc.oneof(
      { weight: 9, arbitrary: valuesFor(declaration).map((passed) => ({ value: passed })) },
      { weight: 1, arbitrary: fc.constantFrom({}, { other: 1 }) },
    )
    return fc.tuple(fc.constant(declaration), fc.array(parameters, { minLength: 20, maxLength: 20 }))
  })
  fc.assert(
    fc.property(cases, ([declared, requests]) => {
      const declaration = declared as ParameterDeclaration
      const accepts = clientCheck(inputSchemaOf([declaration]))
      for (const request of requests) {
        const parameters = JSON.parse(JSON.stringify(request)) as Record<string, unknown>
        const { values, issues } = bindParameters([declaration], parameters)
        const isAccepted = issues.length === 0
        counts[isAccepted ? 'accepted' : 'rejected'] += 1
        assert.equal(accepts(parameters), isAccepted, `${JSON.stringify(parameters)}: ${JSON.stringify(issues)}`)
        // A resumed execution, and the worker, bind the values that were bound before.
        if (isAccepted) assert.deepEqual(bindParameters([declaration], values), { values, issues: [] })
      }
    }),
    { numRuns },
  )
  assert.ok(counts.accepted > 2 * numRuns && counts.rejected > 2 * numRuns, JSON.stringify(counts))
})

test('every text in the format color is a colour of the renderer', () => {
  for (const { pattern } of textForms.color.forms)
    fc.assert(
      fc.property(fc.stringMatching(new RegExp(pattern)), (color) => isColor(color)),
      { numRuns: 2_000 },
    )
})

test('a data: URL has at most 512 KiB', () => {
  const photo = [{ name: 'photo', type: 'string', format: 'image' }] as const
  const accepts = clientCheck(inputSchemaOf(photo))
  for (const [bytes, isAccepted] of [
    [524_288, true],
    [dataUrlCharsMax, false],
  ] as const) {
    const parameters = { photo: `data:image/jpeg;base64,${Buffer.alloc(bytes).toString('base64')}` }
    assert.equal(bindParameters(photo, parameters).issues.length === 0, isAccepted)
    assert.equal(accepts(parameters), isAccepted)
  }
})
