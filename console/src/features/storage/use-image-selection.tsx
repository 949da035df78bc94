import { Button, Group, Text } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useRef, useState, useSyncExternalStore } from 'react'
import { imageUses } from '../../api/images.ts'
import type { ImageItem } from '../../api/types.ts'
import { useCommands } from '../../ui/commands/commands.ts'
import { keepFocus } from '../../ui/focus-on-page.ts'
import { counted } from '../../ui/format.ts'
import type { Deletions } from './deletions.ts'
import { usedImages } from './used-images.ts'
import { UsesDialog, type UsesQuestion } from './uses-dialog.tsx'

const none: ReadonlySet<string> = new Set()

/** The images that are selected and deleted on the page, with the commands for both. */
export function useImageSelection(loaded: readonly ImageItem[], deletions: Deletions) {
  const pending = useSyncExternalStore(deletions.subscribe, deletions.pending)
  const [chosen, setSelected] = useState(none)
  const [deleted, setDeleted] = useState<readonly string[]>([])
  const [question, setQuestion] = useState<UsesQuestion>()
  const images = loaded.filter(({ id }) => !pending.has(id))
  // Images that a filter hides are not deleted with the others.
  const selected = new Set(images.flatMap(({ id }) => (chosen.has(id) ? [id] : [])))

  const select = (id: string, isSelected: boolean) =>
    setSelected(new Set(isSelected ? [...chosen, id] : [...chosen].filter((other) => other !== id)))
  const isLookingUp = useRef(false)
  const removeNow = (ids: readonly string[]) => {
    setQuestion(undefined)
    deletions.mark(ids)
    setSelected(none)
    setDeleted(ids)
    keepFocus()
    showUndo(ids, deletions)
  }
  /** Deletes the images if no workflow uses them. Otherwise a person decides. */
  const remove = async (ids: readonly string[]) => {
    if (ids.length === 0 || isLookingUp.current) return
    isLookingUp.current = true
    try {
      const used = await usedImages(ids, imageUses)
      if (used.length === 0) removeNow(ids)
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
      run: () => setSelected(new Set(images.map(({ id }) => id))),
    },
    {
      id: 'storage.selectNone',
      title: 'Clear the selection',
      group,
      shortcuts: ['Escape'],
      isEnabled: () => selected.size > 0,
      run: () => setSelected(none),
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
      isEnabled: () => deletions.canUndo(deleted),
      run: () => deletions.undo(deleted),
    },
  ])
  const dialog = question && (
    <UsesDialog
      {...question}
      nameOf={(imageId) => loaded.find(({ id }) => id === imageId)?.name ?? imageId}
      onKeep={() => setQuestion(undefined)}
      onDelete={removeNow}
    />
  )
  return { images, selected, select, remove: (ids: readonly string[]) => void remove(ids), dialog }
}

/** The notice is there as long as its button works. */
function showUndo(ids: readonly string[], deletions: Deletions): void {
  const notice = notifications.show({
    autoClose: false,
    message: (
      <Group justify="space-between" wrap="nowrap">
        <Text size="sm">{counted(ids.length, 'image')} deleted</Text>
        <Button size="compact-sm" variant="light" onClick={() => deletions.undo(ids)}>
          Undo
        </Button>
      </Group>
    ),
  })
  const stop = deletions.subscribe(() => {
    if (deletions.canUndo(ids)) return
    stop()
    notifications.hide(notice)
  })
}
