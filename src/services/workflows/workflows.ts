import { isDeepStrictEqual } from 'node:util'
import type { ProjectStore } from '../../domain/accounts/project.ts'
import type { Clock } from '../../domain/clock.ts'
import type { IdempotentCreate } from '../../domain/idempotency.ts'
import { newId } from '../../domain/ids.ts'
import type { CostRange, Models } from '../../domain/models/model.ts'
import type { CountedPage, PageRequest } from '../../domain/page.ts'
import { type NamedOutputSettings, type OutputVariant, variantsOf } from '../../domain/workflows/outputs.ts'
import {
  reservedSlugs,
  SlugTaken,
  type Workflow,
  type WorkflowDocument,
  type WorkflowStore,
  type WorkflowUse,
  WorkflowUsed,
  type WorkflowUser,
  type WorkflowVersion,
} from '../../domain/workflows/workflow.ts'
import { estimateCost } from '../../engine/cache/estimate-cost.ts'
import { fingerprintsOf } from '../../engine/cache/fingerprints.ts'
import { predictCacheHits } from '../../engine/cache/predict-cache-hits.ts'
import type { CheckedWorkflow, CheckResult } from '../../engine/check/checked-workflow.ts'
import type { PlannedOutput } from '../../engine/plan/plan.ts'
import type { PlannedStep } from '../../engine/plan/planned-step.ts'
import { Fault, type Issue, invalidRequest, issueSentence, notFound, outdatedIfMatch } from '../../errors.ts'
import { limits } from '../../limits.ts'
import type { Brands } from '../accounts/brands.ts'
import { projectIdOf } from '../accounts/projects.ts'
import type { Estimates } from '../executions/estimates.ts'
import type { RequestParameters } from '../executions/request-parameters.ts'
import type { ReusedVariations, StepReuseFor } from '../results/step-reuse.ts'
import { areSameUses, type DocumentChecks } from './document-checks.ts'
import { findNewest, type NewestVersion, withDocument } from './newest-version.ts'
import type { VersionChoice, VersionChooser } from './version-chooser.ts'
import { orFault } from './workflow-faults.ts'

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
  /** Undefined without `outputs`, and if the workflow is not valid. */
  outputs?: PredictedOutput[]
}

type PredictedFile = OutputVariant | { format: 'pdf' }

/** One of `outputs`. */
export interface PredictedOutput {
  name: string
  /** The node of the image, or the nodes of the pages. */
  nodes: string[]
  /** Resolved. Null if they depend on values of nodes. */
  settings: Record<string, unknown> | null
  /** Its files, as far as they are known before the image is: at most the width, and the format. Null without settings. */
  files: PredictedFile[] | null
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
  /** Creates a workflow; with `once`, returns the workflow that the same request saved before. */
  create(
    accountId: string,
    document: unknown,
    options?: {
      projectId?: string | undefined
      slug?: string | undefined
      once?: IdempotentCreate | undefined
      signal?: AbortSignal
    },
  ): Promise<SavedWorkflow>
  /**
   * Creates a workflow from a document that is known to be valid and uses no other workflow, such as an example of the
   * release.
   */
  createChecked(accountId: string, document: WorkflowDocument, slug: string | undefined): Promise<Workflow>
  find(accountId: string, id: string): Promise<NewestVersion>
  /** The workflow with this id or slug as it is in the chosen version. Throws `not_found`, also for the version or the channel, and `invalid_request` if both are chosen. */
  findAt(accountId: string, idOrSlug: string, choice: VersionChoice): Promise<NewestVersion>
  findByName(accountId: string, name: string): Promise<NewestVersion | undefined>
  findBySlug(accountId: string, slug: string): Promise<NewestVersion | undefined>
  list(
    accountId: string,
    page: PageRequest,
    filter: { projectId?: string; search?: string },
  ): Promise<CountedPage<Workflow>>
  /** Creates a new version if the document differs. `ifVersion`: reject if the newest version is different. */
  replace(
    accountId: string,
    id: string,
    document: unknown,
    options?: { ifVersion?: number; projectId?: string; slug?: string | undefined; signal?: AbortSignal },
  ): Promise<SavedWorkflow>
  /** Sets the slug, or removes it. Throws `not_found`, and `invalid_request` if another workflow has it. */
  setSlug(accountId: string, id: string, slug: string | null): Promise<NewestVersion>
  versions(accountId: string, id: string, page: PageRequest): Promise<CountedPage<Omit<WorkflowVersion, 'document'>>>
  /** Throws `invalid_request` if another workflow uses it. */
  remove(accountId: string, id: string): Promise<void>
  /** The workflows that a version uses. */
  uses(workflowId: string, version: number): Promise<WorkflowUse[]>
  /** The workflows that use it, at most `usersShownMax`. */
  users(workflowId: string): Promise<WorkflowUser[]>
  /** A dry run: it executes and writes nothing. With parameters it resolves them too. */
  validate(accountId: string, document: unknown, options?: ValidationOptions): Promise<Validation>
  /**
   * Validates like `validate`, for a version of the workflow with this id or slug. Throws `not_found`, and
   * `invalid_request` for an unknown version.
   */
  validateVersion(
    accountId: string,
    idOrSlug: string,
    choice: VersionChoice,
    parameters?: Record<string, unknown>,
  ): Promise<Validation>
}

