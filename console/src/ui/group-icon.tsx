import { ImageDown, type LucideIcon, ShieldQuestion } from 'lucide-react'
import classes from './groups.module.css'
import { type Group, groups } from './groups.ts'

/** The icon of an operation's group in its colour; undefined for an unknown operation. */
export function GroupIcon({ group }: { group: Group | 'output' | undefined }) {
  const Icon: LucideIcon = group === undefined ? ShieldQuestion : group === 'output' ? ImageDown : groups[group].Icon
  return (
    <span className={`${classes.icon} ${groupClass(group)}`} aria-hidden>
      <Icon size={16} strokeWidth={2} />
    </span>
  )
}

/** Sets the colour variables of a group. */
export function groupClass(group: Group | 'output' | undefined): string {
  return classes[group ?? 'text'] ?? ''
}
