import { useMemo } from 'react'
import { type Command, useCommands } from '../../ui/commands/commands.ts'
import { useEditor } from '../state/editor-context.ts'
import { changeCommands } from './commands/change.ts'
import { goCommands, moveCommands } from './commands/move.ts'
import { viewCommands } from './commands/view.ts'

/** Registers the commands of the canvas. */
export function useCanvasCommands(): void {
  const editor = useEditor()
  const commands = useMemo(
    (): Command[] => [
      ...(editor.isReadOnly ? [] : [...changeCommands(editor), ...moveCommands(editor)]),
      ...goCommands(editor),
      ...viewCommands(editor),
    ],
    [editor],
  )
  useCommands(commands)
}
