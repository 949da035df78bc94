import { isDeepStrictEqual } from 'node:util'
import type { ProjectStore } from '../../domain/accounts/project.ts'
import type { Clock } from '../../domain/clock.ts'
import {
  IdempotencyKeyTaken,
  type IdempotencyStore,
  type IdempotentCreate,
  type NewIdempotencyRecord,
} from '../../domain/idempotency.ts'
import { newId } from '../../domain/ids.ts'
import type { CountedPage, PageRequest } from '../../domain/page.ts'
import {
  type Draft,
  type DraftDocument,
  type DraftFilter,
  type DraftItem,
  type DraftStore,
  nameOfDraft,
} from '../../domain/workflows/draft.ts'
import type { Workflow, WorkflowStore } from '../../domain/workflows/workflow.ts'
import { Fault, type Issue, invalidRequest, notFound, outdatedIfMatch } from '../../errors.ts'
import { limits } from '../../limits.ts'
import type { Brands } from '../accounts/brands.ts'
import { projectIdOf } from '../accounts/projects.ts'
import { areSameUses, type DocumentChecks } from './document-checks.ts'
import { findNewest } from './newest-version.ts'
import { orFault } from './workflow-faults.ts'
import type { SavedWorkflow } from './workflows.ts'

export interface Drafts {
  /** Creates the draft of a new workflow. With `once`: returns the draft that the same request created before. */
  create(
    accountId: string,
    options: {
      document?: DraftDocument | undefined
      projectId?: string | undefined
      once?: IdempotentCreate | undefined
    },
  ): Promise<Draft>
  find(accountId: string, workflowId: string): Promise<Draft>
  list(accountId: string, page: PageRequest, filter: DraftFilter): Promise<CountedPage<DraftItem>>
  /** Saves the draft, or creates it. `ifRevision`: reject if the stored revision is different. */
  save(
    accountId: string,
    workflowId: string,
    document: DraftDocument,
    ifRevision?: number,
  ): Promise<{ draft: Draft; isNew: boolean }>
  remove(accountId: string, workflowId: string): Promise<void>
  /**
   * Publishes the draft as the next version, or the first one. `overwrite`: also if the workflow was saved since the draft began.
   */
  publish(
    accountId: string,
    workflowId: string,
    options?: PublishOptions & { once?: IdempotentCreate | undefined },
  ): Promise<SavedWorkflow & { isFirst: boolean }>
}

export interface PublishOptions {
  note?: string
  overwrite?: boolean
  ifRevision?: number
  signal?: AbortSignal
}

interface Dependencies {
  drafts: DraftStore
  workflows: WorkflowStore
  projects: ProjectStore
  idempotency: Pick<IdempotencyStore, 'find'>
  documents: Pick<DocumentChecks, 'require'>
  brands: Pick<Brands, 'warningsOf'>
  clock: Clock
}

/** How often a save or publication is retried after a concurrent one. */
const triesMax = 5

