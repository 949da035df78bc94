import { Group, Kbd } from '@mantine/core'
import { isMac } from './keys.tsx'
import { keysOf } from './shortcuts.ts'

/** A shortcut, drawn as keys. */
export function Shortcut({ shortcut }: { shortcut: string }) {
  return (
    <Group component="span" gap={3} wrap="nowrap" display="inline-flex">
      {keysOf(shortcut, isMac).map((key) => (
        <Kbd key={key} size="xs">
          {key}
        </Kbd>
      ))}
    </Group>
  )
}
