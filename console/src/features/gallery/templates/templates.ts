/** The templates. None needs a stored image: their photos are parameters. */
import type { WorkflowDocument } from '../../../api/workflow-document.ts'

const files = import.meta.glob<WorkflowDocument>('./*.json', { eager: true, import: 'default' })

export const templates: readonly WorkflowDocument[] = Object.keys(files)
  .toSorted()
  .flatMap((path) => files[path] ?? [])
