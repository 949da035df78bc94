import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { checkCssSource } from '../../src/imaging/html/check-markup.ts'
import { otherForms, properties, withoutEffect, withoutImportant } from '../../src/imaging/html/properties.ts'
import type { Pixels } from '../../src/imaging/types.ts'
import { renderCard } from './card.ts'
import { sampleCard } from './samples.ts'

describe('each supported CSS property changes its sample', () => {
  for (const [name, { sample, use, except = [] }] of properties) {
    test(name, async () => {
      const others = use.split(';').slice(1).join(';').trim()
      const [without, with_, important] = await Promise.all([
        renderCard(sampleCard(sample, others)),
        renderCard(sampleCard(sample, `${name}: ${use}`)),
        withoutImportant.has(name) ? undefined : renderCard(sampleCard(sample, `${name}: ${use}`, true)),
      ])
      assert.ok(differs(without, with_), `${name}: ${use} changes nothing`)
      if (important) assert.ok(important.data.equals(with_.data), `${name} with !important differs`)
      for (const keyword of except) {
        const [problem] = checkCssSource(`a { ${name}: ${keyword} }`, [])
        assert.match(problem?.message ?? '', /is not supported|invalid/, `${name}: ${keyword}`)
      }
    })
  }
})

test('a property is supported, without effect, or rejected with a fix', () => {
  for (const name of withoutEffect) {
    assert.ok(!properties.has(name), name)
    assert.deepEqual(checkCssSource(`a { ${name}: auto }`, []), [], name)
  }
  for (const key of otherForms.keys()) assert.deepEqual(checkCssSource(`a { ${key.replace(' ', ': ')} }`, []), [], key)
  for (const name of withoutImportant) {
    const [problem] = checkCssSource(`a { ${name}: ${properties.get(name)?.use.split(';')[0]} !important }`, [])
    assert.match(problem?.message ?? '', /!important/, name)
  }
  const [problem] = checkCssSource('a { colr: red }', [])
  assert.deepEqual(problem, {
    line: 1,
    column: 5,
    message: 'the property "colr" is not supported. Did you mean "color"?',
  })
})

function differs(a: Pixels, b: Pixels): boolean {
  return a.width !== b.width || a.height !== b.height || !a.data.equals(b.data)
}