export function createDrafts(dependencies: Dependencies): Drafts {
  const { drafts, workflows, projects, idempotency, documents, brands, clock } = dependencies

  async function find(accountId: string, workflowId: string): Promise<Draft> {
    const draft = await drafts.find(accountId, workflowId)
    if (draft === undefined) throw noDraft(workflowId)
    return draft
  }

  async function start(accountId: string, workflowId: string, document: DraftDocument): Promise<Draft | undefined> {
    const workflow = await workflows.find(accountId, workflowId)
    if (workflow === undefined) throw notFound('workflow', workflowId)
    const { projectId, version: baseVersion } = workflow
    const identity = { workflowId, accountId, projectId, baseVersion, revision: 0 }
    const draft = { ...identity, ...contentOf(document, clock), createdAt: clock.now() }
    const revision = await orFault(() => drafts.begin(draft))
    return revision === undefined ? undefined : { ...draft, revision }
  }

  return {
    async create(accountId, { document = { name: 'Untitled', nodes: {} }, projectId, once }) {
      checkExtent(document)
      if (once?.createdId !== undefined) return find(accountId, once.createdId)
      const content = contentOf(document, clock)
      const draft: Draft = {
        workflowId: newId('wf', content.updatedAt),
        accountId,
        projectId: await projectIdOf(projects, accountId, projectId),
        baseVersion: 0,
        revision: 1,
        createdAt: content.updatedAt,
        ...content,
      }
      await orFault(() => drafts.create(draft, once?.record))
      return draft
    },

    find,
    list: (accountId, page, filter) => drafts.list(accountId, page, filter),

    async save(accountId, workflowId, document, ifRevision) {
      checkExtent(document)
      for (let tries = 0; tries < triesMax; tries += 1) {
        const saved = await drafts.save(accountId, workflowId, contentOf(document, clock), ifRevision)
        if (saved !== undefined) return { draft: { ...saved, document }, isNew: false }
        if (ifRevision !== undefined) throw await whyNotAt(accountId, workflowId)
        const started = await start(accountId, workflowId, document)
        if (started !== undefined) return { draft: started, isNew: true }
      }
      throw busy()
    },

    async remove(accountId, workflowId) {
      if (!(await drafts.remove(accountId, workflowId))) throw noDraft(workflowId)
    },

    async publish(accountId, workflowId, options = {}) {
      const { once } = options
      if (once?.createdId !== undefined) return published(accountId, once.createdId)
      try {
        return await publish(accountId, workflowId, options, once?.record)
      } catch (error) {
        // A concurrent duplicate of this request may have published it.
        const isTaken = once?.record && (await idempotency.find(accountId, once.record.key)) !== undefined
        throw isTaken ? new IdempotencyKeyTaken() : error
      }
    },
  }

  async function publish(
    accountId: string,
    workflowId: string,
    { note, overwrite = false, ifRevision, signal }: PublishOptions,
    record: NewIdempotencyRecord | undefined,
  ): Promise<SavedWorkflow & { isFirst: boolean }> {
    for (let tries = 0; tries < triesMax; tries += 1) {
      const draft = await find(accountId, workflowId)
      if (ifRevision !== undefined && ifRevision !== draft.revision) throw newerRevision(draft.revision)
      const { workflow: checked, uses } = await documents.require(accountId, draft.document, workflowId, signal)
      const { document } = checked
      const before = await workflows.find(accountId, workflowId)
      const version = before?.version ?? 0
      if (version !== draft.baseVersion && !overwrite) {
        // Except if this draft was published since it was read.
        if ((await find(accountId, workflowId)).revision !== draft.revision) continue
        throw newerThanDraft(draft.baseVersion, version)
      }
      const newest = before && (await workflows.findVersion(workflowId, version))
      const changed =
        !isDeepStrictEqual(newest?.document, document) ||
        (uses.length > 0 && !areSameUses(await workflows.uses(workflowId, version), uses))
      const now = clock.now()
      const workflow: Workflow = {
        id: workflowId,
        accountId,
        projectId: before?.projectId ?? draft.projectId,
        slug: before?.slug ?? null,
        name: document.name,
        description: document.description ?? '',
        version: version + (changed ? 1 : 0),
        createdAt: before?.createdAt ?? now,
        updatedAt: changed ? now : (before?.updatedAt ?? now),
      }
      const publication = {
        workflow: { ...workflow, uses },
        document: changed ? document : undefined,
        note,
        revision: draft.revision,
        expectedVersion: version,
      }
      const outcome = await orFault(() => drafts.publish(publication, record))
      if (outcome === 'published') {
        const warnings = await brands.warningsOf(workflow, checked)
        return { workflow, document, warnings, isFirst: before === undefined }
      }
    }
    throw busy()
  }

  /** The result of a publication that was made before. */
  async function published(accountId: string, workflowId: string): Promise<SavedWorkflow & { isFirst: boolean }> {
    const newest = await findNewest(workflows, accountId, workflowId)
    return { ...newest, warnings: [], isFirst: newest.workflow.version === 1 }
  }

  async function whyNotAt(accountId: string, workflowId: string): Promise<Fault> {
    const draft = await drafts.find(accountId, workflowId)
    if (draft !== undefined) return newerRevision(draft.revision)
    const workflow = await workflows.find(accountId, workflowId)
    if (workflow === undefined) return notFound('workflow', workflowId)
    return outdatedIfMatch(
      `the draft was published or deleted in the meantime. The newest version is ${workflow.version}.`,
    )
  }
}

function noDraft(workflowId: string): Fault {
  return new Fault('not_found', `Workflow ${JSON.stringify(workflowId.slice(0, 100))} has no draft.`)
}

function contentOf(document: DraftDocument, clock: Clock): Pick<Draft, 'name' | 'document' | 'updatedAt'> {
  return { name: nameOfDraft(document), document, updatedAt: clock.now() }
}

/** The limits of a document that can be published. */
function checkExtent(document: DraftDocument): void {
  const bytes = Buffer.byteLength(JSON.stringify(document))
  if (bytes <= limits.documentBytesMax) return
  const message = `must have at most ${limits.documentBytesMax} bytes as JSON, not ${bytes}`
  throw invalidRequest([{ path: 'document', message }])
}

/** The error for an `If-Match` with another revision. */
function newerRevision(revision: number): Fault {
  return outdatedIfMatch(
    `the draft was saved in the meantime. Get its newest revision (ETag "${revision}"), and save again.`,
  )
}

function newerThanDraft(base: number, version: number): Fault {
  const since: Issue = {
    path: 'overwrite',
    message: `is required: the draft is based on version ${base}, but the newest version is ${version}. Compare them, then publish with "overwrite" true.`,
  }
  return invalidRequest([since])
}

function busy(): Fault {
  return new Fault('unavailable', 'The draft was changed by other requests while it was saved. Retry.')
}
