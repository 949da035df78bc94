import { Button } from '@mantine/core'
import { Plus } from 'lucide-react'
import { showField } from '../show-field.ts'

/** Adds a missing value that has several fields, and focuses the first one. */
export function AddButton({ id, title, onAdd }: { id: string; title: string; onAdd(): void }) {
  const add = (button: HTMLElement) => {
    const field = button.closest<HTMLElement>('[data-path]')
    const form = { current: field?.parentElement ?? null }
    onAdd()
    if (field?.dataset.path !== undefined) showField(form, field.dataset.path)
  }
  return (
    <Button
      id={id}
      variant="default"
      size="xs"
      leftSection={<Plus size={14} aria-hidden />}
      aria-label={`Add ${title}`}
      onClick={({ currentTarget }) => add(currentTarget)}
    >
      Add
    </Button>
  )
}
