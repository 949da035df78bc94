/** The stored image that a source node or a pinned node loads, to show it before the node runs. */
import { useQuery } from '@tanstack/react-query'
import { isTemplate } from '../../../../shared/values.ts'
import { hasStatus } from '../../api/client.ts'
import { imageQuery, isImageId } from '../../api/images.ts'
import { type Catalogue, operationOf, workflowType } from '../../api/operations.ts'
import type { ImageDetail } from '../../api/types.ts'
import type { WorkflowNode } from '../../api/workflow-document.ts'
import { onlyParameter } from '../document/references.ts'
import { useDocument, useEditor, useRun } from '../state/editor-context.ts'
import type { JsonSchema } from './schema.ts'

/** The setting of an operation that names an image, such as `source` of `image`. */
export function imageSetting(catalogue: Catalogue, node: WorkflowNode | undefined): string | undefined {
  if (node?.type === workflowType) return undefined
  const { properties = {} } = (operationOf(catalogue, node)?.params ?? {}) as JsonSchema
  return Object.keys(properties).find((name) => properties[name]?.['x-widget'] === 'image')
}

export interface SourceImage {
  /** Id or URL. Undefined if it is not known before the node runs. */
  source: string | undefined
  /** Undefined for a URL, and until it is loaded. */
  image: ImageDetail | undefined
  /** The id has no image, for example because it was deleted. */
  isMissing: boolean
}

/** If the setting is only a parameter, its value in the run form, or its default. */
export function useSourceImage(id: string): SourceImage {
  const { catalogue } = useEditor()
  const setting = useDocument(({ document }) => {
    const node = document.nodes[id]
    return node?.pinned ?? node?.params?.[imageSetting(catalogue, node) ?? '']
  })
  const parameter = onlyParameter(setting)
  const parameterValue = useRun(({ values }) => values[parameter ?? ''])
  const initial = useDocument(({ document }) => document.parameters?.find(({ name }) => name === parameter)?.default)
  const value = parameter === undefined ? setting : (parameterValue ?? initial)
  const source = typeof value === 'string' && value !== '' && !isTemplate(value) ? value : undefined
  const { data, error } = useQuery({
    ...imageQuery(source ?? ''),
    enabled: isImageId(source ?? ''),
    retry: false,
  })
  return { source, image: data, isMissing: hasStatus(error, 404) }
}
