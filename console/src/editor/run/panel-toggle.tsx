import { ActionIcon } from '@mantine/core'
import { ChevronDown, ChevronUp } from 'lucide-react'
import { useCommands } from '../../ui/commands/commands.ts'
import { DockSide } from './dock.tsx'

interface Props {
  isOpen: boolean
  onOpen(isOpen: boolean): void
}

/** Opens and closes the run panel, also with a shortcut. */
export function PanelToggle({ isOpen, onOpen }: Props) {
  const title = isOpen ? 'Hide the run panel' : 'Show the run panel'
  useCommands([{ id: 'run.panel', title, group: 'Run', shortcuts: ['R'], run: () => onOpen(!isOpen) }])
  return (
    <>
      {isOpen && <DockSide />}
      <ActionIcon
        variant="subtle"
        color="gray"
        size="lg"
        aria-expanded={isOpen}
        aria-label={title}
        onClick={() => onOpen(!isOpen)}
      >
        {isOpen ? <ChevronDown size={18} /> : <ChevronUp size={18} />}
      </ActionIcon>
    </>
  )
}
