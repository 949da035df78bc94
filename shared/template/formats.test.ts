import assert from 'node:assert/strict'
import { it } from 'node:test'
import { templateLimits as limits } from '../limits.ts'
import { parseTemplate, TemplateProblem } from './template.ts'

const budget = () => ({ unitsLeft: limits.templatesUnitsMax, processorMs: () => 0 })
const render = (template: string, scope: Record<string, unknown> = {}) =>
  parseTemplate(template).evaluate(scope, budget())

function problemOf(template: string): string {
  try {
    const value = render(template)
    return assert.fail(`${template} is ${JSON.stringify(value)}`)
  } catch (error) {
    assert.ok(error instanceof TemplateProblem, String(error))
    return error.message
  }
}

/** Locales write several kinds of spaces. */
const spaced = (value: unknown) => String(value).replaceAll(/\s/g, ' ')

const cases: [template: string, expected: string][] = [
  ['{{ 1234.5 | format_number }}', '1,234.5'],
  ['{{ 1234.5 | format_number: "de-DE" }}', '1.234,5'],
  ['{{ 1234.5 | format_number: "pt-BR", decimals: 2 }}', '1.234,50'],
  ['{{ "1234.5" | format_number: locale: "fr" }}', '1 234,5'],
  ['{{ 0.256 | format_number: style: "percent" }}', '26%'],
  ['{{ 0.256 | format_number: "de", style: "percent", decimals: 1 }}', '25,6 %'],
  ['{{ 15300 | format_number: style: "compact" }}', '15K'],
  ['{{ 12.05 | format_currency: "EUR" }}', '€12.05'],
  ['{{ 12.05 | format_currency: "EUR", "de-DE" }}', '12,05 €'],
  ['{{ 1200 | format_currency: "jpy", "ja-JP" }}', '￥1,200'],
  ['{{ 12 | format_currency: "USD", decimals: 0 }}', '$12'],
  ['{{ "2026-11-23" | format_date }}', 'Nov 23, 2026'],
  ['{{ "2026-11-23" | format_date: "full", "de-DE" }}', 'Montag, 23. November 2026'],
  ['{{ "2026-11-23" | format_date: "short", "en-GB", timezone: "America/New_York" }}', '23/11/2026'],
  ['{{ "2026-11-23T23:30:00Z" | format_date: "short", "en-GB", timezone: "Asia/Tokyo" }}', '24/11/2026'],
  ['{{ "2026-11-23T18:30:00+01:00" | format_time: "short", "de" }}', '17:30'],
  ['{{ "2026-11-23T18:30:00Z" | format_time: "short", "de", timezone: "Europe/Berlin" }}', '19:30'],
  ['{{ 1795458600 | format_datetime: "medium", "short", "de-DE" }}', '23.11.2026, 18:30'],
  ['{{ "2024-02-29" | format_date: "long" }}', 'February 29, 2024'],
  ['from {{ 5 | format_currency: "GBP" }}', 'from £5.00'],
]
for (const [template, expected] of cases)
  it(`formats: ${template}`, () => assert.equal(spaced(render(template)), expected))

it('a value without a number stays empty, so that a default can follow', () => {
  assert.equal(render('{{ price | format_currency: "EUR" | default: "on request" }}', { price: null }), 'on request')
  assert.equal(render('a{{ day | format_date }}b', { day: null }), 'ab')
})

const mistakes: [template: string, message: RegExp][] = [
  ['{{ "many" | format_number }}', /^uses format_number on "many", which is not a number$/],
  ['{{ "1e5" | format_number }}', /not a number/],
  ['{{ 5 | format_number: "xx-klingon" }}', /^uses the locale "xx-klingon", which is not known\. Name one such as/],
  ['{{ 5 | format_number: "not a locale" }}', /the locale "not a locale", which is not known/],
  [
    '{{ 5 | format_number: decimals: 2.5 }}',
    /^uses format_number with 2\.5 decimals\. It must be a whole number from 0 to 20\.$/,
  ],
  ['{{ 5 | format_number: style: "roman" }}', /with the style "roman"\. It must be decimal, percent, compact\./],
  ['{{ 5 | format_number: colour: "red" }}', /doesn't have: "colour"\. It has locale, decimals, style\./],
  ['{{ 5 | format_number: "de", "EUR" }}', /an argument that it doesn't have\. It has locale/],
  ['{{ 5 | format_currency }}', /^uses format_currency without a currency/],
  [
    '{{ 5 | format_currency: "EUX" }}',
    /^uses the currency "EUX", which is not a code of ISO 4217 such as "EUR"\. Did you mean/,
  ],
  ['{{ "2026-02-30" | format_date }}', /^uses format_date on "2026-02-30", which is not a date\. Pass a text such as/],
  ['{{ "2026-02-30T10:00:00Z" | format_datetime }}', /"2026-02-30T10:00:00Z", which is not a date/],
  ['{{ "now" | format_date }}', /which is not a date/],
  ['{{ "2026-11-23" | format_date: "tiny" }}', /the style "tiny"\. It must be full, long, medium, short\./],
  [
    '{{ "2026-11-23T10:00:00Z" | format_time: timezone: "Europe/Atlantis" }}',
    /the time zone "Europe\/Atlantis", which is not known/,
  ],
  ['a {{ "many" | format_number }}', /^uses format_number on "many"/],
]
for (const [template, message] of mistakes)
  it(`names the mistake: ${template}`, () => assert.match(problemOf(template), message))

it('a text of more than 100 characters is not a number', () => {
  assert.equal(render('{{ value | format_number }}', { value: `${'0'.repeat(99)}5` }), '5')
  for (const value of [`${'0'.repeat(100)}5`, `${'1'.repeat(90_000)}x`, `${' '.repeat(90_000)}5`])
    assert.throws(() => render('{{ value | format_number }}', { value }), /which is not a number/)
})

it('a formatter is charged once in a rendering, and again in the next one', () => {
  const spent = (template: string) => {
    const shared = budget()
    parseTemplate(template).evaluate({}, shared)
    return limits.templatesUnitsMax - shared.unitsLeft
  }
  const one = spent('{{ 5 | format_number: "de" }}!')
  assert.equal(spent('{{ 5 | format_number: "de" }}!'), one)
  assert.ok(spent('{{ 5 | format_number: "de" }}{{ 6 | format_number: "de" }}') < one * 1.5)
  assert.ok(spent('{{ 5 | format_number: "de" }}{{ 6 | format_number: "fr" }}') > one * 1.8)
})

it('many formatters, or many values, exceed the limit of a template instead of taking long', () => {
  assert.doesNotThrow(() => render('{% for i in (1..400) %}{{ i | format_number: "de" }} {% endfor %}'))
  const calls = '{{ 5 | format_number: decimals: i }}{{ 5 | format_number: "de", decimals: i }}'
  const all = `${calls}${calls.replaceAll('de"', 'fr"')}${calls.replaceAll('de"', 'it"')}`
  assert.match(problemOf(`{% for i in (0..20) %}${all}{% endfor %}`), /exceeds the time limit/)
  assert.match(problemOf('{% for i in (1..5000) %}{{ i | format_time }}{% endfor %}'), /exceeds the time limit/)
})
