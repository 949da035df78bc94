import { ActionIcon, Menu } from '@mantine/core'
import { Ban, EllipsisVertical, RefreshCw } from 'lucide-react'

interface Props {
  /** The name of the key. */
  of: string
  onRotate(): void
  onRevoke(): void
}

export function KeyMenu({ of, onRotate, onRevoke }: Props) {
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <ActionIcon variant="subtle" color="gray" size="lg" aria-label={`Actions for ${of}`}>
          <EllipsisVertical size={18} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item leftSection={<RefreshCw size={16} />} onClick={onRotate}>
          Rotate…
        </Menu.Item>
        <Menu.Item leftSection={<Ban size={16} />} color="red" onClick={onRevoke}>
          Revoke…
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}
