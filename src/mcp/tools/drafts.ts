/** Tools that write workflows. An agent saves drafts; a person publishes them, unless the key may. */
import Type from 'typebox'
import { Slug } from '../../domain/workflows/workflow.ts'
import { invalidRequest } from '../../errors.ts'
import { limits } from '../../limits.ts'
import type { Api } from '../api.ts'
import { againField, callKey, executionAnswer, executionOutput, previewsOf, waitFor } from '../executions.ts'
import { defineTool, reads, type ToolContext } from '../tool.ts'
import { documentOf, idOf, workflowField } from './workflows.ts'

/** An object in place of a record: some clients reject `patternProperties`. */
const anyObject = (options: { description: string; default?: object }) =>
  Type.Object({}, { ...options, additionalProperties: true })

const documentField = anyObject({
  description: 'The whole document. read_guide has its rules, and search_operations the nodes.',
})
const parametersField = anyObject({ default: {}, description: 'Values by parameter name.' })

interface Validation {
  valid: boolean
  issues: unknown[]
  warnings: unknown[]
  cost: { minUsd: number; maxUsd: number } | null
  steps: { fingerprint?: string }[]
}

export const validateWorkflow = defineTool({
  name: 'validate_workflow',
  title: 'Validate a workflow',
  description:
    'Checks a document, or a saved draft or workflow, with parameter values. Returns all problems with their path, what to do and `fix` (the most likely correction: `rename` of the field, another `value`, or `remove`), the plan of an execution, and its estimated cost. Executes nothing and costs nothing. Use it before save_draft, and before a call that can cost money.',
  needs: ['workflows:read', 'workflows:write'],
  annotations: reads,
  input: Type.Object(
    {
      document: Type.Optional(documentField),
      workflow: Type.Optional(workflowField),
      parameters: Type.Optional(anyObject({ description: 'Values by parameter name.' })),
    },
    { additionalProperties: false },
  ),
  async run({ document, workflow, parameters }, { api }) {
    const subject = document === undefined ? await savedSubject(api, workflow) : { document }
    const result = await api.json<Validation>('POST', '/workflows/validate', {
      body: { ...subject, ...(parameters && { parameters }) },
    })
    const steps = result.steps.map(({ fingerprint: _, ...step }) => withoutNulls(step))
    return { say: verdict(result), data: { ...result, steps } }
  },
})

/** The draft, or the newest version if there is none: the one that `execute_draft` executes. */
async function savedSubject(api: Api, workflow: string | undefined): Promise<object> {
  if (workflow === undefined) throw invalidRequest([{ path: 'document', message: 'is required, or `workflow`' }])
  const { workflowId, isDraft, document } = await documentOf(api, workflow)
  return isDraft ? { document } : { workflowId }
}

function withoutNulls(step: object): object {
  return Object.fromEntries(Object.entries(step).filter(([, value]) => value !== null))
}

function verdict({ valid, issues, cost }: Pick<Validation, 'valid' | 'issues' | 'cost'>): string {
  if (!valid) return `Not valid: correct ${issues.length === 1 ? 'the issue' : `all ${issues.length} issues`}.`
  if (cost === null)
    return 'Valid. The cost depends on parameters without a default, or on results of nodes: pass `parameters` to validate_workflow for an estimate.'
  return cost.maxUsd === 0
    ? 'Valid. An execution costs nothing.'
    : `Valid. An execution costs ${cost.minUsd} to ${cost.maxUsd} US dollars.`
}

export const saveDraft = defineTool({
  name: 'save_draft',
  title: 'Save a draft',
  description:
    'Saves a document as the draft of a workflow, or of a new one without `workflow`. Executions of the published version do not change. Returns the id, all problems and the cost, and the address where a person can compare and publish the draft.',
  needs: ['workflows:write', 'workflows:draft'],
  annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  input: Type.Object(
    { document: documentField, workflow: Type.Optional(workflowField) },
    { additionalProperties: false },
  ),
  async run({ document, workflow }, context) {
    const { api, caller } = context
    const draft =
      workflow === undefined
        ? await api.json<{ workflowId: string; revision: number }>('POST', '/workflows/drafts', {
            body: { document },
            headers: callKey(caller.key.id, 'save_draft', document),
          })
        : await api.json<{ workflowId: string; revision: number }>('PUT', await draftPath(api, workflow), {
            body: { document },
          })
    const { workflowId, revision } = draft
    const { valid, issues, warnings, cost } = await api.json<Validation>('POST', '/workflows/validate', {
      body: document,
    })
    const next = valid
      ? 'See its images with execute_draft. Show a person `reviewUrl` to compare and publish it.'
      : 'Then save it again with this `workflow`.'
    const say = `Saved as a draft. ${verdict({ valid, issues, cost })} ${next}`
    return {
      say,
      data: { workflowId, revision, valid, issues, warnings, cost, ...(valid && reviewOf(context, workflowId)) },
    }
  },
})

