import { Button, Group, Modal, Text } from '@mantine/core'
import { useBlocker } from '@tanstack/react-router'

/** Asks before unsaved changes are lost. */
export function LeaveDialog({ isChanged }: { isChanged: boolean }) {
  const { status, proceed, reset } = useBlocker({
    shouldBlockFn: () => isChanged,
    enableBeforeUnload: () => isChanged,
    withResolver: true,
  })
  return (
    <Modal opened={status === 'blocked'} onClose={() => reset?.()} title="Discard your changes?">
      <Text size="sm" mb="lg">
        The brand values have changes that aren’t saved.
      </Text>
      <Group justify="flex-end" gap="sm">
        <Button variant="default" data-autofocus onClick={() => reset?.()}>
          Stay here
        </Button>
        <Button color="red" onClick={() => proceed?.()}>
          Discard
        </Button>
      </Group>
    </Modal>
  )
}
