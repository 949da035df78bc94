import { ActionIcon, type ActionIconProps } from '@mantine/core'
import type { ComponentPropsWithRef } from 'react'
import classes from './small-button.module.css'

interface Props extends ActionIconProps, Omit<ComponentPropsWithRef<'button'>, keyof ActionIconProps> {
  'aria-label': string
  /** Whether the button is not dimmed, such as that of a value that is a template. */
  isActive?: boolean
}

/** An icon next to a label. The area that reacts to a click is larger than the icon. */
export function SmallButton({ isActive = false, ...props }: Props) {
  return (
    <ActionIcon
      variant={isActive ? 'light' : 'subtle'}
      color={isActive ? 'copper' : 'gray'}
      size={24}
      className={`${classes.small} ${isActive ? '' : classes.quiet}`}
      {...props}
    />
  )
}
