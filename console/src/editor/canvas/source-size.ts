import { imageQuery, isImageId } from '../../api/images.ts'
import { queryClient } from '../../api/query-client.ts'
import type { Size } from '../document/geometry.ts'
import { declaredSize, sizeSources } from '../document/image-size.ts'
import { onlyParameter } from '../document/references.ts'
import { imageSetting } from '../form/source-image.ts'
import type { Editor } from '../state/editor.ts'

/** The size of the node's image, as far as a run, the document or a stored image says it. */
export function sourceSize({ document: store, run, catalogue }: Editor, id: string): Size | undefined {
  const { document } = store.getState()
  const { nodes, values } = run.getState()
  for (const source of sizeSources(document, catalogue, id)) {
    const { width, height } = nodes.get(source) ?? {}
    if (width !== undefined && height !== undefined) return { width, height }
    const declared = declaredSize(document, catalogue, source)
    if (declared !== undefined) return declared
    const node = document.nodes[source]
    const setting = node?.params?.[imageSetting(catalogue, node) ?? '']
    const parameter = document.parameters?.find(({ name }) => name === onlyParameter(setting))
    const image = parameter === undefined ? setting : (values[parameter.name] ?? parameter.default)
    const stored =
      typeof image === 'string' && isImageId(image) ? queryClient.getQueryData(imageQuery(image).queryKey) : undefined
    if (stored !== undefined) return { width: stored.width, height: stored.height }
  }
  return undefined
}
