/** A button whose menu or popover is loaded when the button has the pointer or the focus. The page opens without it. */
import { type RefObject, useId, useRef, useState } from 'react'

/** State for the menu or popover (popup-target.tsx). */
export interface Popup {
  /** The id of the button. */
  id: string
  button: RefObject<HTMLButtonElement | null>
  isOpen: boolean
  onClose(): void
}

interface Options {
  kind: 'menu' | 'dialog'
  load(): Promise<unknown>
  id?: string
}

export function usePopup({ kind, load, id: given }: Options) {
  const own = useId()
  const id = given ?? own
  const button = useRef<HTMLButtonElement>(null)
  const [isOpen, setOpen] = useState(false)
  const [wasOpen, setWasOpen] = useState(false)
  const popup: Popup = { id, button, isOpen, onClose: () => setOpen(false) }
  return {
    popup,
    /** It is rendered from then on, so that it can animate and return the focus. */
    isRendered: wasOpen,
    buttonProps: {
      id,
      ref: button,
      'aria-haspopup': kind,
      'aria-expanded': isOpen,
      'aria-controls': isOpen ? `${id}-dropdown` : undefined,
      onPointerEnter: load,
      onFocus: load,
      onClick: () => {
        setOpen(!isOpen)
        setWasOpen(true)
      },
    } as const,
  }
}
