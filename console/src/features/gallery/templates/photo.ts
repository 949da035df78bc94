/** Photos of templates: the examples name files of the repository, which no account has. */
import { isObject } from '../../../../../shared/values.ts'
import type { WorkflowDocument } from '../../../api/workflow-document.ts'

type Parameter = NonNullable<WorkflowDocument['parameters']>[number]

/** Whether the template shows a photo of its user. */
export function takesPhoto({ parameters = [] }: WorkflowDocument): boolean {
  return parameters.some(({ default: preset }) => hasPath(preset))
}

/**
 * The template as a new workflow. `imageId`: the default in place of each sample photo. Without one, a parameter with a sample photo has no
 * default, and each run needs a value.
 */
export function withPhoto(template: WorkflowDocument, imageId: string | undefined): WorkflowDocument {
  const { parameters } = template
  if (parameters === undefined) return template
  const own = parameters.map((parameter): Parameter => {
    if (!hasPath(parameter.default)) return parameter
    if (imageId !== undefined) return { ...parameter, default: replaced(parameter.default, imageId) as never }
    const { default: _, ...rest } = parameter
    return { ...rest, required: true }
  })
  return { ...template, parameters: own }
}

function hasPath(value: unknown): boolean {
  if (typeof value === 'string') return value.startsWith('../')
  return isObject(value) || Array.isArray(value) ? Object.values(value).some(hasPath) : false
}

function replaced(value: unknown, imageId: string): unknown {
  if (typeof value === 'string') return hasPath(value) ? imageId : value
  if (Array.isArray(value)) return value.map((item) => replaced(item, imageId))
  if (!isObject(value)) return value
  return Object.fromEntries(Object.entries(value).map(([name, field]) => [name, replaced(field, imageId)]))
}
