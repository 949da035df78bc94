/** The registered commands. The command palette, the shortcut list and the key handler use them. */
import { useLayoutEffect, useRef, useSyncExternalStore } from 'react'

export interface Command {
  /** Identifier, for example `editor.undo`. If two commands have the same id, the later one is used. */
  id: string
  title: string
  /** The heading in the palette and in the shortcut list. */
  group: string
  /** Keys, for example `mod+K`, `?`, `Delete`, `alt+ArrowUp` (see shortcuts.ts). Several shortcuts do the same. */
  shortcuts?: readonly string[]
  keywords?: readonly string[]
  /** Default: enabled. */
  isEnabled?: () => boolean
  /** It has a shortcut but no row in the palette, such as moving with arrow keys. */
  isHidden?: boolean
  /** Only for its shortcut: whether the key is meant for this command, for example because of the focus. */
  isInScope?: () => boolean
  /** It has a row in the palette only if the search finds it, such as one of many nodes. */
  isFound?: boolean
  /**
   * `fields`: the shortcut also works in text fields. `untyped`: in those where nothing was typed since they got the focus.
   * `everywhere`: in all text fields, and over an open dialog.
   */
  reach?: 'page' | 'untyped' | 'fields' | 'everywhere'
  run(): void
}

const registrations = new Map<object, readonly Command[]>()
const listeners = new Set<() => void>()
let all: readonly Command[] = []

function publish(): void {
  all = [...new Map([...registrations.values()].flat().map((command) => [command.id, command])).values()]
  for (const listener of listeners) listener()
}

/** Registers commands while the component is mounted. `commands` can be new in each render: the newest ones run. */
export function useCommands(commands: readonly Command[]): void {
  const newest = useRef(commands)
  newest.current = commands
  const signature = commands.map(({ id, title, shortcuts }) => `${id} ${title} ${shortcuts}`).join('\n')
  // Before the first paint, so that the shortcut of a visible button works immediately.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the signature represents the commands
  useLayoutEffect(() => {
    const registration = {}
    const registered = newest.current.map((command, index) => ({
      ...command,
      run: () => newest.current[index]?.run(),
      isEnabled: () => newest.current[index]?.isEnabled?.() ?? true,
      isInScope: () => newest.current[index]?.isInScope?.() ?? true,
    }))
    registrations.set(registration, registered)
    publish()
    return () => {
      registrations.delete(registration)
      publish()
    }
  }, [signature])
}

/** All commands that are registered now. */
export const currentCommands = (): readonly Command[] => all

export function useAllCommands(): readonly Command[] {
  return useSyncExternalStore((listener) => {
    listeners.add(listener)
    return () => listeners.delete(listener)
  }, currentCommands)
}
