import { Button, Group, Modal, Stack, Text } from '@mantine/core'
import { dollars } from '../../ui/format.ts'
import { useReturnFocus } from '../../ui/use-return-focus.ts'
import type { Question } from './ask-above.tsx'
import { priceWithSource } from './price.ts'

/** The question. */
export function AskDialog({
  question: { price, run },
  above,
  onClose,
}: {
  question: Question
  above: number
  onClose(): void
}) {
  useReturnFocus()
  return (
    <Modal opened onClose={onClose} title={`Run for ${priceWithSource(price)}?`}>
      <Stack>
        <Text size="sm">This browser asks before a run above {dollars(above)}.</Text>
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button
            data-autofocus
            onClick={() => {
              onClose()
              run()
            }}
          >
            Run
          </Button>
        </Group>
      </Stack>
    </Modal>
  )
}
