import { isDeepStrictEqual } from 'node:util'
import type { Clock } from '../domain/clock.ts'
import type { IdempotentCreate } from '../domain/idempotency.ts'
import { newId } from '../domain/ids.ts'
import type { CostRange, Models } from '../domain/model.ts'
import type { Page, PageRequest } from '../domain/page.ts'
import type { ProjectStore } from '../domain/project.ts'
import type { Workflow, WorkflowDocument, WorkflowStore, WorkflowVersion } from '../domain/workflow.ts'
import { estimateCost } from '../engine/cache/estimate-cost.ts'
import { fingerprintsOf } from '../engine/cache/fingerprints.ts'
import { predictCacheHits } from '../engine/cache/predict-cache-hits.ts'
import type { CheckedWorkflow, Checker } from '../engine/check/checked-workflow.ts'
import type { PlannedStep } from '../engine/plan/planned-step.ts'
import { type Issue, invalidRequest, notFound } from '../errors.ts'
import type { Estimates } from './estimates.ts'
import { findNewest, type NewestVersion, noVersion, withDocument } from './newest-version.ts'
import { projectIdOf } from './projects.ts'
import type { RequestParameters } from './request-parameters.ts'
import type { ReusedVariations, StepReuseFor } from './results/step-reuse.ts'

export interface SavedWorkflow {
  workflow: Workflow
  document: WorkflowDocument
  warnings: Issue[]
}

export interface Validation {
  valid: boolean
  issues: Issue[]
  warnings: Issue[]
  /** The steps of an execution, in order. Empty if the workflow is not valid. */
  steps: ValidatedStep[]
  /** Estimated milliseconds from earlier executions. Null if unknown. */
  expectedDuration: number | null
  /** The estimated cost of its model calls. Null if unknown, or if the workflow is not valid. */
  cost: CostRange | null
  /** The resolved settings of the output. Null if they depend on values of nodes. */
  output: Record<string, unknown> | null
}

export interface ValidatedStep {
  node: string
  operation: string
  action: PlannedStep['action']
  params: Record<string, unknown> | null
  /** The node that runs in the same call of sharp; the output node if that is the encoding. */
  fusedWith: string | null
  /** Set if it would not run: its result, or a later one, is cached. */
  servedFrom: 'cache' | null
  expectedDuration: number | null
  /** Null if unknown. Undefined if it calls no model. */
  cost?: CostRange | null
  /** `fingerprintsOf`. Undefined for an unneeded step. */
  fingerprint?: string | undefined
}

export interface Workflows {
  /** With `once`: returns the workflow that the same request saved before. */
  create(
    accountId: string,
    document: unknown,
    options?: { projectId?: string | undefined; once?: IdempotentCreate | undefined },
  ): Promise<SavedWorkflow>
  find(accountId: string, id: string): Promise<NewestVersion>
  findByName(accountId: string, name: string): Promise<NewestVersion | undefined>
  list(accountId: string, page: PageRequest, filter: { projectId?: string; search?: string }): Promise<Page<Workflow>>
  /** Creates a new version if the document differs. `ifVersion`: reject if the newest version is different. */
  replace(
    accountId: string,
    id: string,
    document: unknown,
    options?: { ifVersion?: number; projectId?: string },
  ): Promise<SavedWorkflow>
  /** One version. Throws `not_found` if there is none. */
  findVersion(accountId: string, id: string, version: number): Promise<WorkflowVersion>
  versions(accountId: string, id: string, page: PageRequest): Promise<Page<Omit<WorkflowVersion, 'document'>>>
  remove(accountId: string, id: string): Promise<void>
  /** A dry run: it executes and writes nothing. With parameters it resolves them too. */
  validate(
    accountId: string,
    document: unknown,
    parameters?: Record<string, unknown>,
    reused?: ReusedVariations,
  ): Promise<Validation>
}

interface Dependencies {
  workflows: WorkflowStore
  projects: ProjectStore
  check: Checker
  clock: Clock
  estimates: Estimates
  stepReuse: StepReuseFor
  requestParameters: Pick<RequestParameters, 'plan'>
  /** Undefined if no model can be called. */
  models?: Models | undefined
}

