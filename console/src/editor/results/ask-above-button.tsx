import { ActionIcon } from '@mantine/core'
import { CircleDollarSign } from 'lucide-react'
import { Suspense } from 'react'
import { dollars } from '../../ui/format.ts'
import { lazyPart } from '../../ui/lazy-part.ts'
import { usePopup } from '../../ui/use-popup.ts'
import { useAskAbove } from './ask-above.tsx'

const load = () => import('./ask-above-field.tsx')
const AskAboveField = lazyPart(load, 'AskAboveField')

/** The button that opens the limit above which this browser asks. */
export function AskAboveButton() {
  const { above } = useAskAbove()
  const { popup, isRendered, buttonProps } = usePopup({ kind: 'dialog', load })
  const label = above === null ? 'Ask before expensive runs' : `Asks before runs above ${dollars(above)}`
  return (
    <>
      {/* Without a Tooltip around it, which would get the id that names the dialog. */}
      <ActionIcon {...buttonProps} variant="subtle" color="gray" size="lg" aria-label={label} title={label}>
        <CircleDollarSign size={18} />
      </ActionIcon>
      {isRendered && (
        <Suspense>
          <AskAboveField popup={popup} />
        </Suspense>
      )}
    </>
  )
}
