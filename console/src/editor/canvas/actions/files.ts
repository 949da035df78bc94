/** Adds files that are dropped on the canvas or pasted. */
import { notifications } from '@mantine/notifications'
import { isImageFile, storeImage } from '../../../api/images.ts'
import { queryClient } from '../../../api/query-client.ts'
import type { ImageDetail } from '../../../api/types.ts'
import type { Point, Size } from '../../document/geometry.ts'
import { nodeSize } from '../../document/layout.ts'
import { sourceOf } from '../../document/wires.ts'
import type { PaletteRequest } from '../../state/canvas.ts'
import type { Editor } from '../../state/editor.ts'
import { sourceSize } from '../source-size.ts'
import { addOperation, addOver } from './add.ts'
import { announce, announceError } from './announce.ts'
import { pasteText } from './clipboard.ts'

/** The operation that loads a stored image. */
export const imageType = 'image'
const gap = 24

interface DropTarget {
  /** The position of the first node. Default: a free position. */
  at?: Point | undefined
  /** The card that the files were dropped on. */
  onto?: string | undefined
}

/**
 * Uploads images and adds a node for each, in a column. An image that is dropped on an image node replaces its image.
 */
export async function addFiles(editor: Editor, files: readonly File[], { at, onto }: DropTarget = {}): Promise<void> {
  const images = files.filter(isImageFile)
  const documents = files.filter((file) => !isImageFile(file))
  for (const file of documents) await pasteText(editor, await file.text(), at, file.name)
  const node = onto === undefined ? undefined : editor.document.getState().document.nodes[onto]
  const replaced = images.length === 1 && node?.type === imageType ? onto : undefined
  const { height } = nodeSize({ type: imageType }, editor.catalogue)
  for (const [index, file] of images.entries()) {
    const image = await uploadFile(editor, file, images.length > 1 ? ` (${index + 1} of ${images.length})` : '')
    if (image === undefined) continue
    const source = image.id
    if (replaced !== undefined) replaceSource(editor, replaced, source)
    else {
      const below = at && { x: at.x, y: at.y + index * (height + gap) }
      const request = below === undefined ? {} : { at: below }
      addOperation(editor, request, { type: imageType, id: stemOf(file), params: { source } })
    }
  }
}

/** Uploads images, and places each over the image of the request. */
export async function addOverlays(
  editor: Editor,
  files: readonly File[],
  request: () => PaletteRequest,
): Promise<void> {
  for (const file of files.filter(isImageFile)) {
    const image = await uploadFile(editor, file)
    if (image === undefined) continue
    const after = request()
    const choice = { type: imageType, id: stemOf(file), params: { source: image.id } }
    addOver(editor, after, choice, overlayParams(image, after.from && sourceSize(editor, sourceOf(after.from).source)))
  }
}

/** A large image starts with a quarter of the width, so that its handles are in sight. */
function overlayParams({ width }: Size, below: Size | '' | undefined): Record<string, unknown> | undefined {
  return below && width > below.width / 2 ? { width: Math.max(1, Math.round(below.width / 4)) } : undefined
}

/** Returns undefined after an error, which is shown. */
async function uploadFile(editor: Editor, file: File, progress = ''): Promise<ImageDetail | undefined> {
  const id = notifications.show({
    message: `Uploading ${file.name}${progress} …`,
    loading: true,
    autoClose: false,
    withBorder: true,
  })
  try {
    return await storeImage(queryClient, file)
  } catch (error) {
    announceError(editor, `${file.name} was not uploaded: ${error instanceof Error ? error.message : String(error)}`)
    return undefined
  } finally {
    notifications.hide(id)
  }
}

function replaceSource(editor: Editor, id: string, source: string): void {
  editor.document.getState().change(`Replace the image of ${id}`, ({ nodes }) => {
    const node = nodes[id]
    if (node !== undefined) node.params = { ...node.params, source }
  })
  announce(editor, `${id} uses the new image.`)
}

/** The id of the node: `sofa` for `Sofa.JPG`. */
function stemOf({ name }: File): string {
  const stem = name.replace(/\.[^.]*$/, '').toLowerCase()
  return /^[a-z]/.test(stem) ? stem : imageType
}
