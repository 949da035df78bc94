/** The largest documents and parameters that the interface allows never keep the event loop of the API for a second. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Document } from '../harness/documents.ts'
import { emptyMeasurements, type Measurements, withHealth } from '../neighbours/probe.ts'
import { bodyOf, openSetup, type Setup } from '../neighbours/setup.ts'

/** CPU time of the main thread that a health check may wait for. */
const mainThreadMsMax = 1_000

type Case = () => { document: unknown; parameters?: Record<string, unknown> }

const node = { type: 'canvas', params: { width: 1, height: 1 } }
const text = (name: string) => ({ name, type: 'string', default: 'a' })
const words = (written: string) => ({ type: 'text', params: { text: written } })
const html = (params: object) => ({ type: 'html', params: { html: '<b>a</b>', width: 9, ...params } })

/** A document with these nodes, the first of which is the output. */
function documentOf(nodes: Document['nodes'], parameters: object[] = [text('a'), text('b')]): unknown {
  return { name: 'Large', parameters, nodes, output: { node: Object.keys(nodes)[0], format: 'png' } }
}

function nodesOf(count: number, make: (at: number) => Record<string, unknown>): unknown {
  return documentOf(Object.fromEntries(Array.from({ length: count }, (_, at) => [`n${at}`, make(at)])))
}

function chain(count: number, type: object): unknown {
  const links = Array.from({ length: count }, (_, at) => [
    `n${at}`,
    at === count - 1 ? node : { ...type, inputs: { image: `n${at + 1}` } },
  ])
  return documentOf(Object.fromEntries(links))
}

const fields = <T>(of: T) => Object.fromEntries(Array.from({ length: 12 }, (_, key) => [`k${key}`, of]))
const rows = (properties: object) => ({
  ...{ type: 'string', format: 'json', schema: { type: 'array', items: { type: 'object', properties } } },
})

const cases: Record<string, Case> = {
  'three pages of 90,000 characters and 2,900 elements': () => ({
    document: nodesOf(3, () => html({ html: '<p class="a b c" style="color:red">a <b>b</b>'.repeat(1_400) })),
  }),
  'nine style sheets of selectors': () => ({
    document: nodesOf(9, () => html({ css: 'b > i ~ a:not(.x):hover{color:red;margin:1px 2px}'.repeat(1_000) })),
  }),
  'nine style sheets of calculations in calculations': () => ({
    document: nodesOf(9, () => html({ css: `b{width:${'calc('.repeat(800)}1px${')'.repeat(800)}}`.repeat(10) })),
  }),
  'a page of a parameter of 99,000 characters, four times': () => ({
    document: nodesOf(4, () => html({ html: '{{ a | raw }}' })),
    parameters: { a: '<p style="color:red">a'.repeat(2_900) },
  }),
  'a chain of 200 nodes with conditions': () => ({
    document: chain(200, { type: 'flip', when: '{{ a == "a" and b != "b" or a contains "c" }}' }),
  }),
  'a list of 40 items in each of 200 nodes': () => ({ document: nodesOf(200, () => ({ ...node, each: 40 })) }),
  'expressions of 1,500 operators in three nodes': () => ({
    document: nodesOf(3, () => ({ ...node, when: `{{ a == "a"${' and a == "a"'.repeat(1_500)} }}` })),
  }),
  'blocks in blocks in three nodes': () => ({
    document: nodesOf(3, () => words(`${'{%if a%}'.repeat(1_100)}${'{%endif%}'.repeat(1_100)}`)),
  }),
  'loops in each of 200 nodes': () => ({
    document: nodesOf(200, (at) =>
      words(`${at}{%for i in (1..900)%}{%for j in (1..900)%}{{j|times:i}}{%endfor%}{%endfor%}`),
    ),
  }),
  'long replacements in each of 100 nodes': () => ({
    document: nodesOf(100, () => words('{{ a | replace: "a", "bb" | split: "" | sort | reverse | join: "-" | size }}')),
    parameters: { a: 'a'.repeat(60_000) },
  }),
  'unknown names of 500,000 characters': () => ({
    document: {
      ...(documentOf({ n0: node }) as object),
      output: { node: 'n'.repeat(250_000), ['f'.repeat(200_000)]: 1 },
    },
  }),
  '200 nodes with unknown operations of 2,000 characters': () => ({
    document: nodesOf(200, (at) => ({ type: `resise${'e'.repeat(2_000)}${at}` })),
  }),
  'an SVG of 260,000 characters': () => ({
    document: nodesOf(1, () => ({
      type: 'svg',
      params: {
        svg: `<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9">${'<g style="fill:red" a="(\\61"/>'.repeat(8_600)}</svg>`,
      },
    })),
  }),
  'a table of colors of 260,000 characters': () => {
    const lut = { type: 'lut', params: { cube: `LUT_1D_SIZE 43000\n${'0 0 1\n'.repeat(43_000)}` } }
    return { document: chain(2, lut) }
  },
  'a schema of 12 fields in each of 40 parameters, and 9,000 values': () => ({
    document: documentOf(
      { n0: node },
      Array.from({ length: 40 }, (_, at) => ({
        name: `p${at}`,
        ...rows(fields({ type: 'string', enum: ['a', 'b'] })),
      })),
    ),
    parameters: { p0: Array(700).fill(fields('a')) },
  }),
}

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

  for (const [name, make] of Object.entries(cases)) {
    test(`stays free while a document is validated, saved and executed: ${name}`, async () => {
      const measurements = emptyMeasurements()
      const { document: json, parameters: values = {} } = make()
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
