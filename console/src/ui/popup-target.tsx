import { type Ref, useEffect, useImperativeHandle, useState } from 'react'
import type { Popup } from './use-popup.ts'

/** The button of a popup, as the child of Mantine's `Target`. It is rendered elsewhere. */
export function PopupTarget({ popup, ref }: { popup: Popup; ref?: Ref<HTMLElement> }) {
  useImperativeHandle(ref, () => popup.button.current as HTMLElement, [popup.button])
  return null
}

/** Props of Mantine's `Menu` and `Popover`. They open after their first rendering: only then they know where the focus was. */
export function usePopupProps({ id, isOpen, onClose }: Popup) {
  const [isReady, setReady] = useState(false)
  useEffect(() => setReady(true), [])
  return { id, opened: isReady && isOpen, onChange: (opened: boolean) => opened || onClose() }
}
