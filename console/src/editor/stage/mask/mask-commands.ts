import type { Command } from '../../../ui/commands/commands.ts'
import type { Editor } from '../../state/editor.ts'
import { isOnStage } from '../commands.ts'

export interface MaskActions {
  setErasing(isErasing: boolean | 'swap'): void
  resize(way: 1 | -1): void
  invert(): void
  undo(): void
  redo(): void
  leave(): void
}

const group = 'Mask'

/** Commands while the brush is in use. They replace those of the stage with the same id. */
export function maskCommands(editor: Editor, actions: MaskActions): Command[] {
  const { document: store } = editor
  const common = { group, isInScope: isOnStage, reach: 'fields' as const }
  return [
    { ...common, id: 'stage.close', title: 'Leave the mask', shortcuts: ['Escape'], run: actions.leave },
    { ...common, id: 'stage.mask', title: 'Brush', shortcuts: ['B'], run: () => actions.setErasing(false) },
    {
      ...common,
      id: 'mask.swap',
      title: 'Swap brush and eraser',
      shortcuts: ['X'],
      run: () => actions.setErasing('swap'),
    },
    { ...common, id: 'mask.smaller', title: 'Smaller brush', shortcuts: ['['], run: () => actions.resize(-1) },
    { ...common, id: 'mask.larger', title: 'Larger brush', shortcuts: [']'], run: () => actions.resize(1) },
    { ...common, id: 'mask.invert', title: 'Invert the mask', shortcuts: ['I'], run: actions.invert },
    {
      id: 'editor.undo',
      title: 'Undo',
      group: 'Editing',
      shortcuts: ['mod+Z'],
      reach: 'untyped',
      run: () => (isOnStage() ? actions.undo() : store.getState().undo()),
    },
    {
      id: 'editor.redo',
      title: 'Redo',
      group: 'Editing',
      shortcuts: ['mod+shift+Z', 'mod+Y'],
      reach: 'untyped',
      run: () => (isOnStage() ? actions.redo() : store.getState().redo()),
    },
  ]
}