export function createWorkflows(dependencies: Dependencies): Workflows {
  const { workflows, projects, check, clock, estimates, stepReuse, requestParameters, models } = dependencies

  async function checked(document: unknown): Promise<CheckedWorkflow> {
    const { workflow, issues } = await check.inTurns(document)
    if (issues) throw invalidRequest(issues)
    return workflow
  }

  async function found(accountId: string, id: string): Promise<Workflow> {
    const workflow = await workflows.find(accountId, id)
    if (workflow === undefined) throw notFound('workflow', id)
    return workflow
  }

  return {
    async create(accountId, input, { projectId, once } = {}) {
      const { document, warnings } = await checked(input)
      if (once?.createdId !== undefined)
        return { ...(await findNewest(workflows, accountId, once.createdId)), warnings }
      const now = clock.now()
      const workflow: Workflow = {
        id: newId('wf', now),
        accountId,
        projectId: await projectIdOf(projects, accountId, projectId),
        name: document.name,
        description: document.description ?? '',
        version: 1,
        createdAt: now,
        updatedAt: now,
      }
      await workflows.create(workflow, document, once?.record)
      return { workflow, document, warnings }
    },

    async find(accountId, id) {
      return findNewest(workflows, accountId, id)
    },

    async findByName(accountId, name) {
      const workflow = await workflows.findByName(accountId, name)
      return workflow && withDocument(workflows, workflow)
    },

    list: (accountId, page, filter) => workflows.list(accountId, page, filter),

    async replace(accountId, id, input, { ifVersion, projectId } = {}) {
      const before = await findNewest(workflows, accountId, id)
      const { document, warnings } = await checked(input)
      if (ifVersion !== undefined && ifVersion !== before.workflow.version) throw newerVersion(before.workflow.version)
      const project =
        projectId === undefined ? before.workflow.projectId : await projectIdOf(projects, accountId, projectId)
      const changed = !isDeepStrictEqual(document, before.document)
      if (!changed && project === before.workflow.projectId) return { ...before, warnings }
      const workflow: Workflow = {
        ...before.workflow,
        projectId: project,
        name: document.name,
        description: document.description ?? '',
        version: before.workflow.version + (changed ? 1 : 0),
        updatedAt: clock.now(),
      }
      if (!(await workflows.replace(workflow, document, before.workflow.version))) {
        throw newerVersion((await found(accountId, id)).version)
      }
      return { workflow, document, warnings }
    },

    async findVersion(accountId, id, number) {
      await found(accountId, id)
      const version = await workflows.findVersion(id, number)
      if (version === undefined) throw noVersion(id, number)
      return version
    },

    async versions(accountId, id, page) {
      return workflows.listVersions((await found(accountId, id)).id, page)
    },

    async remove(accountId, id) {
      if (!(await workflows.remove(accountId, id, clock.now()))) throw notFound('workflow', id)
    },

    async validate(accountId, document, parameters, reused) {
      const { workflow, issues } = await check.inTurns(document)
      const nothing = { expectedDuration: null, cost: null, output: null }
      if (issues) return { valid: false, issues, warnings: [], steps: [], ...nothing }
      const { plan, issues: wrong } = await requestParameters.plan(accountId, workflow, parameters ?? {})
      const { warnings } = workflow
      // Without parameters, a missing required one is not a problem of the document. Defaults that don't fit together are a
      // warning, because an execution may replace them.
      if (wrong)
        return {
          valid: parameters === undefined,
          issues: parameters === undefined ? [] : wrong,
          warnings: parameters === undefined ? [...warnings, ...wrong.flatMap(withDefaults)] : warnings,
          steps: outline(workflow),
          ...nothing,
        }
      const reuse = await stepReuse(accountId, reused)
      const cached = await predictCacheHits(plan, reuse)
      const fingerprints = await fingerprintsOf(plan, reuse.keyContext.variations)
      const estimate = await estimates.estimate(accountId, plan, cached)
      const cost = await estimateCost(plan, cached, models)
      return {
        valid: true,
        issues: [],
        warnings,
        steps: plan.steps.map(({ node, action, params }) => ({
          node: node.id,
          operation: node.operation.id,
          action,
          params: params ?? null,
          fusedWith: plan.fused.get(node.id) ?? null,
          servedFrom: cached.has(node.id) ? ('cache' as const) : null,
          expectedDuration: estimate.steps.get(node.id) ?? null,
          ...costOf(cost.steps.get(node.id)),
          fingerprint: fingerprints.get(node.id),
        })),
        expectedDuration: estimate.duration,
        cost: cost.total,
        output: plan.outputSettings ?? null,
      }
    },
  }
}

function withDefaults({ path, message }: Issue): Issue[] {
  return path.startsWith('parameters.') ? [] : [{ path, message: `with the default values: ${message}` }]
}

function costOf(cost: CostRange | null | undefined): Pick<ValidatedStep, 'cost'> {
  return cost === undefined ? {} : { cost }
}

function outline(workflow: CheckedWorkflow): ValidatedStep[] {
  return workflow.order.map((id) => ({
    node: id,
    operation: workflow.nodes.get(id)?.operation.id ?? '',
    action: 'decide',
    params: null,
    fusedWith: null,
    servedFrom: null,
    expectedDuration: null,
  }))
}

/** The error for an `If-Match` with another version. */
export function newerVersion(version: number) {
  return invalidRequest([
    {
      path: 'If-Match',
      message: `is outdated: the workflow was saved in the meantime. Get its newest version (ETag "${version}"), and save again.`,
    },
  ])
}
