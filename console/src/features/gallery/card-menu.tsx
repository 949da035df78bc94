import { ActionIcon, Menu } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { Activity, Copy, Download, EllipsisVertical, History, Play, Trash2 } from 'lucide-react'
import type { Entry } from './entries.ts'

export interface CardActions {
  onDuplicate(entry: Entry): void
  onDownload(entry: Entry): void
  onDelete(entry: Entry): void
}

const size = 16

export function CardMenu({ entry, actions }: { entry: Entry; actions: CardActions }) {
  const { workflowId, name } = entry
  return (
    <Menu position="bottom-end" withinPortal>
      <Menu.Target>
        <ActionIcon variant="subtle" color="gray" size={32} aria-label={`Actions for ${name}`}>
          <EllipsisVertical size={18} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item
          component={Link}
          to="/workflows/$workflowId/run"
          params={{ workflowId } as never}
          leftSection={<Play size={size} />}
        >
          Run
        </Menu.Item>
        <Menu.Item
          component={Link}
          to="/workflows/$workflowId/versions"
          params={{ workflowId } as never}
          leftSection={<History size={size} />}
        >
          Versions
        </Menu.Item>
        <Menu.Item
          component={Link}
          to="/executions"
          search={{ workflowId } as never}
          leftSection={<Activity size={size} />}
        >
          Executions
        </Menu.Item>
        <Menu.Divider />
        <Menu.Item leftSection={<Copy size={size} />} onClick={() => actions.onDuplicate(entry)}>
          Duplicate
        </Menu.Item>
        <Menu.Item leftSection={<Download size={size} />} onClick={() => actions.onDownload(entry)}>
          Download as YAML
        </Menu.Item>
        <Menu.Divider />
        <Menu.Item color="red" leftSection={<Trash2 size={size} />} onClick={() => actions.onDelete(entry)}>
          Delete…
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}
