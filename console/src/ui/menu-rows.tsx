import { Menu, Text } from '@mantine/core'
import type { MenuPlace, MenuRow } from './lazy-menu.tsx'
import { PopupTarget, usePopupProps } from './popup-target.tsx'
import type { Popup } from './use-popup.ts'

interface Props extends MenuPlace {
  popup: Popup
  rows: readonly MenuRow[]
}

export function MenuRows({ popup, rows, ...place }: Props) {
  // Mantine would try to focus the first row, also if it is disabled, and no row would have the focus.
  const first = rows.find(({ onClick, isOff = false }) => onClick !== undefined && !isOff)
  return (
    <Menu {...usePopupProps(popup)} {...place} shadow="md">
      <Menu.Target>
        <PopupTarget popup={popup} />
      </Menu.Target>
      <Menu.Dropdown>
        {rows.map((row) => {
          const { title, onClick, icon, note, isOff = false } = row
          return onClick === undefined ? (
            <Menu.Label key={title}>{title}</Menu.Label>
          ) : (
            <Menu.Item
              key={title}
              leftSection={icon}
              rightSection={
                note === undefined ? null : (
                  <Text span size="xs" c="dimmed">
                    {note}
                  </Text>
                )
              }
              disabled={isOff}
              data-autofocus={row === first || undefined}
              onClick={onClick}
            >
              {title}
            </Menu.Item>
          )
        })}
      </Menu.Dropdown>
    </Menu>
  )
}
