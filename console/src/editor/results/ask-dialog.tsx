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
  const isUnknown = price.kind === 'unknown'
  return (
    <Modal
      opened
      onClose={onClose}
      title={isUnknown ? 'Run at an unknown price?' : `Run for ${priceWithSource(price)}?`}
    >
      <Stack>
        {isUnknown && (
          <Text size="sm">
            The price of this run is not known.{price.usd > 0 && ` Its known part is ${dollars(price.usd)}.`}
          </Text>
        )}
        <Text size="sm">
          This browser asks before a run {isUnknown ? 'that can cost more than' : 'above'} {dollars(above)}.
        </Text>
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
