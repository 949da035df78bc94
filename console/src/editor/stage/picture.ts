/** The picture of a node on the stage. */
import type { Frame } from '../../../../shared/frames.ts'
import { operationOf } from '../../api/operations.ts'
import { shownPath } from '../../ui/thumbnail.tsx'
import type { Size } from '../document/geometry.ts'
import { nodesOf } from '../document/wires.ts'
import { useSourceImage } from '../form/source-image.ts'
import { useDocument, useEditor, useLivePreview, useNodeRun, usePreview, useRun } from '../state/editor-context.ts'
import { useKept } from './use-kept.ts'

export interface Picture {
  /** URL on this origin. The file can be smaller than the image. */
  url: string
  /** Size of the image itself. */
  size: Size
}

/** The live picture of the node while its settings change. Otherwise the stored image, the result of a run, or its preview. */
export function usePicture(id: string): Picture | undefined {
  const settled = useKept(id, usePictureNow(id))
  const { image } = useSourceImage(id)
  const live = useLivePreview(id)
  if (live?.url === undefined || image !== undefined) return settled
  return { url: live.url, size: { width: live.width, height: live.height } }
}

interface SharpPicture {
  picture: Picture | undefined
  /** The file has all pixels of the image. */
  isSharp: boolean
  /** The picture is older than the settings, and only a run or another setting can change that. */
  hasProblem: boolean
}

/** The picture of a node in its full size: a stored image, or a live picture. */
export function useSharpPicture(id: string | undefined): SharpPicture {
  const { isReadOnly } = useEditor()
  const { image, isMissing } = useSourceImage(id ?? '')
  const isLive = id !== undefined && !isReadOnly && image === undefined
  const live = usePreview(isLive ? id : undefined, { isExact: true, isImmediate: true })
  const picture = usePicture(id ?? '')
  const isSharp = image !== undefined || (live?.isExact === true && !live.isStale)
  return { picture, isSharp, hasProblem: isMissing || live?.problem !== undefined }
}

function usePictureNow(id: string): Picture | undefined {
  const run = useNodeRun(id)
  const { image } = useSourceImage(id)
  const result = useRun(({ execution }) => execution?.output)
  const isResult = useIsResult(id)
  if (image !== undefined) return { url: shownPath(image), size: { width: image.width, height: image.height } }
  if (run?.width === undefined || run.height === undefined) return undefined
  const size = { width: run.width, height: run.height }
  const isFull = isResult && result?.width === size.width && result.height === size.height
  if (isFull) return { url: shownPath(result), size }
  return run.previewUrl === undefined ? undefined : { url: run.previewUrl, size }
}

/** Whether the output of the shown run is the image of the node. */
function useIsResult(id: string): boolean {
  const upTo = useRun(({ execution }) => execution?.node)
  const output = useRun(({ executed }) => executed?.output?.node)
  const current = useDocument(({ document }) => document.output?.node)
  return (upTo ?? output ?? current) === id
}

/** The node whose image has the frame: of the result the node itself, of an input its source. */
export function useFrameNode(id: string, frame: Pick<Frame, 'of' | 'socket'> | undefined): string | undefined {
  const { catalogue } = useEditor()
  return useDocument(({ document }) => {
    const node = document.nodes[id]
    if (frame === undefined || frame.of === 'result') return id
    const socket = frame.socket ?? operationOf(catalogue, node)?.inputs[0]?.name ?? 'image'
    return nodesOf(node?.inputs?.[socket])[0]
  })
}
