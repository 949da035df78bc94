/** The largest documents and parameters that the interface allows never keep the event loop of the API for a second. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Document } from '../harness/documents.ts'
import { emptyMeasurements, type Measurements, withHealth } from '../neighbours/probe.ts'
import { bodyOf, openSetup, type Setup } from '../neighbours/setup.ts'

/** CPU time of the main thread that a health check may wait for. */
const mainThreadMsMax = 1_000

interface Case {
  name: string
  document(): unknown
  parameters?(): Record<string, unknown>
}

const node = { type: 'canvas', params: { width: 1, height: 1 } }
const text = (name: string) => ({ name, type: 'string', default: 'a' })
const html = (params: object) => ({ type: 'html', params: { html: '<b>a</b>', width: 9, ...params } })

/** A document with these nodes, the first of which is the output. */
function documentOf(nodes: Document['nodes'], parameters: object[] = [text('a')]): unknown {
  return { name: 'Large', parameters, nodes, output: { node: Object.keys(nodes)[0], format: 'png' } }
}

function nodesOf(count: number, make: (at: number) => Record<string, unknown>): Document['nodes'] {
  return Object.fromEntries(Array.from({ length: count }, (_, at) => [`n${at}`, make(at)]))
}

function chain(count: number, type: (at: number) => object): Document['nodes'] {
  const last = count - 1
  const nodes = nodesOf(count, (at) => (at === 0 ? { ...node } : { inputs: { image: `n${at - 1}` }, ...type(at) }))
  return { [`n${last}`]: nodes[`n${last}`] ?? {}, ...nodes }
}

/** Three templates of this length are nearly all that a document can have. */
const templateChars = 19_900
const cases: Case[] = [
  {
    name: 'three pages of 90,000 characters and 2,900 elements',
    document: () =>
      documentOf(nodesOf(3, () => html({ html: '<p class="a b c" style="color:red">a <b>b</b>'.repeat(1_400) }))),
  },
  {
    name: 'nine style sheets of 49,000 characters',
    document: () =>
      documentOf(nodesOf(9, () => html({ css: 'b > i ~ a:not(.x):hover{color:red;margin:1px 2px}'.repeat(1_000) }))),
  },
  {
    name: 'nine style sheets of long values',
    document: () =>
      documentOf(
        nodesOf(9, () => html({ css: `b{background:${'linear-gradient(red,blue),'.repeat(180)}none}`.repeat(10) })),
      ),
  },
  {
    name: 'nine style sheets of calculations in calculations',
    document: () =>
      documentOf(nodesOf(9, () => html({ css: `b{width:${'calc('.repeat(800)}1px${')'.repeat(800)}}`.repeat(10) }))),
  },
  {
    name: 'nine style sheets of variables',
    document: () =>
      documentOf(
        nodesOf(9, () =>
          html({
            css: `b{${Array.from({ length: 1_400 }, (_, at) => `--v${at + 1}:var(--v${at}) var(--v${at})`).join(';')}}`,
          }),
        ),
      ),
  },
  {
    name: 'a page of a parameter of 99,000 characters, four times',
    document: () => documentOf(nodesOf(4, () => html({ html: '{{ a | raw }}' }))),
    parameters: () => ({ a: '<p style="color:red">a'.repeat(2_900) }),
  },
  { name: 'a chain of 200 nodes', document: () => documentOf(chain(200, () => ({ type: 'flip' }))) },
  {
    name: 'a chain of 200 nodes with conditions',
    document: () =>
      documentOf(
        chain(200, () => ({ type: 'flip', when: '{{ a == "a" and b != "b" or a contains "c" }}' })),
        [text('a'), text('b')],
      ),
  },
  {
    name: 'a list of 100 items in each of 200 nodes',
    document: () =>
      documentOf(
        nodesOf(200, () => ({
          type: 'canvas',
          each: Array(100).fill(1).slice(0, 40),
          params: { width: 1, height: 1 },
        })),
      ),
  },
  {
    name: 'expressions of 1,500 operators in three nodes',
    document: () => documentOf(nodesOf(3, () => ({ ...node, when: `{{ a == "a"${' and a == "a"'.repeat(1_500)} }}` }))),
  },
  {
    name: 'filters after filters in three nodes',
    document: () =>
      documentOf(nodesOf(3, () => ({ type: 'text', params: { text: `{{ a${' | append: a'.repeat(1_600)} }}` } }))),
  },
  {
    name: 'blocks in blocks in three nodes',
    document: () =>
      documentOf(
        nodesOf(3, () => ({
          type: 'text',
          params: { text: `${'{%if a%}'.repeat(1_100)}${'{%endif%}'.repeat(1_100)}` },
        })),
      ),
  },
  {
    name: 'loops in each of 200 nodes',
    document: () =>
      documentOf(
        nodesOf(200, (at) => ({
          type: 'text',
          params: { text: `${at}{%for i in (1..900)%}{%for j in (1..900)%}{{j|times:i}}{%endfor%}{%endfor%}` },
        })),
      ),
  },
  {
    name: 'short loops in each of 200 nodes',
    document: () =>
      documentOf(
        nodesOf(200, (at) => ({
          type: 'text',
          params: { text: `${at}{%for i in (1..300)%}{%assign x=i|times:3|modulo:7%}{%endfor%}` },
        })),
      ),
  },
  {
    name: 'long replacements in each of 100 nodes',
    document: () =>
      documentOf(
        nodesOf(100, () => ({
          type: 'text',
          params: { text: '{{ a | replace: "a", "bb" | split: "" | sort | reverse | join: "-" | size }}' },
        })),
      ),
    parameters: () => ({ a: 'a'.repeat(60_000) }),
  },
  {
    name: 'all characters of templates in three nodes',
    document: () =>
      documentOf(
        nodesOf(3, (at) => ({ type: 'text', params: { text: `${at}${'{{a|upcase}}'.repeat(templateChars / 13)}` } })),
      ),
  },
  {
    name: 'unknown names of 500,000 characters',
    document: () => ({
      ...(documentOf({ n0: node }) as object),
      output: { node: 'n'.repeat(250_000), ['f'.repeat(200_000)]: 1 },
    }),
  },
  {
    name: '9,000 unknown params',
    document: () =>
      documentOf({
        n0: { type: 'canvas', params: Object.fromEntries(Array.from({ length: 9_000 }, (_, at) => [`widht${at}`, 1])) },
      }),
  },
  {
    name: '200 nodes with unknown operations of 2,000 characters',
    document: () => documentOf(nodesOf(200, (at) => ({ type: `resise${'e'.repeat(2_000)}${at}` }))),
  },
  {
    name: 'an SVG of 260,000 characters',
    document: () =>
      documentOf({
        n0: {
          type: 'svg',
          params: {
            svg: `<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9">${'<g style="fill:red" a="(\\61"/>'.repeat(8_600)}</svg>`,
          },
        },
      }),
  },
  {
    name: 'a table of colors of 260,000 characters',
    document: () =>
      documentOf({
        n0: {
          type: 'lut',
          inputs: { image: 'n1' },
          params: { cube: `LUT_1D_SIZE 43000\n${'0 0 1\n'.repeat(43_000)}` },
        },
        n1: node,
      }),
  },
  {
    name: 'nine charts of 20,000 characters',
    document: () =>
      documentOf(
        nodesOf(20, () => ({ type: 'chart', params: { data: `${'"a",1\n'.repeat(498)}${'"'.repeat(9_000)}` } })),
      ),
  },
  {
    name: '100 texts of 5,000 characters of markup',
    document: () =>
      documentOf(
        nodesOf(100, () => ({
          type: 'text',
          params: { markup: true, text: `${'<b>'.repeat(600)}a${'</b>'.repeat(600)}` },
        })),
      ),
  },
  {
    name: 'a schema of 50 values in each of 40 parameters, and 9,000 values',
    document: () =>
      documentOf(
        { n0: node },
        Array.from({ length: 40 }, (_, at) => ({
          name: `p${at}`,
          type: 'string',
          format: 'json',
          schema: {
            type: 'array',
            items: {
              type: 'object',
              properties: Object.fromEntries(
                Array.from({ length: 12 }, (_, key) => [`k${key}`, { type: 'string', enum: ['a', 'b'] }]),
              ),
            },
          },
        })),
      ),
    parameters: () => ({
      p0: Array.from({ length: 700 }, () =>
        Object.fromEntries(Array.from({ length: 12 }, (_, key) => [`k${key}`, 'a'])),
      ),
    }),
  },
  {
    name: 'layout of 9,000 values',
    document: () => ({
      ...(documentOf({ n0: node }) as object),
      layout: Object.fromEntries(Array.from({ length: 3_000 }, (_, at) => [`n${at}`, [at, at]])),
    }),
  },
]

