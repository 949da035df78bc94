import { useStore } from '@xyflow/react'
import { CircleSlash, LoaderCircle, Pin } from 'lucide-react'
import type { CSSProperties, KeyboardEvent, ReactNode } from 'react'
import { isTouch } from '../../ui/screen.ts'
import { type Switch, useBypass, usePin } from '../results/use-switches.ts'
import { useDocument, useEditor } from '../state/editor-context.ts'
import classes from './card-switches.module.css'

/**
 * Buttons that pin and bypass a node. They show on a card that is selected or has the pointer or the focus, and while they are on. They are
 * one tab stop, and only on the selected card: arrow keys go from one to the other.
 */
export function CardSwitches({ id }: { id: string }) {
  const pin = usePin(id)
  const bypass = useBypass(id)
  const isSelected = useDocument(({ selection }) => selection.length === 1 && selection[0] === id)
  const zoom = useStore(({ transform }) => (isSelected && isTouch() ? steppedZoom(transform[2]) : 1))
  const focusOther = (event: KeyboardEvent<HTMLElement>) => {
    if (event.key !== 'ArrowLeft' && event.key !== 'ArrowRight') return
    const other = event.currentTarget.querySelector<HTMLElement>('button:not(:focus)')
    other?.focus()
  }
  return (
    <span
      className={classes.switches}
      role="toolbar"
      aria-label={`Switches of ${id}`}
      style={{ '--zoom': zoom } as CSSProperties}
      onKeyDown={focusOther}
    >
      <SwitchButton
        {...{ id, name: 'Pin', icon: <Pin size={14} aria-hidden />, of: pin }}
        tabIndex={isSelected ? 0 : -1}
        title={
          pin.isOn
            ? 'Pinned: keeps its image (P)'
            : 'Pin: keeps the present image, whatever changes before the node (P)'
        }
      />
      <SwitchButton
        {...{ id, name: 'Bypass', icon: <CircleSlash size={14} aria-hidden />, of: bypass }}
        tabIndex={isSelected && !pin.isAvailable ? 0 : -1}
        title={bypass.isOn ? 'Bypassed: returns its first input (B)' : 'Bypass: passes the first input on (B)'}
      />
    </span>
  )
}

/** Rounded down, so that few steps of a pinch change the card. */
function steppedZoom(zoom: number): number {
  return Math.max(Math.floor(zoom * 10) / 10, 0.1)
}

interface ButtonProps {
  id: string
  name: string
  title: string
  icon: ReactNode
  tabIndex: 0 | -1
  of: Switch
}

function SwitchButton({ id, name, title, icon, tabIndex, of: { isOn, isAvailable, isBusy, toggle } }: ButtonProps) {
  const { isReadOnly } = useEditor()
  if (!isAvailable || (isReadOnly && !isOn)) return null
  return (
    <button
      type="button"
      className={`nodrag ${classes.switch}`}
      aria-label={`${name} ${id}`}
      aria-pressed={isOn}
      aria-busy={isBusy || undefined}
      disabled={isReadOnly}
      tabIndex={tabIndex}
      title={title}
      // The focus stays where it is, so that the next key is for the card.
      onMouseDown={(event) => event.preventDefault()}
      onClick={(event) => {
        // The selection stays, too.
        event.stopPropagation()
        if (!isBusy) toggle()
      }}
      onDoubleClick={(event) => event.stopPropagation()}
    >
      {isBusy ? <LoaderCircle size={14} className={classes.turning} aria-hidden /> : icon}
    </button>
  )
}
