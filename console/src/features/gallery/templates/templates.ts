/** The templates: the shipped examples, by category. */
import type { WorkflowDocument } from '../../../api/workflow-document.ts'
import { examples } from '../shipped-examples.ts'
import { type Category, categories } from './categories.ts'

export interface Template {
  document: WorkflowDocument
  category: Category
  /** The URL of its image. */
  url: string
}

export const templates: readonly Template[] = Object.entries(categories).flatMap(([category, names]) =>
  names.flatMap((name) => {
    const example = examples.find((candidate) => candidate.name === name)
    return example === undefined ? [] : [{ ...example, category: category as Category }]
  }),
)