describe('the event loop of the API', { concurrency: 1 }, () => {
  let setup: Setup
  const rows: string[] = []
  before(async () => {
    setup = await openSetup()
  })
  after(async () => {
    for (const row of rows) process.stdout.write(`${row}\n`)
    await setup?.close()
  })

  for (const { name, document, parameters } of cases) {
    test(`stays free while a document is validated, saved and executed: ${name}`, async () => {
      const measurements = emptyMeasurements()
      const [json, values] = [document(), parameters?.() ?? {}]
      const statuses: string[] = []
      const timed = async (label: string, path: string, body: object) => {
        const step: Measurements = emptyMeasurements()
        const startMs = performance.now()
        const response = await withHealth(setup.service, step, setup.a.send('POST', path, { json: body }))
        measurements.mainThreadMs.push(...step.mainThreadMs)
        const slowest = Math.round(Math.max(...step.mainThreadMs))
        statuses.push(
          `${label} ${response.status}: ${Math.round(performance.now() - startMs)} ms, longest turn ${slowest} ms`,
        )
        return response
      }
      await timed('validate', '/workflows/validate', { document: json, parameters: values })
      const saved = await timed('save', '/workflows', json as object)
      if (saved.status === 201) {
        const { id } = bodyOf<{ id: string }>(saved)
        await timed('execute', '/workflows/execute', { workflowId: id, parameters: values, async: true })
      }
      rows.push(
        `${name} | ${statuses.join(' | ')} | ${saved.status === 201 ? '' : saved.bytes.toString().slice(0, 200)}`,
      )
      const slowest = Math.max(...measurements.mainThreadMs)
      assert.ok(slowest < mainThreadMsMax, `a health check waited for ${slowest} ms of CPU`)
    })
  }
})
