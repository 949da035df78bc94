import { Button, Group, Text } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { binImages, imageUses, refreshImages, restoreImages } from '../../api/images.ts'
import type { ImageItem } from '../../api/types.ts'
import { useCommands } from '../../ui/commands/commands.ts'
import { keepFocus } from '../../ui/focus-on-page.ts'
import { counted } from '../../ui/format.ts'
import { showError } from '../../ui/show-error.ts'
import { useSelection } from './use-selection.ts'
import { usedImages } from './used-images.ts'
import { UsesDialog, type UsesQuestion } from './uses-dialog.tsx'

const none: ReadonlySet<string> = new Set()
/** Long enough to read the notice and to reach its button, also with a keyboard or a screen reader (WCAG 2.2, 2.2.1). */
const undoMs = 60_000

/** The images that are selected and deleted on the page, with the commands for both. */
export function useImageSelection(loaded: readonly ImageItem[]) {
  const queryClient = useQueryClient()
  const [leaving, setLeaving] = useState(none)
  const [deleted, setDeleted] = useState<{ ids: readonly string[]; notice: string }>()
  const [question, setQuestion] = useState<UsesQuestion>()
  const images = loaded.filter(({ id }) => !leaving.has(id))
  const { selected, select, selectAll, clear } = useSelection(images)
  const isLookingUp = useRef(false)
  const restore = async (ids: readonly string[]) => {
    setDeleted(undefined)
    try {
      await restoreImages(ids)
    } catch (error) {
      showError(`${counted(ids.length, 'image')} could not be restored`, error)
    }
    await refreshImages(queryClient)
  }
  const removeNow = async (ids: readonly string[]) => {
    setQuestion(undefined)
    setLeaving(new Set([...leaving, ...ids]))
    clear()
    keepFocus()
    try {
      await binImages(ids)
      setDeleted({ ids, notice: showUndo(ids, restore) })
    } catch (error) {
      showError(`${counted(ids.length, 'image')} could not be deleted`, error)
    }
    await refreshImages(queryClient)
    setLeaving(none)
  }
  /** Deletes the images if no workflow uses them. Otherwise a person decides. */
  const remove = async (ids: readonly string[]) => {
    if (ids.length === 0 || isLookingUp.current) return
    isLookingUp.current = true
    try {
      const used = await usedImages(ids, imageUses)
      if (used.length === 0) await removeNow(ids)
      else setQuestion({ ids, used })
    } catch (error) {
      setQuestion({ ids, used: [], problem: error instanceof Error ? error.message : String(error) })
    } finally {
      isLookingUp.current = false
    }
  }
  const group = 'Storage'
  useCommands([
    {
      id: 'storage.selectAll',
      title: 'Select all images',
      group,
      shortcuts: ['mod+A'],
      run: selectAll,
    },
    {
      id: 'storage.selectNone',
      title: 'Clear the selection',
      group,
      shortcuts: ['Escape'],
      isEnabled: () => selected.size > 0,
      run: clear,
    },
    {
      id: 'storage.delete',
      title: 'Delete the selected images',
      group,
      shortcuts: ['Delete', 'Backspace'],
      isEnabled: () => selected.size > 0,
      run: () => void remove([...selected]),
    },
    {
      id: 'storage.undo',
      title: 'Restore the deleted images',
      group,
      shortcuts: ['mod+Z'],
      isEnabled: () => deleted !== undefined,
      run() {
        if (deleted === undefined) return
        notifications.hide(deleted.notice)
        void restore(deleted.ids)
      },
    },
  ])
  const dialog = question && (
    <UsesDialog
      {...question}
      nameOf={(imageId) => loaded.find(({ id }) => id === imageId)?.name ?? imageId}
      onKeep={() => setQuestion(undefined)}
      onDelete={(ids) => void removeNow(ids)}
    />
  )
  return {
    images,
    selected,
    select,
    clear,
    remove: (ids: readonly string[]) => void remove(ids),
    dialog,
  }
}

/** The images stay in the bin after the notice has gone. Returns the id of the notice. */
function showUndo(ids: readonly string[], restore: (ids: readonly string[]) => Promise<void>): string {
  const notice = notifications.show({
    autoClose: undoMs,
    message: (
      <Group justify="space-between" wrap="nowrap">
        <Text size="sm">{counted(ids.length, 'image')} moved to the bin</Text>
        <Button
          size="compact-sm"
          variant="light"
          onClick={() => {
            notifications.hide(notice)
            void restore(ids)
          }}
        >
          Undo
        </Button>
      </Group>
    ),
  })
  return notice
}
