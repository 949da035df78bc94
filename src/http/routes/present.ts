/** Records to the documented shapes: what leaves the service, and nothing else of them. */
import { timestamp } from '../../domain/clock.ts'
import { type Execution, isTerminal, type Step, type StepPreview } from '../../domain/execution.ts'
import type { Font } from '../../domain/font.ts'
import type { Image } from '../../domain/image.ts'
import type { Project } from '../../domain/project.ts'
import type { Workflow, WorkflowDocument, WorkflowVersion } from '../../domain/workflow.ts'
import type { Issue } from '../../errors.ts'
import type { Images } from '../../services/images.ts'
import { executionCost, modelCall } from './providers/present.ts'

export function workflowItem({ id, name, projectId, createdAt, updatedAt }: Workflow) {
  return { id, name, projectId, createdAt: timestamp(createdAt), updatedAt: timestamp(updatedAt) }
}

export function workflowDetail(workflow: Workflow, document: WorkflowDocument, warnings?: Issue[]) {
  return {
    id: workflow.id,
    name: workflow.name,
    description: workflow.description,
    projectId: workflow.projectId,
    parameters: (document.parameters ?? []).map(({ required, ...declaration }) =>
      required ? { ...declaration, required } : declaration,
    ),
    createdAt: timestamp(workflow.createdAt),
    updatedAt: timestamp(workflow.updatedAt),
    version: workflow.version,
    ...(warnings ? { warnings } : {}),
  }
}

/** A version never changes, so its number is a strong validator. */
export function versionTag(version: number): string {
  return `"${version}"`
}

export function workflowVersion({ version, createdAt, note }: Omit<WorkflowVersion, 'document'>) {
  return { version, createdAt: timestamp(createdAt), ...(note === undefined ? {} : { note }) }
}

export function executionRecord(execution: Execution, images: Images) {
  const { id, workflowId, workflowVersion, parameters, status, error, createdAt, startedAt, completedAt, resumedFrom } =
    execution
  const { previews, isDraft, node } = execution
  const output = executionOutput(execution, images)
  const cost = isTerminal(status) ? executionCost(execution) : undefined
  return {
    executionId: id,
    workflowId,
    status,
    ...(output ? { output } : {}),
    ...(error ? { error } : {}),
    ...(completedAt === null ? {} : { duration: completedAt - createdAt }),
    ...(startedAt === null ? {} : { startedAt: timestamp(startedAt) }),
    ...(completedAt === null ? {} : { completedAt: timestamp(completedAt) }),
    createdAt: timestamp(createdAt),
    ...(isDraft ? {} : { workflowVersion }),
    parameters,
    ...(previews ? { previews } : {}),
    ...(resumedFrom === undefined ? {} : { resumedFrom }),
    ...(isDraft ? { draft: true } : {}),
    ...(node === undefined ? {} : { node }),
    ...(cost ? { cost } : {}),
  }
}

export function executionOutput({ output }: Execution, images: Images) {
  if (output === null) return undefined
  const { imageId, width, height, format } = output
  return { url: images.url({ id: imageId, format }), width, height, format, imageId }
}

/** `stepsUrl`: where the steps of its execution are, as `stepsUrlOf` tells. */
export function stepRecord(step: Step, stepsUrl: string) {
  const { node, operation, status, startedAt, durationMs, width, height, count, error, servedFrom, preview, calls } =
    step
  return {
    node,
    operation,
    status,
    ...(startedAt === null ? {} : { startedAt: timestamp(startedAt) }),
    ...(durationMs === null ? {} : { duration: durationMs }),
    ...(width === null ? {} : { width }),
    ...(height === null ? {} : { height }),
    ...(count === undefined ? {} : { count }),
    ...(servedFrom === undefined ? {} : { servedFrom }),
    ...(preview === undefined ? {} : { preview: previewOf(node, preview, stepsUrl) }),
    ...(calls === undefined ? {} : { calls: calls.map(modelCall) }),
    ...(error === null ? {} : { error }),
  }
}

export function stepsUrlOf(executionId: string, { baseUrl }: { baseUrl(): string }): string {
  return `${baseUrl()}/workflows/executions/${executionId}/steps`
}

function previewOf(node: string, { width, height }: StepPreview, stepsUrl: string) {
  return { url: `${stepsUrl}/${encodeURIComponent(node)}/preview`, width, height }
}

export function imageItem(image: Image, images: Images) {
  const { id, name, size, createdAt } = image
  return { id, url: images.url(image), name, size, createdAt: timestamp(createdAt) }
}

export function imageDetail(image: Image, images: Images) {
  const { id, name, size, format, width, height, createdAt, projectId } = image
  return {
    id,
    url: images.url(image),
    name,
    size,
    format,
    width,
    height,
    createdAt: timestamp(createdAt),
    ...(projectId === null ? {} : { projectId }),
  }
}

export function fontRecord({ id, family, format, weightMin, weightMax, italic, size, createdAt }: Font) {
  return { id, family, format, weightMin, weightMax, italic, size, createdAt: timestamp(createdAt) }
}

export function projectRecord({ id, name, description, createdAt, updatedAt }: Project) {
  return { id, name, description, createdAt: timestamp(createdAt), updatedAt: timestamp(updatedAt) }
}
