import { ActionIcon, Menu } from '@mantine/core'
import { Download, Ellipsis, FolderInput, PencilLine, Trash2 } from 'lucide-react'
import { imagePath } from '../../api/images.ts'
import type { ImageItem } from '../../api/types.ts'

interface CardMenuProps {
  image: ImageItem
  onRename(): void
  onMove(): void
  onDelete(): void
}

/** The actions of a card of the grid. */
export function CardMenu({ image, onRename, onMove, onDelete }: CardMenuProps) {
  return (
    <Menu position="bottom-end" withinPortal>
      <Menu.Target>
        <ActionIcon variant="subtle" color="gray" aria-label={`Actions of ${image.name}`}>
          <Ellipsis size={16} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item leftSection={<PencilLine size={14} />} onClick={onRename}>
          Rename
        </Menu.Item>
        <Menu.Item leftSection={<FolderInput size={14} />} onClick={onMove}>
          Move to a project…
        </Menu.Item>
        <Menu.Item leftSection={<Download size={14} />} component="a" href={imagePath(image)} download={image.name}>
          Download
        </Menu.Item>
        <Menu.Item leftSection={<Trash2 size={14} />} color="red" onClick={onDelete}>
          Delete
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}
