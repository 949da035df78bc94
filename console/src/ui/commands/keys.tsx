import { useLayoutEffect } from 'react'
import { type Command, currentCommands } from './commands.ts'
import { matches } from './shortcuts.ts'

export const isMac = /mac|iphone|ipad/i.test(navigator.userAgent)

/** The field with the focus, if a person typed in it: there, Ctrl+Z is for the typed text. */
let typedIn: EventTarget | null = null

/** An open menu, popover or list of a field. */
const popup = '[role=menu], [role=dialog], [aria-haspopup=listbox][aria-controls]'

/** Runs the command of each pressed shortcut. Rendered once, in the shell. */
export function Keys() {
  useLayoutEffect(() => {
    let isForPopup = false
    // Read before the popup closes and returns the focus. Escape must not do something else as well.
    const handleKeyDownFirst = ({ key, target }: KeyboardEvent) => {
      isForPopup = key === 'Escape' && target instanceof Element && target.closest(popup) !== null
    }
    const handleKeyDown = (event: KeyboardEvent) => {
      if (event.isComposing || isForPopup) return
      const command = currentCommands().find((candidate) => isShortcutOf(candidate, event))
      if (command === undefined || (event.defaultPrevented && !isForPage(command, event))) return
      event.preventDefault()
      command.run()
    }
    const handleInput = ({ target }: Event) => {
      typedIn = target
    }
    const handleFocusIn = () => {
      typedIn = null
    }
    document.addEventListener('keydown', handleKeyDownFirst, true)
    document.addEventListener('keydown', handleKeyDown)
    document.addEventListener('input', handleInput, true)
    document.addEventListener('focusin', handleFocusIn)
    return () => {
      document.removeEventListener('keydown', handleKeyDownFirst, true)
      document.removeEventListener('keydown', handleKeyDown)
      document.removeEventListener('input', handleInput, true)
      document.removeEventListener('focusin', handleFocusIn)
    }
  }, [])
  return null
}

/** A select handles Enter with any modifier, so that Ctrl+Enter would not start a run there. */
function isForPage({ reach }: Command, { ctrlKey, metaKey }: KeyboardEvent): boolean {
  return reach === 'everywhere' && (ctrlKey || metaKey)
}

function isShortcutOf(
  { shortcuts = [], isEnabled, isInScope, reach = 'page' }: Command,
  event: KeyboardEvent,
): boolean {
  if (!shortcuts.some((shortcut) => matches(shortcut, event, isMac))) return false
  if (reach === 'page' && isTyping(event.target)) return false
  if (reach === 'untyped' && isTyping(event.target) && typedIn === event.target) return false
  if (reach !== 'everywhere' && isForDialog(event.target)) return false
  return (isInScope?.() ?? true) && (isEnabled?.() ?? true)
}

/** Open dialogs: those of Mantine, and those of the browser. */
export const modal = '[role=dialog][aria-modal=true], dialog[open]'

/** Whether a dialog is open, or was until it handled the key: Escape must not do something else as well. */
function isForDialog(target: EventTarget | null): boolean {
  const isInside = target instanceof Element && target.closest(modal) !== null
  return isInside || document.querySelector(modal) !== null
}

/** Whether letter keys type text here. */
function isTyping(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false
  if (target.isContentEditable || target instanceof HTMLTextAreaElement || target instanceof HTMLSelectElement)
    return true
  if (target instanceof HTMLInputElement)
    return !['checkbox', 'radio', 'button', 'range', 'color'].includes(target.type)
  return target.closest('[role=listbox],[role=menu],[role=slider]') !== null
}
