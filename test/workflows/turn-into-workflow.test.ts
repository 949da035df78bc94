/** "Turn into a workflow" of the console: the new workflow, inlined by the engine, is the same graph as before. */
import assert from 'node:assert/strict'
import { readdirSync } from 'node:fs'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import fc from 'fast-check'
import type { Catalogue } from '../../console/src/api/operations.ts'
import type { WorkflowDocument } from '../../console/src/api/workflow-document.ts'
import { readWorkflow } from '../../src/cli/workflow-files.ts'
import { createChecker } from '../../src/engine/check/check.ts'
import type { CheckedWorkflow, UsableWorkflows } from '../../src/engine/check/checked-workflow.ts'
import { planExecution } from '../../src/engine/plan/plan.ts'
import { keysOf } from '../../src/engine/test-plans.ts'
import { catalogue } from '../../src/operations/index.ts'

const folder = new URL('../../examples/workflows/', import.meta.url)
const documents = await Promise.all(
  readdirSync(folder)
    .filter((name) => name.endsWith('.yaml'))
    .map(async (file) => {
      const { document } = await readWorkflow(fileURLToPath(new URL(file, folder)))
      // The files name their pictures by paths.
      return JSON.parse(
        JSON.stringify(document).replaceAll('../pictures/', 'https://example.test/'),
      ) as WorkflowDocument
    }),
)
const check = createChecker(catalogue)

/**
 * A module that is not a static import, because the types of the console's packages need the compiler options of the
 * console.
 */
const module = new URL('../../console/src/editor/document/turn-into-workflow.ts', import.meta.url)
const { turnIntoWorkflow } = (await import(module.href)) as {
  turnIntoWorkflow(
    document: WorkflowDocument,
    ids: readonly string[],
    names: { name: string; slug: string },
    catalogue: Catalogue,
  ): { inner: WorkflowDocument; outer: WorkflowDocument; node: string } | { problem: string }
}

/** The operations as the console knows them. */
const operations = new Map(
  [...catalogue].map(([id, { inputs, outputs }]) => [
    id,
    {
      inputs: Object.entries(inputs).map(([name, { many, required }]) => ({ name, many, required })),
      outputs: { image: outputs.image ?? null },
    },
  ]),
) as unknown as Catalogue

const photo = 'https://example.test/photo.png'

/** Planned with the first example of the workflow. */
async function exampleKeysOf(workflow: CheckedWorkflow): Promise<Map<string, string | undefined>> {
  const missing = workflow.parameters.filter(({ required, default: value }) => required && value === undefined)
  const example = workflow.document.examples?.[0]?.parameters ?? {}
  const values = {
    ...Object.fromEntries(missing.map(({ name, type }) => [name, type === 'number' ? 7 : photo])),
    ...example,
  }
  const { plan, issues } = planExecution(workflow, values)
  assert.equal(issues, undefined, JSON.stringify(issues))
  assert.ok(plan)
  return keysOf(plan)
}

function checked(document: WorkflowDocument, usable?: UsableWorkflows): CheckedWorkflow {
  const { workflow, issues } = check(document, usable)
  assert.equal(issues, undefined, JSON.stringify(issues))
  return workflow as CheckedWorkflow
}

test('a turned selection has the steps and the cache keys of the same nodes before', async () => {
  assert.ok(documents.length > 10, `found ${documents.length}`)
  let count = 0
  const choices = fc.record({ at: fc.nat(documents.length - 1), share: fc.integer({ min: 2, max: 6 }), seed: fc.nat() })
  await fc.assert(
    fc.asyncProperty(choices, async ({ at, share, seed }) => {
      const document = documents[at] as WorkflowDocument
      // A run of nodes that are next to each other in the file, so that most selections can be turned.
      const nodes = Object.keys(document.nodes)
      const start = seed % nodes.length
      const ids = nodes.slice(start, start + share)
      const result = turnIntoWorkflow(document, ids, { name: 'Part', slug: 'the-part' }, operations)
      fc.pre(!('problem' in result))
      const { inner, outer, node } = result
      const workflow = checked(inner)
      const name = 'the-part@1'
      const usable = new Map([[name, { name, id: 'wf_part', version: 1, workflow }]])
      const before = await exampleKeysOf(checked(document))
      const after = await exampleKeysOf(checked(outer, usable))
      const innerKeys = new Map([...after].map(([id, key]) => [id.replace(`${node}/`, ''), key]))
      assert.deepEqual([...innerKeys.keys()].sort(), [...before.keys()].sort())
      // HTML has the ids of connected nodes in its text, so that the keys of its node and of all after it change.
      if (!JSON.stringify(document).includes('node:'))
        assert.deepEqual(innerKeys, new Map([...innerKeys.keys()].map((id) => [id, before.get(id)])))
      count += 1
    }),
    { numRuns: 80, seed: 7 },
  )
  assert.ok(count >= 80, `turned ${count}`)
})
