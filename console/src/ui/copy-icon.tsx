import { ActionIcon, CopyButton, Tooltip } from '@mantine/core'
import { Check, Copy, type LucideIcon } from 'lucide-react'

/** A button that copies a value. `label`: such as `Copy the id`. */
export function CopyIcon({ value, label, Icon = Copy }: { value: string; label: string; Icon?: LucideIcon }) {
  return (
    <CopyButton value={value}>
      {({ copied, copy }) => (
        <Tooltip label={copied ? 'Copied' : label}>
          <ActionIcon variant="subtle" color="gray" size="lg" aria-label={label} onClick={copy}>
            {copied ? <Check size={15} /> : <Icon size={15} />}
          </ActionIcon>
        </Tooltip>
      )}
    </CopyButton>
  )
}
