/** The hosts that executions by delivery URLs may read images from. */
import { allowsHost } from '../../domain/delivery/delivery.ts'
import type { WorkflowDocument } from '../../domain/workflows/workflow.ts'
import type { Plan } from '../../engine/plan/plan.ts'

export interface PlannedSources {
  /** Hosts that are known before the execution. */
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

/**
 * Whether the author allows a URL: its host is listed, or the document has exactly this URL. Reads the document once, however many URLs
 * follow.
 */
export function sourceRule(document: WorkflowDocument): (url: string) => boolean {
  const { delivery: { sources = [] } = {} } = document
  let written: Set<string> | undefined
  return (url) => {
    const host = URL.canParse(url) ? new URL(url).hostname : ''
    if (allowsHost(sources, host)) return true
    written ??= new Set(texts(document))
    return written.has(url)
  }
}

function texts(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(texts) : []
}
