import { useShallow } from 'zustand/react/shallow'
import type { Size } from '../document/geometry.ts'
import { declaredSize, sizeSources } from '../document/image-size.ts'
import { useSourceImage } from '../form/source-image.ts'
import { useDocument, useEditor, useRun } from '../state/editor-context.ts'

/** The size of the node's image: in the last run, or as the document or a stored image has it. Undefined if it is unknown. */
export function useImageSize(id: string): Size | undefined {
  const { catalogue } = useEditor()
  const sources = useDocument(useShallow(({ document }) => sizeSources(document, catalogue, id)))
  const declared = useDocument(
    useShallow(({ document }) => {
      const sizes = sources.map((source) => declaredSize(document, catalogue, source))
      return sizes.find((size) => size !== undefined)
    }),
  )
  const ran = useRun(
    useShallow(({ nodes }) => {
      const runs = sources.map((source) => nodes.get(source))
      const run = runs.find((run) => run?.width !== undefined && run.height !== undefined && !run.isStale)
      return run === undefined ? undefined : { width: run.width as number, height: run.height as number }
    }),
  )
  const { image } = useSourceImage(sources.at(-1) ?? id)
  const stored = image === undefined ? undefined : { width: image.width, height: image.height }
  return ran ?? declared ?? stored
}
