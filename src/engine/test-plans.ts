/** Plans of documents that use others, and the keys of their steps, for tests. */
import assert from 'node:assert/strict'
import { createStepKeys } from './cache/step-keys.ts'
import type { CheckedWorkflow, Checker, UsableWorkflows, UsedWorkflow } from './check/checked-workflow.ts'
import { newTemplateBudget } from './check/template-work.ts'
import type { Plan } from './plan/plan.ts'

export type Json = Record<string, unknown>

/** Checks documents, each of which can use those before it as `<key>@1`. */
export function libraryOf(check: Checker, documents: Record<string, Json>): UsableWorkflows {
  const usable = new Map<string, UsedWorkflow>()
  for (const [key, document] of Object.entries(documents)) {
    const { workflow, issues } = check({ name: key, ...document }, usable)
    assert.deepEqual(issues, undefined)
    const name = `${key}@1`
    usable.set(name, { name, id: `wf_${key}`, version: 1, workflow: workflow as CheckedWorkflow })
  }
  return usable
}

/** Node -> its key. Keys that wait for the values of other nodes are undefined. */
export async function keysOf(plan: Plan): Promise<Map<string, string | undefined>> {
  const keys = createStepKeys(plan, newTemplateBudget(), {
    fingerprint: 'f',
    identify: async (source) => `content of ${source}`,
    fonts: async () => [],
  })
  const found = new Map<string, string | undefined>()
  for (const { node } of plan.steps) found.set(node.id, (await keys.staticKey(node.id))?.identity.key)
  return found
}
