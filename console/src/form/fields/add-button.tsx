import { Button } from '@mantine/core'
import { Plus } from 'lucide-react'

/** Puts a value of several parts where none is. */
export function AddButton({ id, title, onAdd }: { id: string; title: string; onAdd(): void }) {
  return (
    <Button
      id={id}
      variant="default"
      size="xs"
      h={32}
      leftSection={<Plus size={14} aria-hidden />}
      aria-label={`Add ${title}`}
      onClick={onAdd}
    >
      Add
    </Button>
  )
}
