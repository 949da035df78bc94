import { Modal, SimpleGrid, Stack, Text, Title } from '@mantine/core'
import { type Command, useAllCommands } from './commands.ts'
import { Shortcut } from './shortcut.tsx'
import classes from './shortcuts-sheet.module.css'

/** All shortcuts that hold here, by what they are about. */
export function ShortcutsSheet({ isOpen, onClose }: { isOpen: boolean; onClose(): void }) {
  const groups = Object.entries(Object.groupBy(useAllCommands().filter(hasShortcut), ({ group }) => group))
  return (
    <Modal opened={isOpen} onClose={onClose} title="Keyboard shortcuts" size="xl">
      <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="xl">
        {groups.map(([group, commands = []]) => (
          <section key={group}>
            <Title order={3} size="sm" mb={6}>
              {group}
            </Title>
            <Stack component="dl" gap={0} m={0}>
              {commands.map((command) => (
                <div key={command.id} className={classes.row}>
                  <Text component="dt" size="sm">
                    {command.title}
                  </Text>
                  <dd className={classes.keys}>
                    {command.shortcuts?.map((shortcut) => (
                      <Shortcut key={shortcut} of={shortcut} />
                    ))}
                  </dd>
                </div>
              ))}
            </Stack>
          </section>
        ))}
      </SimpleGrid>
    </Modal>
  )
}

function hasShortcut({ shortcuts = [] }: Command): boolean {
  return shortcuts.length > 0
}
