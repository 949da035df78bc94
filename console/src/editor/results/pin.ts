/** Actions on the results of nodes: pin one, use an earlier one, bypass a node. */

import type { QueryClient } from '@tanstack/react-query'
import { endedExecution } from '../../api/execution-events.ts'
import { executeDraft, executedDocumentQuery } from '../../api/executions.ts'
import { asDocument } from '../../api/read-document.ts'
import type { WorkflowDocument } from '../../api/workflow-document.ts'
import { showError } from '../../ui/show-error.ts'
import { withExecutedPart } from '../document/executed.ts'
import { bypass, isBypassed, turnOn } from '../document/node-records.ts'
import { partUpTo } from '../document/part.ts'
import type { Editor } from '../state/editor.ts'
import { declaredValues, valuesOf } from '../state/parameter-values.ts'
import { declaredVariations } from '../state/variations.ts'
import { forecast } from './forecast.ts'
import type { NodeResult } from './node-results.ts'

/** Maximum of the API. Otherwise the image may expire as the outputs of its project do. */
const keptSeconds = 315_360_000

/** Stores the present result of a node as an image, without loss, and returns its id. Throws if that would call a model. */
export async function storeResult(editor: Editor, node: string): Promise<string> {
  const { valid, cost, issues } = await forecast(editor, { node })
  if (!valid) throw new Error(issues[0]?.message ?? `The node ${node} can’t run.`)
  if (cost === null || cost.maxUsd > 0)
    throw new Error(`${node} has no stored result for its present settings. Run it, or choose one of its results.`)
  await editor.autosave.flush()
  const output = await execute(editor, node)
  const { imageId } = output.expiresAt === undefined ? output : await execute(editor, node, keptSeconds)
  if (imageId === undefined) throw new Error(`The result of ${node} wasn’t stored.`)
  return imageId
}

async function execute({ workflowId, document: store, run }: Editor, node: string, expiresIn?: number) {
  const { document, variations } = store.getState()
  const { executionId } = await executeDraft(workflowId, {
    node,
    format: 'png',
    parameters: declaredValues(document, run.getState().values),
    variations: declaredVariations(document, variations),
    ...(expiresIn === undefined ? {} : { expiresIn }),
  })
  const { output, error } = await endedExecution(executionId, new AbortController().signal)
  if (output === undefined) throw new Error(error?.message ?? `The result of ${node} wasn’t stored.`)
  return output
}

/** The present result is used from now on, whatever changes before the node. */
export async function pin(editor: Editor, node: string, key?: string): Promise<void> {
  const image = await storeResult(editor, node)
  setPin(editor, node, image, key)
  await runIfFree(editor)
}

/** Pins the present result, or says why it can't. */
export async function pinOrSay(editor: Editor, node: string): Promise<void> {
  await pin(editor, node).catch((error) => showError(`${node} isn’t pinned`, error))
}

export function unpin(editor: Editor, node: string): void {
  setPin(editor, node, undefined)
}

function setPin(editor: Editor, id: string, image: string | undefined, key?: string): void {
  editor.document.getState().change(
    image === undefined ? `Unpin ${id}` : `Pin ${id}`,
    ({ nodes: { [id]: node } }) => {
      if (node === undefined) return
      if (image === undefined) delete node.pinned
      else node.pinned = image
    },
    key === undefined ? {} : { key },
  )
}

/** Skips the node in each run, or runs it again. */
export function toggleBypass(editor: Editor, id: string): void {
  const { document, change } = editor.document.getState()
  if (isBypassed(document, id)) change(`Turn on ${id}`, (draft) => turnOn(draft, id))
  else change(`Bypass ${id}`, (draft) => bypass(draft, id))
}

/** Shows the images after a change that needs no model call. Otherwise the price is next to "Run". */
export async function runIfFree(editor: Editor): Promise<void> {
  const { isRunning, start } = editor.run.getState()
  if (isRunning) return
  const { valid, cost } = await forecast(editor)
  if (valid && cost?.maxUsd === 0) start()
}

/**
 * Uses an earlier result again: with its variation, and if the settings have changed since, with the node and all that it needs as they were
 * then. One change, and no model call: throws if the result was deleted from the cache. A pinned node is pinned to it.
 */
export async function applyResult(editor: Editor, queryClient: QueryClient, result: NodeResult): Promise<void> {
  const { node, variation, executionIds, fingerprint } = result
  const { document, variations, change } = editor.document.getState()
  const { values } = editor.run.getState()
  const varied = { ...variations, [node]: variation }
  const unpinned = withoutPin(document, node)
  const find = async (candidate: { document: WorkflowDocument; values: typeof values }) => {
    const { steps } = await forecast(editor, { ...candidate, variations: varied, node })
    const step = steps.find((each) => each.node === node)
    return step?.fingerprint === fingerprint ? { ...candidate, isStored: step.servedFrom !== null } : undefined
  }
  const executed = async () => {
    const then = asDocument(await queryClient.ensureQueryData(executedDocumentQuery(executionIds[0])))
    if (then === undefined || !Object.hasOwn(then.nodes, node)) return undefined
    const restored = withExecutedPart(unpinned, partUpTo(then, node), true)
    return find({ document: restored, values: { ...values, ...valuesOf(restored, result.parameters) } })
  }
  const found = (await find({ document: unpinned, values })) ?? (await executed())
  if (!found?.isStored) throw new Error('This result was deleted from the cache. A new variation makes another one.')
  const key = `use ${fingerprint} ${Date.now()}`
  change(
    `Use another result of ${node}`,
    (draft) => {
      Object.assign(draft, found.document)
    },
    { key, variations: varied },
  )
  if (found.values !== values) editor.run.getState().setValues(found.values)
  if (document.nodes[node]?.pinned === undefined) await runIfFree(editor)
  else await pin(editor, node, key)
}

function withoutPin(document: WorkflowDocument, id: string): WorkflowDocument {
  const { pinned, ...node } = document.nodes[id] ?? { type: '' }
  return pinned === undefined ? document : { ...document, nodes: { ...document.nodes, [id]: node } }
}