export const executeDraft = defineTool({
  name: 'execute_draft',
  title: 'Execute a draft',
  description:
    'Executes the draft of a workflow, or its newest version if it has no draft. Shows the output and the results of up to three nodes in `show`, to find the node that is wrong. Costs money only if nodes call AI models: validate_workflow estimates it.',
  needs: ['workflows:execute'],
  annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: true, openWorldHint: true },
  input: Type.Object(
    {
      workflow: workflowField,
      parameters: parametersField,
      node: Type.Optional(Type.String({ description: 'Execute up to this node. Its image becomes the output.' })),
      show: Type.Array(Type.String(), {
        default: [],
        maxItems: limits.mcpImagesMax - 1,
        description: 'Nodes whose result to show.',
      }),
      again: Type.Optional(againField),
    },
    { additionalProperties: false },
  ),
  output: executionOutput,
  async run({ workflow, parameters, node, show, again }, context) {
    const { api, caller } = context
    const path = await draftPath(api, workflow)
    const state = await stateOf(api, path)
    const body = { parameters, previews: true, async: true, ...(node === undefined ? {} : { node }) }
    const { executionId } = await api.json<{ executionId: string }>('POST', `${path}/execute`, {
      body,
      headers: callKey(caller.key.id, 'execute_draft', path, state, body, again ?? null),
    })
    const execution = await waitFor(context, executionId, limits.mcpWaitSeconds)
    const { nodes, images } = await previewsOf(context, executionId, show)
    const missing = show.filter((each) => !nodes.includes(each))
    const say = [
      ...(nodes.length > 0 ? ['After the output, the images are the results in `previews`, in this order.'] : []),
      ...(missing.length > 0 ? ['Nodes in `withoutPreview` did not run or do not exist.'] : []),
    ]
    const data = {
      ...(nodes.length > 0 && { previews: nodes }),
      ...(missing.length > 0 && { withoutPreview: missing }),
    }
    return executionAnswer(context, execution, { data, images, say: say.join(' ') })
  },
})

/** Changes with each save, so that a run after a change is a new one. */
async function stateOf(api: Api, path: string): Promise<unknown> {
  const drafts = await api.json<{ drafts: { revision: number }[]; total: number }>('GET', '/workflows/drafts', {
    query: { workflowId: decodeURIComponent(path.split('/')[2] ?? '') },
  })
  if (drafts.drafts[0]) return { revision: drafts.drafts[0].revision }
  const { version } = await api.json<{ version: number }>('GET', path.replace(/\/draft$/, ''))
  return { version }
}

export const compareDraft = defineTool({
  name: 'compare_draft',
  title: 'Compare a draft',
  description:
    'Renders the examples of the document with the draft and with the published version, and returns how much the images differ. Calls no AI models, so an example that needs one fails here.',
  needs: ['workflows:execute'],
  annotations: reads,
  input: Type.Object({ workflow: workflowField }, { additionalProperties: false }),
  async run({ workflow }, context) {
    const path = await draftPath(context.api, workflow)
    const compared = await context.api.json<{ examples: unknown[] }>('POST', `${path}/compare`)
    const say =
      compared.examples.length === 0
        ? 'The document has no examples: add some to compare their images.'
        : '`differing` is the share of pixels that differ. Show a person `reviewUrl` to see both.'
    return { say, data: { ...compared, ...reviewOf(context, decodeURIComponent(path.split('/')[2] ?? '')) } }
  },
})

export const publishDraft = defineTool({
  name: 'publish_draft',
  title: 'Publish a draft',
  description:
    'Publishes the draft as the next version, which all callers execute from then on. Do it only if the person asked you to publish. With `slug`, also sets the name of the workflow in URLs, which a tool for agents needs.',
  needs: ['workflows:write'],
  annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: false },
  input: Type.Object(
    {
      workflow: workflowField,
      note: Type.Optional(
        Type.String({
          minLength: 1,
          maxLength: limits.versionNoteCharsMax,
          description: 'What changed, for the list of versions.',
        }),
      ),
      slug: Type.Optional(Slug),
    },
    { additionalProperties: false },
  ),
  async run({ workflow, note, slug }, { api }) {
    const path = await draftPath(api, workflow)
    const saved = await api.json<{ id: string; version: number }>('POST', `${path}/publish`, {
      body: note === undefined ? {} : { note },
    })
    if (slug !== undefined) await api.json('PUT', `/workflows/${saved.id}/slug`, { body: { slug } })
    return { say: 'Published. Executions use this version now.', data: { ...saved, ...(slug && { slug }) } }
  },
})

async function draftPath(api: Api, workflow: string): Promise<string> {
  return `/workflows/${encodeURIComponent(await idOf(api, workflow))}/draft`
}

/** The page of the console with the draft next to the published version. */
function reviewOf({ services }: ToolContext, workflowId: string): { reviewUrl?: string } {
  return services.hasConsole ? { reviewUrl: `${services.serviceUrl()}/workflows/${workflowId}/versions?to=draft` } : {}
}
