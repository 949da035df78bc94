/** The workflows that agents can run as a tool: those with a slug whose newest version has `mcp`. */
import { createBoundedCache } from '../../bounded-cache.ts'
import type { Workflow, WorkflowDocument, WorkflowStore } from '../../domain/workflows/workflow.ts'
import { limits } from '../../limits.ts'
import { documentsPerQuery } from '../images/image-uses.ts'

export interface AgentTool {
  workflowId: string
  slug: string
  version: number
  description: string
  parameters: NonNullable<WorkflowDocument['parameters']>
  /** The place of the workflow among those of the account, for `from` of a list. */
  at: number
}

export interface AgentTools {
  /** Looks at 100 workflows of the account, newest first, from this offset. `next`: the offset of the following ones. */
  list(accountId: string, from: number, signal: AbortSignal): Promise<{ tools: AgentTool[]; next: number | undefined }>
  find(accountId: string, slug: string): Promise<AgentTool | undefined>
}

type Facts = Pick<AgentTool, 'description' | 'parameters'>

const pageSize = 100

export function createAgentTools({
  workflows,
}: {
  workflows: Pick<WorkflowStore, 'list' | 'containing' | 'findBySlug' | 'findVersion'>
}): AgentTools {
  /** Facts of versions, which never change. Null: not a tool. */
  const cache = createBoundedCache<Facts | null>({
    bytesMax: limits.mcpToolsBytesMax,
    accountBytesMax: limits.mcpToolsAccountBytesMax,
  })
  const keyOf = ({ id, version }: Workflow) => `${id}/${version}`

  function keep(workflow: Workflow, facts: Facts | null): Facts | null {
    const bytes = 200 + (facts === null ? 0 : 2 * JSON.stringify(facts).length)
    cache.set(keyOf(workflow), facts, { accountId: workflow.accountId, bytes })
    return facts
  }

  async function read(workflow: Workflow): Promise<Facts | null> {
    const document = (await workflows.findVersion(workflow.id, workflow.version))?.document
    const { mcp, parameters = [] } = document ?? {}
    return keep(workflow, mcp === undefined ? null : { description: mcp.description, parameters })
  }

  return {
    async list(accountId, from, signal) {
      const { items } = await workflows.list(accountId, { limit: pageSize, offset: from }, {})
      const facts = new Map<string, Facts | null | undefined>()
      const named = items.filter(({ slug }) => slug !== null)
      for (const workflow of named) facts.set(workflow.id, cache.get(keyOf(workflow)))
      const unknown = named.filter(({ id }) => facts.get(id) === undefined)
      for (let start = 0; start < unknown.length; start += documentsPerQuery) {
        const some = unknown.slice(start, start + documentsPerQuery)
        // A text of a document has no quote without a backslash before it.
        const { ids } = await workflows.containing(
          accountId,
          some.map(({ id }) => id),
          '"mcp":{',
        )
        for (const workflow of some)
          facts.set(workflow.id, ids.has(workflow.id) ? await read(workflow) : keep(workflow, null))
        signal.throwIfAborted()
      }
      const tools = named.flatMap((workflow) =>
        toolOf(workflow, facts.get(workflow.id), from + items.indexOf(workflow)),
      )
      return { tools, next: items.length < pageSize ? undefined : from + pageSize }
    },

    async find(accountId, slug) {
      const workflow = await workflows.findBySlug(accountId, slug)
      if (workflow === undefined) return undefined
      const known = cache.get(keyOf(workflow))
      return toolOf(workflow, known === undefined ? await read(workflow) : known, 0)[0]
    },
  }
}

function toolOf({ id, slug, version }: Workflow, facts: Facts | null | undefined, at: number): AgentTool[] {
  return slug === null || !facts ? [] : [{ workflowId: id, slug, version, at, ...facts }]
}
