import type { Command } from '../../../ui/commands/commands.ts'
import type { Side } from '../../document/align.ts'
import { gridStep } from '../../document/layout.ts'
import type { Editor } from '../../state/editor.ts'
import { type Direction, focusCurrentCard, focusNeighbour } from '../actions/focus.ts'
import { alignSelection, arrangeAll, distributeSelection, nudge } from '../actions/move.ts'
import { isForCanvas } from '../use-clipboard-events.ts'

const group = 'Arrange'
const directions: readonly Direction[] = ['left', 'right', 'up', 'down']
const ways: Record<Direction, [number, number]> = { left: [-1, 0], right: [1, 0], up: [0, -1], down: [0, 1] }
const sides: Record<Side, string> = {
  left: 'Align left',
  centre: 'Align centres',
  right: 'Align right',
  top: 'Align top',
  middle: 'Align middles',
  bottom: 'Align bottom',
}
const sideKeys: Record<Side, string> = { left: 'L', centre: 'C', right: 'R', top: 'T', middle: 'M', bottom: 'B' }

/** Commands that move cards. */
export function moveCommands(editor: Editor): Command[] {
  const isHere = () => isForCanvas(editor)
  const selectedCount = () => editor.document.getState().selection.length
  return [
    ...directions.flatMap((direction): Command[] => {
      const [x, y] = ways[direction]
      return [
        {
          id: `canvas.nudge.${direction}`,
          title: `Move ${direction}`,
          group,
          shortcuts: [arrow(direction)],
          isHidden: true,
          isInScope: isHere,
          isEnabled: () => selectedCount() > 0,
          run: () => nudge(editor, x * gridStep, y * gridStep),
        },
        {
          id: `canvas.nudgeFar.${direction}`,
          title: `Move ${direction} (large step)`,
          group,
          shortcuts: [`shift+${arrow(direction)}`],
          isHidden: true,
          isInScope: isHere,
          isEnabled: () => selectedCount() > 0,
          run: () => nudge(editor, x * gridStep * 5, y * gridStep * 5),
        },
      ]
    }),
    ...(Object.keys(sides) as Side[]).map(
      (side): Command => ({
        id: `canvas.align.${side}`,
        title: sides[side],
        group,
        shortcuts: [`alt+shift+${sideKeys[side]}`],
        isInScope: isHere,
        isEnabled: () => selectedCount() > 1,
        run: () => alignSelection(editor, side),
      }),
    ),
    {
      id: 'canvas.distribute.x',
      title: 'Distribute horizontally',
      group,
      shortcuts: ['alt+shift+H'],
      keywords: ['distribute', 'horizontal'],
      isInScope: isHere,
      isEnabled: () => selectedCount() > 2,
      run: () => distributeSelection(editor, 'x'),
    },
    {
      id: 'canvas.distribute.y',
      title: 'Distribute vertically',
      group,
      shortcuts: ['alt+shift+V'],
      keywords: ['distribute', 'vertical'],
      isInScope: isHere,
      isEnabled: () => selectedCount() > 2,
      run: () => distributeSelection(editor, 'y'),
    },
    {
      id: 'canvas.arrange',
      title: 'Arrange automatically',
      group,
      shortcuts: ['L'],
      keywords: ['layout', 'tidy'],
      isInScope: isHere,
      isEnabled: () => Object.keys(editor.document.getState().document.nodes).length > 0,
      run: () => void arrangeAll(editor),
    },
  ]
}

/** Commands that move the focus between cards. */
export function goCommands(editor: Editor): Command[] {
  const isHere = () => isForCanvas(editor)
  return directions.flatMap((direction): Command[] => [
    {
      id: `canvas.begin.${direction}`,
      title: 'Select the first node',
      group: 'Nodes',
      shortcuts: [arrow(direction)],
      isHidden: true,
      isInScope: isHere,
      isEnabled: () => editor.document.getState().selection.length === 0,
      run: () => focusCurrentCard(editor),
    },
    {
      id: `canvas.go.${direction}`,
      title: {
        left: 'Previous node',
        right: 'Next node',
        up: 'Node above',
        down: 'Node below',
      }[direction],
      group: 'Nodes',
      shortcuts: [`alt+${arrow(direction)}`],
      isHidden: true,
      isInScope: isHere,
      run: () => focusNeighbour(editor, direction),
    },
  ])
}

function arrow(direction: Direction): string {
  return `Arrow${direction.charAt(0).toUpperCase()}${direction.slice(1)}`
}
