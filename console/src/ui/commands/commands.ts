/** What can be done from here, by name and by shortcut: the palette, the sheet of shortcuts and the keys read it. */
import { useLayoutEffect, useRef, useSyncExternalStore } from 'react'

export interface Command {
  /** Such as `editor.undo`. The later of two with one id counts. */
  id: string
  title: string
  /** The heading it stands under in the palette and on the sheet. */
  group: string
  /** Such as `mod+K`, `?`, `Delete`, `alt+ArrowUp` (see shortcuts.ts). Several do the same. */
  shortcuts?: readonly string[]
  keywords?: readonly string[]
  /** Absent: it can be done now. */
  isEnabled?: () => boolean
  /** It has a shortcut and no row in the palette, such as moving by arrows. */
  isHidden?: boolean
  /** Of its shortcut only: whether a key that is pressed now is meant for it, such as where the focus is. */
  isInScope?: () => boolean
  /** `fields`: its shortcut holds also while one types; `everywhere`: and over an open dialog. */
  reach?: 'page' | 'fields' | 'everywhere'
  run(): void
}

const registrations = new Map<object, readonly Command[]>()
const listeners = new Set<() => void>()
let all: readonly Command[] = []

function publish(): void {
  all = [...new Map([...registrations.values()].flat().map((command) => [command.id, command])).values()]
  for (const listener of listeners) listener()
}

/** Gives commands for as long as the component stands. `commands` may be new at every render; what they do is always the newest. */
export function useCommands(commands: readonly Command[]): void {
  const newest = useRef(commands)
  newest.current = commands
  const signature = commands.map(({ id, title, shortcuts }) => `${id} ${title} ${shortcuts}`).join('\n')
  // Before the page is painted: a shortcut of what is seen works immediately.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the signature stands for the commands
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

/** All that are registered now. */
export const currentCommands = (): readonly Command[] => all

export function useAllCommands(): readonly Command[] {
  return useSyncExternalStore((listener) => {
    listeners.add(listener)
    return () => listeners.delete(listener)
  }, currentCommands)
}
