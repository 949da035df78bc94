/** The models of the OpenAI-compatible API: workflows whose document has `openai`, by `slug`, `slug@channel` or `slug@version`. */
import { show } from '../../../shared/text.ts'
import { createFairQueue } from '../../domain/fair-queue.ts'
import type { Place } from '../../domain/page.ts'
import type { ChannelStore } from '../../domain/workflows/channel.ts'
import type { OpenAi } from '../../domain/workflows/openai.ts'
import type { Workflow, WorkflowStore } from '../../domain/workflows/workflow.ts'
import { Fault, invalidRequest } from '../../errors.ts'
import { limits } from '../../limits.ts'
import { documentsPerQuery } from '../images/image-uses.ts'
import { forRequest, type VersionCache } from './version-cache.ts'
import type { VersionChooser } from './version-chooser.ts'

export interface OpenAiModel {
  id: string
  /** When the workflow was created. */
  createdAt: number
}

export interface OpenAiModels {
  /** The version of a model, and the parameters for its requests. Throws `not_found` and `invalid_request`. */
  find(accountId: string, model: string): Promise<{ workflowId: string; version: number; openai: OpenAi }>
  /**
   * The workflows whose newest version is a model, the newest workflows first, each with those of its channels that are. At most
   * `openAiModelsMax`. Waits for lists of others: one runs at a time, and accounts alternate. Rejects with the reason of the signal.
   */
  list(accountId: string, signal: AbortSignal): Promise<OpenAiModel[]>
}

interface Dependencies {
  workflows: Pick<WorkflowStore, 'list' | 'containing' | 'findVersion'>
  channels: Pick<ChannelStore, 'list'>
  versionChooser: Pick<VersionChooser, 'findWorkflow' | 'find'>
  versionCache: Pick<VersionCache, 'get'>
}

const workflowsPerQuery = 100

export function createOpenAiModels({ workflows, channels, versionChooser, versionCache }: Dependencies): OpenAiModels {
  const lists = createFairQueue({ slots: 1 })

  async function isModel(workflowId: string, version: number): Promise<boolean> {
    return (await workflows.findVersion(workflowId, version))?.document.openai !== undefined
  }

  /** Returns an empty list if the newest version isn't a model. */
  async function modelsOf({ id, slug, version, createdAt }: Workflow): Promise<OpenAiModel[]> {
    if (!(await isModel(id, version))) return []
    const name = slug ?? id
    const models = [{ id: name, createdAt }]
    for (const channel of await channels.list(id))
      if (await isModel(id, channel.version)) models.push({ id: `${name}@${channel.name}`, createdAt })
    return models
  }

  async function listNow(accountId: string, signal: AbortSignal): Promise<OpenAiModel[]> {
    const models: OpenAiModel[] = []
    let searched = 0
    let bytes = 0
    let after: Place | undefined
    for (;;) {
      const { items, next } = await workflows.list(accountId, { limit: workflowsPerQuery, offset: 0, after }, {})
      for (let start = 0; start < items.length; start += documentsPerQuery) {
        const some = items.slice(start, start + documentsPerQuery)
        const ids = some.map(({ id }) => id)
        const found = await workflows.containing(accountId, ids, '"openai"')
        for (const workflow of some) if (found.ids.has(workflow.id)) models.push(...(await modelsOf(workflow)))
        bytes += found.bytes
        if (models.length >= limits.openAiModelsMax || bytes >= limits.openAiModelsBytesMax)
          return models.slice(0, limits.openAiModelsMax)
        signal.throwIfAborted()
      }
      searched += items.length
      if (next === null || searched >= limits.openAiModelsSearchedMax) return models
      after = next
    }
  }

  return {
    async find(accountId, model) {
      const [name = '', chosen] = model.split('@')
      const isVersion = chosen !== undefined && /^\d{1,9}$/.test(chosen)
      const choice = isVersion ? { version: Number(chosen) } : { channel: chosen }
      const workflow = await versionChooser.findWorkflow(accountId, name).catch((error: unknown) => {
        throw error instanceof Fault && error.code === 'not_found' ? unknownModel(model) : error
      })
      const { version, issue } = await versionChooser.find(workflow, choice)
      if (issue) throw invalidRequest([{ ...issue, path: 'model' }])
      const { document } = await forRequest(
        versionCache.get({ accountId, workflowId: workflow.id, workflowVersion: version }),
      )
      const { openai } = document
      if (openai === undefined) {
        const message = `is ${show(model)}, but version ${version} of this workflow has no "openai". Add it to the document, or use another model.`
        throw invalidRequest([{ path: 'model', message }])
      }
      return { workflowId: workflow.id, version, openai }
    },
    list: (accountId, signal) => lists.run({ account: accountId, signal }, () => listNow(accountId, signal)),
  }
}

function unknownModel(model: string): Fault {
  return new Fault(
    'not_found',
    `The model ${show(model)} was not found. It is the slug of a workflow, or slug@channel: GET /openai/v1/models lists those of the account.`,
    { param: 'model' },
  )
}
