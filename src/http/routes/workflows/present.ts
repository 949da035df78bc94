/** Converts workflows, their versions and validation to response bodies. */
import { defaultText } from '../../../../shared/parameters.ts'
import { timestamp } from '../../../domain/clock.ts'
import type { CostRange } from '../../../domain/models/model.ts'
import { dollars } from '../../../domain/money.ts'
import { inputSchemaOf } from '../../../domain/workflows/input-schema.ts'
import { outputKindOf } from '../../../domain/workflows/outputs.ts'
import type { Workflow, WorkflowDocument, WorkflowUser, WorkflowVersion } from '../../../domain/workflows/workflow.ts'
import type { Issue } from '../../../errors.ts'
import type { Validation } from '../../../services/workflows/workflows.ts'

export function workflowItem({ id, name, projectId, createdAt, updatedAt }: Workflow) {
  return { id, name, projectId, createdAt: timestamp(createdAt), updatedAt: timestamp(updatedAt) }
}

/** The workflow with its slug and version, which name the workflow in a node: `link-card@7`. */
export function workflowWithVersion(workflow: Workflow) {
  const { slug, version } = workflow
  return { ...workflowItem(workflow), ...(slug === null ? {} : { slug }), version }
}

export function workflowDetail(workflow: Workflow, document: WorkflowDocument, warnings?: Issue[]) {
  const outputs = Object.entries(document.outputs ?? {}).map(([name, settings]) => ({
    name,
    kind: outputKindOf(settings),
  }))
  return {
    id: workflow.id,
    name: workflow.name,
    description: workflow.description,
    projectId: workflow.projectId,
    ...(workflow.slug === null ? {} : { slug: workflow.slug }),
    parameters: (document.parameters ?? []).map(({ required, default: preset, ...declaration }) => ({
      ...declaration,
      ...(preset === undefined ? {} : { default: defaultText(preset) }),
      ...(required ? { required } : {}),
    })),
    inputSchema: inputSchemaOf(document.parameters ?? []),
    createdAt: timestamp(workflow.createdAt),
    updatedAt: timestamp(workflow.updatedAt),
    version: workflow.version,
    ...(outputs.length > 0 && { outputs }),
    ...(warnings ? { warnings } : {}),
  }
}

export function workflowUser({ workflowId, name, slug, version, usedVersion }: WorkflowUser) {
  return { workflowId, name, ...(slug === null ? {} : { slug }), version, usedVersion }
}

/** Versions are immutable, so the number is a strong validator. */
export function versionEtag(version: number): string {
  return `"${version}"`
}

export function workflowVersion({ version, createdAt, note }: Omit<WorkflowVersion, 'document'>) {
  return { version, createdAt: timestamp(createdAt), ...(note === undefined ? {} : { note }) }
}

export function validation({ steps, cost, ...facts }: Validation) {
  return {
    ...facts,
    steps: steps.map(({ cost, ...step }) => ({ ...step, ...(cost === undefined ? {} : { cost: costRange(cost) }) })),
    cost: costRange(cost),
  }
}

function costRange(range: CostRange | null) {
  return range && { minUsd: dollars(range.minMicros), maxUsd: dollars(range.maxMicros) }
}
