import assert from 'node:assert/strict'
import { it } from 'node:test'
import { newTemplateTime, parseTemplate, TemplateProblem } from './template.ts'

/** As another process that has the machine for itself. */
function hold(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms)
}

const held = {
  get name() {
    hold(150)
    return 'Ada'
  },
}

for (const text of ['To {{ name }}.', '{{ name }}']) {
  it(`${text} is not to blame for the time that the processor does something else`, () => {
    const time = newTemplateTime()
    for (let i = 0; i < 8; i += 1) assert.match(String(parseTemplate(text).evaluate(held, time)), /Ada/)
    assert.ok(time.leftMs > 0)
  })
}

it('one that keeps the processor is stopped', () => {
  const text = '{% for i in (1..20000) %}{% for j in (1..20000) %}{% assign k = j %}{% endfor %}{% endfor %}'
  assert.throws(
    () => parseTemplate(text).evaluate({}, newTemplateTime()),
    (error) => error instanceof TemplateProblem && error.overLimit && /takes too much time/.test(error.message),
  )
})

it('many that are quick by themselves are stopped together', () => {
  const template = parseTemplate('{% for i in (1..5000) %}{% assign k = i %}{% endfor %}')
  const time = newTemplateTime()
  assert.throws(
    () => {
      for (;;) template.evaluate({}, time)
    },
    (error) => error instanceof TemplateProblem && error.overLimit && /together took/.test(error.message),
  )
})
