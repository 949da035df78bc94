/** A question before a run that costs more than the person of this browser chose. */
import { ActionIcon, Button, Group, Modal, NumberInput, Popover, Stack, Text } from '@mantine/core'
import { useLocalStorage } from '@mantine/hooks'
import { CircleDollarSign } from 'lucide-react'
import { type ReactNode, useRef, useState } from 'react'
import { dollars } from '../../ui/format.ts'
import { useReturnFocus } from '../../ui/use-return-focus.ts'
import { type Price, priceWithSource } from './price.ts'

/** US dollars; null never asks. */
function useAskAbove() {
  return useLocalStorage<number | null>({ key: 'tintype:ask-above', defaultValue: 1, getInitialValueInEffect: false })
}

interface Question {
  price: Price
  run(): void
}

export interface AskBeforeRun {
  /** Runs immediately, or after the question. A run whose price is unknown is not asked for. */
  ask(price: () => Price | Promise<Price>, run: () => void): void
  dialog: ReactNode
}

export function useAskBeforeRun(): AskBeforeRun {
  const [above] = useAskAbove()
  const [question, setQuestion] = useState<Question>()
  /** A second press of the shortcut must not start a second run. */
  const isWaiting = useRef(false)
  const askIfAbove = async (priceOf: () => Price | Promise<Price>, run: () => void) => {
    if (isWaiting.current) return
    isWaiting.current = true
    // A run that can't be forecast is started: its response has the problems.
    const price = above === null ? undefined : await Promise.resolve(priceOf()).catch(() => undefined)
    isWaiting.current = false
    if (price !== undefined && price.usd > (above ?? 0)) setQuestion({ price, run })
    else run()
  }
  return {
    ask: (price, run) => void askIfAbove(price, run),
    dialog: question && <AskDialog question={question} above={above ?? 0} onClose={() => setQuestion(undefined)} />,
  }
}

function AskDialog({
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

/** The button that opens the limit above which this browser asks. */
export function AskAboveButton() {
  const [above, setAbove] = useAskAbove()
  const label = above === null ? 'Ask before expensive runs' : `Asks before runs above ${dollars(above)}`
  return (
    <Popover position="top-end" shadow="md" trapFocus returnFocus width={280}>
      <Popover.Target>
        {/* Without a Tooltip around it, which would get the id that names the dialog. */}
        <ActionIcon variant="subtle" color="gray" size="lg" aria-label={label} title={label}>
          <CircleDollarSign size={18} />
        </ActionIcon>
      </Popover.Target>
      <Popover.Dropdown>
        <NumberInput
          data-autofocus
          label="Ask before a run above"
          description="US dollars, in this browser. Empty: never ask. A run with an unknown price is not asked about."
          prefix="$"
          min={0}
          decimalScale={4}
          step={0.1}
          value={above ?? ''}
          onChange={(value) => setAbove(typeof value === 'number' ? value : null)}
        />
      </Popover.Dropdown>
    </Popover>
  )
}
