/** Tools that read workflows and their drafts. */
import Type from 'typebox'
import { Fault } from '../../errors.ts'
import { limits } from '../../limits.ts'
import type { Api } from '../api.ts'
import { defineTool, reads } from '../tool.ts'

const pageSize = 25

export const workflowField = Type.String({ maxLength: 100, description: 'The id or the slug of the workflow.' })

export const listWorkflows = defineTool({
  name: 'list_workflows',
  title: 'List workflows',
  description: `Lists saved workflows, or drafts, newest first, ${pageSize} at a time: id, slug, name and version.`,
  needs: ['workflows:read'],
  annotations: reads,
  input: Type.Object(
    {
      search: Type.Optional(Type.String({ minLength: 1, maxLength: 255, description: 'A part of the name.' })),
      drafts: Type.Boolean({
        default: false,
        description: 'List drafts, also of workflows that are not published yet.',
      }),
      offset: Type.Integer({ minimum: 0, maximum: limits.pageOffsetMax, default: 0, description: 'Skip this many.' }),
    },
    { additionalProperties: false },
  ),
  async run({ search, drafts, offset }, { api }) {
    const query = { search, offset, limit: pageSize, ...(drafts ? {} : { include: 'version' }) }
    const page = await api.json<{ hasMore: boolean }>('GET', drafts ? '/workflows/drafts' : '/workflows', { query })
    const more = page.hasMore ? ` There are more: call again with offset ${offset + pageSize}.` : ''
    return { say: `Pass the id or the slug to get_workflow.${more}`, data: page }
  },
})

export const getWorkflow = defineTool({
  name: 'get_workflow',
  title: 'Get a workflow',
  description:
    'Returns the document of a workflow: of its draft if it has one, or else of its newest version. A long document is shortened: use `path` to read a part in full.',
  needs: ['workflows:read'],
  annotations: reads,
  input: Type.Object(
    {
      workflow: workflowField,
      version: Type.Optional(Type.Integer({ minimum: 1, description: 'A published version instead of the draft.' })),
      path: Type.Optional(
        Type.String({ maxLength: 500, description: 'A part of the document, such as `nodes.title.params.text`.' }),
      ),
      from: Type.Integer({
        minimum: 0,
        default: 0,
        description: 'If the part is a long text: return it from this character, or from this item of a list.',
      }),
    },
    { additionalProperties: false },
  ),
  async run({ workflow, version, path, from }, { api }) {
    const found = await documentOf(api, workflow, version)
    const part = path === undefined ? found.document : partOf(found.document, path)
    const rest = typeof part === 'string' || Array.isArray(part) ? part.slice(from) : part
    const is = found.isDraft ? 'This is the draft, which is not published.' : 'This is a published version.'
    return { say: is, data: { ...found, ...(path === undefined ? {} : { path }), document: rest } }
  },
})

interface Found {
  workflowId: string
  slug?: string | undefined
  version?: number | undefined
  isDraft: boolean
  document: unknown
}

/** The draft, or the newest version if there is none; with `version`, that one. */
export async function documentOf(api: Api, workflow: string, version?: number): Promise<Found> {
  const saved = await published(api, workflow, version)
  const workflowId = saved?.id ?? workflow
  if (version === undefined) {
    const draft = await unlessMissing(
      api.json<{ document: unknown }>('GET', `/workflows/${encodeURIComponent(workflowId)}/draft`),
    )
    if (draft !== undefined) return { workflowId, slug: saved?.slug, isDraft: true, document: draft.document }
  }
  const query = { version }
  const document = await api.json('GET', `/workflows/${encodeURIComponent(workflowId)}/document`, { query })
  return { workflowId, slug: saved?.slug, version: saved?.version, isDraft: false, document }
}

/** The id of a workflow, also of one that is not published: then it has no slug. */
export async function idOf(api: Api, workflow: string): Promise<string> {
  return (await published(api, workflow))?.id ?? workflow
}

async function published(api: Api, workflow: string, version?: number) {
  const path = `/workflows/${encodeURIComponent(workflow)}`
  return unlessMissing(api.json<{ id: string; slug?: string; version: number }>('GET', path, { query: { version } }))
}

export async function unlessMissing<Value>(reading: Promise<Value>): Promise<Value | undefined> {
  return reading.catch((error: unknown) => {
    if (error instanceof Fault && error.code === 'not_found') return undefined
    throw error
  })
}

function partOf(document: unknown, path: string): unknown {
  let part = document
  for (const name of path.split('.')) {
    if (typeof part !== 'object' || part === null || !Object.hasOwn(part, name))
      throw new Fault('not_found', `The document has no part ${JSON.stringify(path)}.`)
    part = (part as Record<string, unknown>)[name]
  }
  return part
}
