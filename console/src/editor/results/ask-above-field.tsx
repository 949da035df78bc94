import { Popover } from '@mantine/core'
import { PopupTarget, usePopupProps } from '../../ui/popup-target.tsx'
import { TypedNumberInput } from '../../ui/typed-number-input.tsx'
import type { Popup } from '../../ui/use-popup.ts'
import { useAskAbove } from './ask-above.tsx'

/** The limit above which this browser asks. */
export function AskAboveField({ popup }: { popup: Popup }) {
  const { above, setAbove } = useAskAbove()
  return (
    <Popover {...usePopupProps(popup)} position="top-end" shadow="md" trapFocus returnFocus width={280}>
      <Popover.Target>
        <PopupTarget popup={popup} />
      </Popover.Target>
      <Popover.Dropdown>
        <TypedNumberInput
          data-autofocus
          label="Ask before a run above"
          description="US dollars, in this browser. A limit that you set also asks if the price of a run is not known. Empty: never ask."
          prefix="$"
          min={0}
          decimalScale={4}
          step={0.1}
          value={above ?? undefined}
          onChange={(value) => setAbove(value ?? null)}
        />
      </Popover.Dropdown>
    </Popover>
  )
}
