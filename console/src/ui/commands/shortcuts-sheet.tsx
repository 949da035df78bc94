import { Modal, Stack, Text, Title } from '@mantine/core'
import { useReturnFocus } from '../use-return-focus.ts'
import { type Command, useAllCommands } from './commands.ts'
import { Shortcut } from './shortcut.tsx'
import classes from './shortcuts-sheet.module.css'

/** All shortcuts of this page, by group. */
export function ShortcutsSheet({ onClose }: { onClose(): void }) {
  useReturnFocus()
  const groups = Object.entries(Object.groupBy(useAllCommands().filter(hasShortcut), ({ group }) => group))
  return (
    <Modal opened onClose={onClose} title="Keyboard shortcuts" size="xl">
      <div className={classes.groups}>
        {groups.map(([group, commands = []]) => (
          <section key={group} className={classes.group}>
            <Title order={3} size="sm" mb={6}>
              {group}
            </Title>
            <Stack component="dl" gap={0} m={0}>
              {merged(commands).map((command) => (
                <div key={command.id} className={classes.row}>
                  <Text component="dt" size="sm">
                    {command.title}
                  </Text>
                  <dd className={classes.keys}>
                    {command.shortcuts?.map((shortcut) => (
                      <Shortcut key={shortcut} shortcut={shortcut} />
                    ))}
                  </dd>
                </div>
              ))}
            </Stack>
          </section>
        ))}
      </div>
    </Modal>
  )
}

/** Merges commands with the same name into one row. */
function merged(commands: readonly Command[]): Command[] {
  return Object.values(Object.groupBy(commands, ({ title }) => title)).flatMap((sameTitle = []) => {
    const [first] = sameTitle
    return first === undefined ? [] : [{ ...first, shortcuts: sameTitle.flatMap(({ shortcuts = [] }) => shortcuts) }]
  })
}

function hasShortcut({ shortcuts = [] }: Command): boolean {
  return shortcuts.length > 0
}
