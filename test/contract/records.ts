/** Valid records to store; a test names only the fields that matter to it. */
import type { TestContext } from 'node:test'
import type { Account } from '../../src/domain/accounts/account.ts'
import type { Font } from '../../src/domain/accounts/font.ts'
import { hashKey, type Key, newKeyText, noRunLink } from '../../src/domain/accounts/key.ts'
import { forAllPlans } from '../../src/domain/accounts/plan.ts'
import type { Project } from '../../src/domain/accounts/project.ts'
import type { Quota, QuotaSettings } from '../../src/domain/accounts/quota.ts'
import type { Execution, ExecutionError, ExecutionOutput, Step } from '../../src/domain/executions/execution.ts'
import { newId } from '../../src/domain/ids.ts'
import type { Image } from '../../src/domain/images/image.ts'
import type { Page, PageRequest } from '../../src/domain/page.ts'
import type { Workflow, WorkflowDocument } from '../../src/domain/workflows/workflow.ts'
import type { Stores } from '../../src/storage/database/open.ts'

/** An empty database for a test, deleted after it. */
export type OpenStores = (t: TestContext, options?: { quotas?: QuotaSettings }) => Promise<Stores>

/** The maximum of one quota, for all plans. */
export function maximum(quota: Quota, max: number): { quotas: QuotaSettings } {
  return { quotas: { [quota]: forAllPlans(max) } }
}

const now = 1_795_000_000_000

export function account(fields: Partial<Account> = {}): Account {
  return { id: newId('acct', now), name: 'Acme', plan: 'pro', rateLimit: null, createdAt: now, ...fields }
}

export function key(fields: Partial<Key> & Pick<Key, 'accountId'>): Key {
  const text = newKeyText('live')
  const id = newId('key', now)
  return {
    id,
    name: 'laptop',
    prefix: text.slice(0, 12),
    hash: hashKey(text),
    permissions: ['workflows:read', 'storage:write'],
    dailyBudget: null,
    monthlyBudget: null,
    budgetId: id,
    ...noRunLink,
    createdAt: now,
    expiresAt: null,
    revokedAt: null,
    lastUsedAt: null,
    ...fields,
  }
}

export function project(fields: Partial<Project> & Pick<Project, 'accountId'>): Project {
  return {
    id: newId('proj', now),
    name: 'Campaign',
    description: 'Cards for the spring campaign',
    isDefault: false,
    createdAt: now,
    updatedAt: now,
    ...fields,
  }
}

export function workflow(fields: Partial<Workflow> & Pick<Workflow, 'accountId' | 'projectId'>): Workflow {
  return {
    id: newId('wf', now),
    slug: null,
    name: 'Launch card',
    description: 'A link-preview card',
    version: 1,
    createdAt: now,
    updatedAt: now,
    ...fields,
  }
}

export function document(name = 'Launch card'): WorkflowDocument {
  return {
    name,
    parameters: [{ name: 'headline', type: 'string', required: true }],
    nodes: {
      card: { type: 'canvas', params: { width: 1200, height: 630, color: '#0af' } },
      title: { type: 'text', inputs: { image: 'card' }, params: { text: '{{ headline }}' } },
    },
    output: { node: 'title', format: 'png' },
  }
}

/** A document that no store can write, so that a transaction fails after its first row. */
export function unwritableDocument(): WorkflowDocument {
  return { ...document(), layout: 1n }
}

export function image(fields: Partial<Image> & Pick<Image, 'accountId'>): Image {
  return {
    id: newId('img', now),
    projectId: null,
    name: 'portrait.jpg',
    format: 'jpeg',
    size: 123_456,
    width: 800,
    height: 600,
    sha256: hashKey(newKeyText('live')),
    origin: null,
    credentials: null,
    executionId: null,
    createdAt: now,
    ...fields,
  }
}

/** Characters of `font`: A to Z. */
export const characters = '1t,q'

export function font(fields: Partial<Font> & Pick<Font, 'accountId'>): Font {
  return {
    id: newId('font', now),
    format: 'ttf',
    family: 'Acme Sans',
    weightMin: 400,
    weightMax: 400,
    italic: false,
    size: 54_321,
    sha256: hashKey(newKeyText('live')),
    createdAt: now,
    ...fields,
  }
}

export function execution(of: Workflow, fields: Partial<Execution> = {}): Execution {
  return {
    id: newId('exec', now),
    accountId: of.accountId,
    workflowId: of.id,
    workflowVersion: of.version,
    parameters: { headline: 'Big "News" \u0000 \u{1f389}', width: 1.5 },
    status: 'pending',
    attempt: 0,
    output: null,
    error: null,
    createdAt: now,
    startedAt: null,
    completedAt: null,
    ...fields,
  }
}

export function step(fields: Partial<Step> = {}): Step {
  return {
    node: 'card',
    operation: 'canvas',
    status: 'completed',
    startedAt: now,
    durationMs: 12.345,
    width: 1200,
    height: 630,
    error: null,
    ...fields,
  }
}

export const lost: ExecutionError = {
  code: 'workflow_failed',
  message: 'The process that ran it died.',
  details: { reason: 'worker_lost' },
}

export const refused: ExecutionError = {
  code: 'workflow_failed',
  message: 'The picture is damaged.',
  details: { reason: 'input_invalid', node: 'card', issues: [{ path: 'nodes.card', message: 'is damaged' }] },
}

/** The arguments of `complete` for an execution. */
export function success(of: Execution, fields: Partial<Image> = {}) {
  const record = image({ accountId: of.accountId, executionId: of.id, ...fields })
  const output: ExecutionOutput = {
    imageId: record.id,
    width: record.width,
    height: record.height,
    format: record.format,
  }
  return { image: record, output, steps: [step()], completedAt: now + 9_000 }
}

/** A stored account with a default project and a workflow. */
export async function tenant(stores: Stores): Promise<{ account: Account; project: Project; workflow: Workflow }> {
  const owner = account()
  await stores.accounts.create(owner)
  const home = project({ accountId: owner.id, name: 'Default', isDefault: true })
  await stores.projects.create(home)
  const saved = workflow({ accountId: owner.id, projectId: home.id })
  await stores.workflows.create(saved, document())
  return { account: owner, project: home, workflow: saved }
}

/** Reads a list to its end, page by page. */
export async function readAll<Item>(
  list: (page: PageRequest) => Promise<Pick<Page<Item>, 'items'>>,
  limit = 3,
): Promise<Item[]> {
  const items: Item[] = []
  for (;;) {
    const page = await list({ limit, offset: items.length })
    items.push(...page.items)
    if (page.items.length === 0) return items
  }
}

export function ids(items: readonly { id: string }[]): string[] {
  return items.map(({ id }) => id)
}

export const firstPage: PageRequest = { limit: 100, offset: 0 }
