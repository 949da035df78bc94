/** The hosts that executions by delivery URLs may read images from. */
import { allowsHost } from '../../domain/delivery.ts'
import type { WorkflowDocument } from '../../domain/workflow.ts'
import type { Plan } from '../../engine/plan/plan.ts'

export interface PlannedSources {
  /** As far as they are known before the execution. */
  known: string[]
  /** Whether some depend on values of nodes. */
  hasUnknown: boolean
}

export function sourcesOf({ steps }: Plan): PlannedSources {
  const reading = steps.filter(
    (step) => step.node.operation.reads?.sources && step.action !== 'skip' && step.action !== 'unneeded',
  )
  const names = (step: Plan['steps'][number]) => step.node.operation.reads?.sources ?? []
  const known = reading.flatMap((step) => names(step).flatMap((name) => texts(step.params?.[name])))
  return { known, hasUnknown: reading.some((step) => step.params === undefined) }
}

/** Whether the author allows the URL: its host is listed, or the document has exactly this URL. */
export function allowsSource(document: WorkflowDocument, url: string): boolean {
  const { delivery: { sources = [] } = {} } = document
  const host = URL.canParse(url) ? new URL(url).hostname : ''
  return allowsHost(sources, host) || JSON.stringify(document).includes(JSON.stringify(url))
}

function texts(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  return Array.isArray(value) ? value.flatMap(texts) : []
}
