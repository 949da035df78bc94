/** Stores the painted mask: one image node at the mask socket, whose image each save replaces. */
import { deleteImage, imageUses, storeImage } from '../../../api/images.ts'
import { queryClient } from '../../../api/query-client.ts'
import type { WorkflowDocument } from '../../../api/workflow-document.ts'
import { positionFor } from '../../canvas/actions/add.ts'
import { announceError } from '../../canvas/actions/announce.ts'
import { imageType } from '../../canvas/actions/files.ts'
import { writeAutoPositions } from '../../canvas/actions/move.ts'
import { addNode, connect } from '../../document/edits.ts'
import type { Editor } from '../../state/editor.ts'
import { maskNodeOf, replaceableSetting } from './mask-input.ts'

export interface MaskSaver {
  /** Stores the mask shortly after the last call. */
  save(): void
  /** Stores a waiting mask now, and ends the entry of the history. */
  end(): void
}

interface Options {
  /** The node with the mask, and its socket. */
  id: string
  socket: string
  toPng(): Promise<Blob>
  /** Called with true before each save, and with false after the last one. */
  onSaving(isSaving: boolean): void
}

const pauseMs = 1000
let count = 0

export function createMaskSaver(editor: Editor, { id, socket, toPng, onSaving }: Options): MaskSaver {
  // All masks of one time with the brush are one entry of the history.
  const key = `mask.${++count}`
  let timer: ReturnType<typeof setTimeout> | undefined
  let saving = Promise.resolve()
  let last: { imageId: string; executionId: string | undefined } | undefined

  function start(): void {
    timer = undefined
    const png = toPng()
    saving = saving.then(() => store(png)).then(() => onSaving(timer !== undefined))
  }

  async function store(png: Promise<Blob>): Promise<void> {
    try {
      const file = new File([await png], `Mask of ${id}.png`, { type: 'image/png' })
      const { id: imageId } = await storeImage(queryClient, file)
      if (editor.document.getState().document.nodes[id] === undefined) return await deleteImage(imageId)
      const label = `Paint the mask of ${id}`
      editor.document
        .getState()
        .change(label, (document) => writeMask(editor, document, { id, socket, imageId }), { key })
      const replaced = last
      last = { imageId, executionId: editor.run.getState().execution?.executionId }
      if (replaced !== undefined) await deleteUnused(editor, replaced)
    } catch (error) {
      announceError(editor, `The mask was not saved: ${error instanceof Error ? error.message : String(error)}`)
    }
  }

  return {
    save() {
      onSaving(true)
      clearTimeout(timer)
      timer = setTimeout(start, pauseMs)
    },
    end() {
      if (timer !== undefined) {
        clearTimeout(timer)
        start()
      }
      void saving.then(() => {
        if (editor.document.getState().past.at(-1)?.key === key) editor.document.getState().endGesture()
      })
    },
  }
}

/** Edit of the document. */
function writeMask(
  editor: Editor,
  document: WorkflowDocument,
  { id, socket, imageId }: { id: string; socket: string; imageId: string },
): void {
  const { catalogue } = editor
  const current = maskNodeOf(document, id, socket)
  const setting = current === undefined ? undefined : replaceableSetting(document, catalogue, current)
  const node = current === undefined ? undefined : document.nodes[current]
  if (node !== undefined && setting !== undefined) {
    node.params = { ...node.params, [setting]: imageId }
    return
  }
  writeAutoPositions(editor, document)
  const at = positionFor(editor, document, { kind: 'before', to: { target: id, socket } }, { type: imageType })
  const source = addNode(document, { type: imageType, id: `mask-of-${id}`, params: { source: imageId }, at })
  connect(document, { source, target: id, socket }, false)
}

/** Deletes a mask that a newer one replaced, unless undo, a run or another workflow can still need it. */
async function deleteUnused(
  editor: Editor,
  { imageId, executionId }: { imageId: string; executionId: string | undefined },
): Promise<void> {
  const { past, future } = editor.document.getState()
  const isInHistory = [...past, ...future].some(({ document }) =>
    Object.values(document.nodes).some(({ params }) => Object.values(params ?? {}).includes(imageId)),
  )
  const hasRun = editor.run.getState().execution?.executionId !== executionId || editor.run.getState().isRunning
  if (isInHistory || hasRun) return
  // The stored draft has to name the new mask first.
  await editor.autosave.flush()
  const { workflows, brands } = await imageUses(imageId)
  if (workflows.length === 0 && brands === undefined) await deleteImage(imageId)
}