export interface ValidationOptions {
  parameters?: Record<string, unknown> | undefined
  /** The project whose brand the templates read. Default: the account's default project. */
  projectId?: string | undefined
  reused?: ReusedVariations | undefined
  signal?: AbortSignal
}

interface Dependencies {
  workflows: WorkflowStore
  versionChooser: VersionChooser
  projects: ProjectStore
  documents: DocumentChecks
  clock: Clock
  estimates: Estimates
  stepReuse: StepReuseFor
  requestParameters: Pick<RequestParameters, 'plan'>
  brands: Pick<Brands, 'warningsOf'>
  /** Undefined if no model can be called. */
  /** The models of an account. */
  modelsOf?: ((accountId: string) => Models) | undefined
}

const usersInMessage = 5

export function createWorkflows(dependencies: Dependencies): Workflows {
  const { workflows, versionChooser, projects, documents, brands, clock, estimates } = dependencies
  const { stepReuse, requestParameters, modelsOf } = dependencies

  async function found(accountId: string, id: string): Promise<Workflow> {
    const workflow = await workflows.find(accountId, id)
    if (workflow === undefined) throw notFound('workflow', id)
    return workflow
  }

  function requireAllowedSlug(slug: string | null | undefined): void {
    if (slug == null || !reservedSlugs.includes(slug)) return
    const message = `is ${JSON.stringify(slug)}, which is a path of the API below /workflows. Choose another slug.`
    throw invalidRequest([{ path: 'slug', message }])
  }

  /** Names the workflow that has the slug. */
  async function orRefused<Result>(accountId: string, write: () => Promise<Result>): Promise<Result> {
    try {
      return await orFault(write)
    } catch (error) {
      if (!(error instanceof SlugTaken)) throw error
      const owner = await workflows.findBySlug(accountId, error.slug)
      const other = owner ? `workflow "${owner.id}" (${JSON.stringify(owner.name)})` : 'another workflow'
      const message = `is ${JSON.stringify(error.slug)}, which is the slug of ${other}. Choose another slug, or remove it there first.`
      throw invalidRequest([{ path: 'slug', message }])
    }
  }

  const validate: Workflows['validate'] = async (accountId, document, options) =>
    validated(
      accountId,
      await documents.check(accountId, document, options?.reused?.workflowId, options?.signal),
      options,
    )

  async function validated(
    accountId: string,
    { workflow, issues }: CheckResult,
    { parameters, projectId, reused }: ValidationOptions = {},
  ): Promise<Validation> {
    const nothing = { expectedDuration: null, cost: null, output: null }
    if (issues) return { valid: false, issues, warnings: [], steps: [], ...nothing }
    const { warnings } = workflow
    const isOfProject = projectId !== undefined || workflow.brandUses.length > 0
    const owner = { accountId, ...(isOfProject && { projectId: await projectIdOf(projects, accountId, projectId) }) }
    const { plan, issues: wrong } = await requestParameters.plan(owner, workflow, parameters ?? {})
    if (wrong && parameters) return { valid: false, issues: wrong, warnings, steps: outline(workflow), ...nothing }
    // Without parameters, a missing required one is not a problem of the document. Defaults that don't fit together are a
    // warning, because an execution may replace them. So are missing brand values, which can be added.
    if (wrong) {
      const known = await brands.warningsOf(owner, workflow)
      const ofDefaults = known.length > warnings.length ? [] : wrong.flatMap(withDefaults)
      return { valid: true, issues: [], warnings: [...known, ...ofDefaults], steps: outline(workflow), ...nothing }
    }
    const reuse = await stepReuse(accountId, reused)
    const cached = await predictCacheHits(plan, reuse)
    const fingerprints = await fingerprintsOf(plan, reuse.keyContext.variations)
    const estimate = await estimates.estimate(accountId, plan, cached)
    const cost = await estimateCost(plan, cached, modelsOf?.(accountId))
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
      output: plan.outputs[0].settings ?? null,
      ...(plan.outputs.length > 1 && { outputs: plan.outputs.slice(1).map(predictedOutput) }),
    }
  }

  return {
    async create(accountId, input, { projectId, slug, once, signal } = {}) {
      requireAllowedSlug(slug)
      const { workflow: newest, uses } = await documents.require(accountId, input, undefined, signal)
      const { document } = newest
      if (once?.createdId !== undefined) {
        const created = await findNewest(workflows, accountId, once.createdId)
        return { ...created, warnings: await brands.warningsOf(created.workflow, newest) }
      }
      const project = await projectIdOf(projects, accountId, projectId)
      const warnings = await brands.warningsOf({ accountId, projectId: project }, newest)
      const workflow = newWorkflow(document, { accountId, projectId: project, slug, now: clock.now() })
      await orRefused(accountId, () => workflows.create({ ...workflow, uses }, document, once?.record))
      return { workflow, document, warnings }
    },

    async createChecked(accountId, document, slug) {
      const projectId = await projectIdOf(projects, accountId, undefined)
      const workflow = newWorkflow(document, { accountId, projectId, slug, now: clock.now() })
      await orRefused(accountId, () => workflows.create({ ...workflow, uses: [] }, document))
      return workflow
    },

    async find(accountId, id) {
      return findNewest(workflows, accountId, id)
    },

    async findAt(accountId, idOrSlug, choice) {
      const workflow = await versionChooser.findWorkflow(accountId, idOrSlug)
      const chosen = await versionChooser.find(workflow, choice)
      const isAmbiguous = choice.version !== undefined && choice.channel !== undefined
      if (chosen.issue && isAmbiguous) throw invalidRequest([chosen.issue])
      if (chosen.issue) throw new Fault('not_found', issueSentence(chosen.issue))
      const { document } = await withDocument(workflows, { ...workflow, version: chosen.version })
      const { name, description = '' } = document
      return { workflow: { ...workflow, name, description, version: chosen.version }, document }
    },

    async findByName(accountId, name) {
      const workflow = await workflows.findByName(accountId, name)
      return workflow && withDocument(workflows, workflow)
    },

    async findBySlug(accountId, slug) {
      const workflow = await workflows.findBySlug(accountId, slug)
      return workflow && withDocument(workflows, workflow)
    },

    list: (accountId, page, filter) => workflows.list(accountId, page, filter),

    async replace(accountId, id, input, { ifVersion, projectId, slug, signal } = {}) {
      requireAllowedSlug(slug)
      const before = await findNewest(workflows, accountId, id)
      const { workflow: newest, uses } = await documents.require(accountId, input, id, signal)
      const { document } = newest
      if (ifVersion !== undefined && ifVersion !== before.workflow.version) throw newerVersion(before.workflow.version)
      const project =
        projectId === undefined ? before.workflow.projectId : await projectIdOf(projects, accountId, projectId)
      const warnings = await brands.warningsOf({ accountId, projectId: project }, newest)
      const changed =
        !isDeepStrictEqual(document, before.document) ||
        (uses.length > 0 && !areSameUses(await workflows.uses(id, before.workflow.version), uses))
      const isSameSlug = slug === undefined || slug === before.workflow.slug
      if (!changed && project === before.workflow.projectId && isSameSlug) return { ...before, warnings }
      const workflow: Workflow = {
        ...before.workflow,
        projectId: project,
        slug: slug ?? before.workflow.slug,
        name: document.name,
        description: document.description ?? '',
        version: before.workflow.version + (changed ? 1 : 0),
        updatedAt: clock.now(),
      }
      const write = () => workflows.replace({ ...workflow, uses }, document, before.workflow.version, slug)
      if (!(await orRefused(accountId, write))) {
        throw newerVersion((await found(accountId, id)).version)
      }
      return { workflow, document, warnings }
    },

    async setSlug(accountId, id, slug) {
      requireAllowedSlug(slug)
      const write = () => workflows.setSlug(accountId, id, slug, clock.now())
      if (!(await orRefused(accountId, write))) throw notFound('workflow', id)
      return findNewest(workflows, accountId, id)
    },

    async versions(accountId, id, page) {
      return workflows.listVersions((await found(accountId, id)).id, page)
    },

    async remove(accountId, id) {
      try {
        if (!(await workflows.remove(accountId, id, clock.now()))) throw notFound('workflow', id)
      } catch (error) {
        if (!(error instanceof WorkflowUsed)) throw error
        const users = await workflows.users(id, usersInMessage + 1)
        const names = users
          .slice(0, usersInMessage)
          .map(({ workflowId, name }) => `"${workflowId}" (${JSON.stringify(name)})`)
          .join(', ')
        const more = users.length > usersInMessage ? ' and others' : ''
        const message = `is ${JSON.stringify(id)}, which other workflows use: ${names}${more}. Delete those first: their earlier versions count, because they can still be executed.`
        throw invalidRequest([{ path: 'workflowId', message }])
      }
    },

    uses: (workflowId, version) => workflows.uses(workflowId, version),
    users: (workflowId) => workflows.users(workflowId, limits.usersShownMax),

    validate,

    async validateVersion(accountId, idOrSlug, choice, parameters) {
      const workflow = await versionChooser.findWorkflow(accountId, idOrSlug)
      const version = await versionChooser.require(workflow, choice)
      const { document } = await withDocument(workflows, { ...workflow, version })
      return validated(
        accountId,
        await documents.checkVersion(accountId, { workflowId: workflow.id, version, document }),
        {
          parameters,
          projectId: workflow.projectId,
        },
      )
    },
  }
}

function withDefaults({ path, message }: Issue): Issue[] {
  return path.startsWith('parameters.') ? [] : [{ path, message: `with the default values: ${message}` }]
}

function predictedOutput({ output: { name = '', nodes, kind }, settings }: PlannedOutput): PredictedOutput {
  if (settings === undefined) return { name, nodes, settings: null, files: null }
  const files = kind === 'pdf' ? [{ format: 'pdf' as const }] : variantsOf(settings as NamedOutputSettings)
  return { name, nodes, settings, files }
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
  return outdatedIfMatch(
    `the workflow was saved in the meantime. Get its newest version (ETag "${version}"), and save again.`,
  )
}

/** The record of a workflow with its first version. */
function newWorkflow(
  { name, description = '' }: WorkflowDocument,
  {
    now,
    slug = null,
    ...owner
  }: { accountId: string; projectId: string; slug: string | null | undefined; now: number },
): Workflow {
  return { id: newId('wf', now), ...owner, slug, name, description, version: 1, createdAt: now, updatedAt: now }
}
