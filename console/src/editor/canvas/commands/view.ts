import type { Command } from '../../../ui/commands/commands.ts'
import { motionMs } from '../../../ui/motion.ts'
import { notesOf } from '../../document/notes.ts'
import { outputId } from '../../document/wires.ts'
import type { Editor } from '../../state/editor.ts'
import { focusSelected } from '../actions/focus.ts'
import { fit } from '../actions/move.ts'
import { isForCanvas } from '../use-clipboard-events.ts'

const group = 'View'
const zoomMs = 150

/** Commands that change the view and the selection. */
export function viewCommands(editor: Editor): Command[] {
  const isHere = () => isForCanvas(editor)
  return [
    {
      id: 'canvas.find',
      title: 'Find a node…',
      group: 'Nodes',
      shortcuts: ['mod+F'],
      keywords: ['search'],
      reach: 'fields',
      run: () => editor.canvas.setState({ isFinding: true, menu: undefined }),
    },
    {
      id: 'canvas.selectAll',
      title: 'Select all',
      group: 'Nodes',
      shortcuts: ['mod+A'],
      isInScope: isHere,
      run() {
        const { document, select } = editor.document.getState()
        select([...Object.keys(document.nodes), outputId, ...notesOf(document).keys()])
      },
    },
    {
      id: 'canvas.selectNone',
      title: 'Clear the selection',
      group: 'Nodes',
      shortcuts: ['Escape'],
      isInScope: isHere,
      isEnabled: () =>
        editor.document.getState().selection.length > 0 || editor.canvas.getState().selectedWires.length > 0,
      run() {
        editor.document.getState().select([])
        editor.canvas.setState({ selectedWires: [] })
      },
    },
    {
      id: 'canvas.back',
      title: 'Leave the field',
      group: 'Nodes',
      shortcuts: ['Escape'],
      // Also in text fields.
      reach: 'everywhere',
      isHidden: true,
      isInScope: isInPanel,
      run: () => focusSelected(editor),
    },
    {
      id: 'canvas.fit',
      title: 'Show everything',
      group,
      shortcuts: ['.'],
      keywords: ['fit', 'zoom'],
      run: () => fit(editor),
    },
    {
      id: 'canvas.fitSelection',
      title: 'Show the selection',
      group,
      shortcuts: ['F'],
      isInScope: isHere,
      isEnabled: () => editor.document.getState().selection.length > 0,
      run: () => fit(editor, editor.document.getState().selection),
    },
    {
      id: 'canvas.zoomIn',
      title: 'Zoom in',
      group,
      shortcuts: ['+', '='],
      isInScope: isHere,
      run: () => void editor.view.flow?.zoomIn({ duration: motionMs(zoomMs) }),
    },
    {
      id: 'canvas.zoomOut',
      title: 'Zoom out',
      group,
      shortcuts: ['-'],
      isInScope: isHere,
      run: () => void editor.view.flow?.zoomOut({ duration: motionMs(zoomMs) }),
    },
    {
      id: 'canvas.zoomFull',
      title: 'Zoom to 100 %',
      group,
      shortcuts: ['0'],
      isInScope: isHere,
      run: () => void editor.view.flow?.zoomTo(1, { duration: motionMs(zoomMs) }),
    },
    {
      id: 'canvas.snap',
      title: 'Turn snapping to the grid on or off',
      group,
      shortcuts: ['G'],
      isInScope: isHere,
      run: () => editor.canvas.setState(({ isSnapping }) => ({ isSnapping: !isSnapping })),
    },
    {
      id: 'canvas.minimap',
      title: 'Show or hide the map',
      group,
      shortcuts: ['M'],
      isInScope: isHere,
      run: () => editor.canvas.setState(({ hasMinimap }) => ({ hasMinimap: !hasMinimap })),
    },
  ]
}

/** Whether the focus is in the inspector or in the run panel. */
function isInPanel(): boolean {
  return document.activeElement?.closest('[aria-label=Inspector],[aria-label=Run]') != null
}
