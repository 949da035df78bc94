/** Shortcuts as text: matching key presses, and labels for this machine. */

export interface KeyPress {
  key: string
  ctrlKey: boolean
  metaKey: boolean
  altKey: boolean
  shiftKey: boolean
}

const named: Record<string, string> = { space: ' ', plus: '+', esc: 'escape', del: 'delete' }
/** Characters that need Shift on some keyboard layouts: Shift is ignored for them. */
const symbols = /^[^a-z0-9]$/

/** `mod+shift+Z`: `mod` is Cmd on a Mac and Ctrl elsewhere. */
export function matches(shortcut: string, press: KeyPress, isMac: boolean): boolean {
  const { key, mod, alt, shift } = read(shortcut)
  const pressed = press.key.toLowerCase()
  if (pressed !== key) return false
  const [command, other] = isMac ? [press.metaKey, press.ctrlKey] : [press.ctrlKey, press.metaKey]
  if (command !== mod || other) return false
  if (symbols.test(key) && key !== ' ') return true
  return press.altKey === alt && press.shiftKey === shift
}

/** The labels of the keys: `['⌘', '⇧', 'Z']`, `['Ctrl', 'Shift', 'Z']`. */
export function keysOf(shortcut: string, isMac: boolean): string[] {
  const { key, mod, alt, shift } = read(shortcut)
  return [
    ...(mod ? [isMac ? '⌘' : 'Ctrl'] : []),
    ...(alt ? [isMac ? '⌥' : 'Alt'] : []),
    ...(shift ? [isMac ? '⇧' : 'Shift'] : []),
    keySymbols[key] ?? (key.length === 1 ? key.toUpperCase() : key.charAt(0).toUpperCase() + key.slice(1)),
  ]
}

/** The keys as one text: `⌘⇧Z`, `Ctrl+Shift+Z`. */
export function shortcutText(shortcut: string, isMac: boolean): string {
  return keysOf(shortcut, isMac).join(isMac ? '' : '+')
}

const keySymbols: Record<string, string> = {
  ' ': 'Space',
  arrowup: '↑',
  arrowdown: '↓',
  arrowleft: '←',
  arrowright: '→',
  escape: 'Esc',
  delete: 'Del',
  enter: 'Enter',
}

function read(shortcut: string): { key: string; mod: boolean; alt: boolean; shift: boolean } {
  // In `mod++`, the key is the last plus.
  const parts = shortcut.toLowerCase().replace(/\+$/, 'plus').split('+')
  const last = parts.at(-1) ?? ''
  return {
    key: named[last] ?? last,
    mod: parts.includes('mod'),
    alt: parts.includes('alt'),
    shift: parts.includes('shift'),
  }
}
