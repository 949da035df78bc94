import { useMemo } from 'react'
import { type Command, useCommands } from '../../ui/commands/commands.ts'
import { useCanvas } from '../state/canvas-model.ts'
import { changeCommands } from './commands/change.ts'
import { moveCommands } from './commands/move.ts'
import { viewCommands } from './commands/view.ts'

/** Everything that can be done on the canvas, by name and by key. */
export function useCanvasCommands(): void {
  const canvas = useCanvas()
  const commands = useMemo(
    (): Command[] => [...changeCommands(canvas), ...moveCommands(canvas), ...viewCommands(canvas)],
    [canvas],
  )
  useCommands(commands)
}
