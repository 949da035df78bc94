import { operationOf } from '../../../api/operations.ts'
import type { Command } from '../../../ui/commands/commands.ts'
import { outputId, wiresOf } from '../../document/wires.ts'
import { toggleBypass, unpin } from '../../results/pin.ts'
import { pinOrSay } from '../../results/use-switches.ts'
import type { Editor } from '../../state/editor.ts'
import { connectNodes, duplicateSelection, removeSelection } from '../actions/change.ts'
import { copySelection, cutSelection, pasteFromClipboard } from '../actions/clipboard.ts'
import { currentCard, hasPicture, inspect, openStage } from '../actions/focus.ts'
import { writeNote } from '../actions/notes.ts'
import { wireId } from '../flow.ts'
import { isForCanvas } from '../use-clipboard-events.ts'

const group = 'Nodes'

/** Commands that change nodes and wires. */
export function changeCommands(editor: Editor): Command[] {
  const isHere = () => isForCanvas(editor)
  const nodes = () => {
    const { selection, document } = editor.document.getState()
    return selection.filter((id) => Object.hasOwn(document.nodes, id))
  }
  const hasNodes = () => nodes().length > 0
  /** Whether nodes or notes are selected. */
  const hasCards = () => editor.document.getState().selection.some((id) => id !== outputId)
  const hasSelection = () => hasNodes() || editor.canvas.getState().selectedWires.length > 0
  /** The current card, if it is a node. */
  const card = () => {
    const id = currentCard(editor)
    return id !== undefined && Object.hasOwn(editor.document.getState().document.nodes, id) ? id : undefined
  }
  const chosenWire = () => {
    const [id] = editor.canvas.getState().selectedWires
    const wires = wiresOf(editor.document.getState().document)
    const ofNode = wires.filter(({ source }) => source === card())
    return wires.find((wire) => wireId(wire) === id) ?? ofNode[0]
  }
  return [
    {
      id: 'canvas.add',
      title: 'Add a node',
      group,
      shortcuts: ['/', 'shift+A'],
      keywords: ['new', 'operation', 'search'],
      run: () => editor.canvas.setState({ palette: addRequest(editor) }),
    },
    {
      id: 'canvas.addByTab',
      title: 'Add a node',
      group,
      shortcuts: ['Tab'],
      isHidden: true,
      // Only after the pointer was used. For keyboard users, Tab moves to the next card.
      isInScope: isHere,
      isEnabled: () => editor.view.usesPointer,
      run() {
        editor.view.usesPointer = false
        editor.canvas.setState({ palette: addRequest(editor) })
      },
    },
    {
      id: 'canvas.addAfter',
      title: 'Add a node after this one',
      group,
      shortcuts: ['A'],
      isInScope: isHere,
      isEnabled: () => card() !== undefined,
      run() {
        const from = card()
        if (from !== undefined) editor.canvas.setState({ palette: { from } })
      },
    },
    {
      id: 'canvas.insertOnWire',
      title: 'Insert a node on the wire',
      group,
      shortcuts: ['I'],
      isInScope: isHere,
      isEnabled: () => chosenWire() !== undefined,
      run() {
        const wire = chosenWire()
        if (wire !== undefined) editor.canvas.setState({ palette: { wire } })
      },
    },
    {
      id: 'canvas.note',
      title: 'Add a note',
      group,
      shortcuts: ['N'],
      isInScope: isHere,
      keywords: ['comment', 'sticky', 'frame', 'group', 'annotate'],
      run: () => writeNote(editor),
    },
    {
      id: 'canvas.connect',
      title: 'Connect to…',
      group,
      shortcuts: ['C'],
      isInScope: isHere,
      isEnabled: () => card() !== undefined,
      run() {
        const [source, target, ...more] = nodes()
        // With two selected nodes, the first is connected to the second.
        if (source !== undefined && target !== undefined && more.length === 0) connectNodes(editor, source, target)
        else if (card() !== undefined) editor.canvas.setState({ picker: { kind: 'connect', id: card() ?? '' } })
      },
    },
    {
      id: 'canvas.disconnect',
      title: 'Disconnect…',
      group,
      shortcuts: ['X'],
      isInScope: isHere,
      isEnabled: () => card() !== undefined,
      run: () => editor.canvas.setState({ picker: { kind: 'disconnect', id: card() ?? '' } }),
    },
    {
      id: 'canvas.pin',
      title: 'Pin or unpin',
      group,
      shortcuts: ['P'],
      keywords: ['keep', 'freeze', 'lock', 'result'],
      isInScope: isHere,
      isEnabled: () => card() !== undefined,
      run() {
        const id = card()
        if (id === undefined) return
        if (editor.document.getState().document.nodes[id]?.pinned === undefined) void pinOrSay(editor, id)
        else unpin(editor, id)
      },
    },
    {
      id: 'canvas.bypass',
      title: 'Bypass or turn on',
      group,
      shortcuts: ['B'],
      keywords: ['skip', 'disable', 'mute', 'hide'],
      isInScope: isHere,
      isEnabled: () => Object.keys(editor.document.getState().document.nodes[card() ?? '']?.inputs ?? {}).length > 0,
      run() {
        const id = card()
        if (id !== undefined) toggleBypass(editor, id)
      },
    },
    {
      id: 'canvas.stage',
      title: 'Open the stage',
      group,
      shortcuts: ['Enter'],
      keywords: ['picture', 'handles', 'crop', 'move', 'resize', 'zoom'],
      isInScope: isHere,
      isEnabled: () => hasPicture(editor, card()),
      run: () => openStage(editor, card() ?? ''),
    },
    {
      id: 'canvas.inspect',
      title: 'Edit the settings',
      group,
      // Enter is for cards without a picture.
      shortcuts: ['E', 'Enter'],
      isInScope: isHere,
      isEnabled: () => currentCard(editor) !== undefined,
      run() {
        const id = currentCard(editor)
        if (id !== undefined) inspect(editor, id)
      },
    },
    {
      id: 'canvas.delete',
      title: 'Delete',
      group,
      shortcuts: ['Delete', 'Backspace'],
      keywords: ['remove'],
      isInScope: isHere,
      isEnabled: () => hasSelection() || editor.document.getState().selection.length > 0,
      run: () => removeSelection(editor),
    },
    {
      id: 'canvas.deleteApart',
      title: 'Delete the node and its wires',
      group,
      shortcuts: ['shift+Delete', 'shift+Backspace'],
      isInScope: isHere,
      isEnabled: () => hasNodes(),
      run: () => removeSelection(editor, false),
    },
    {
      id: 'canvas.duplicate',
      title: 'Duplicate',
      group,
      shortcuts: ['mod+D'],
      isInScope: isHere,
      isEnabled: hasCards,
      run: () => duplicateSelection(editor),
    },
    {
      id: 'canvas.turn',
      title: 'Turn into a workflow…',
      group,
      shortcuts: ['W'],
      keywords: ['component', 'extract', 'group', 'reuse', 'subgraph'],
      isInScope: isHere,
      isEnabled: hasNodes,
      run: () => editor.canvas.setState({ isTurning: true }),
    },
    { id: 'canvas.copyText', title: 'Copy as JSON', group, isEnabled: hasCards, run: () => copySelection(editor) },
    { id: 'canvas.cutText', title: 'Cut', group, isEnabled: hasCards, run: () => cutSelection(editor) },
    { id: 'canvas.pasteText', title: 'Paste', group, run: () => void pasteFromClipboard(editor) },
    // The browser's clipboard events handle these keys, because they need no permission to read the clipboard.
    ...(['C', 'X', 'V'] as const).map(
      (key): Command => ({
        id: `canvas.key${key}`,
        title: { C: 'Copy as JSON', X: 'Cut', V: 'Paste nodes or a document' }[key],
        group,
        shortcuts: [`mod+${key}`],
        isHidden: true,
        isInScope: () => false,
        run: () => undefined,
      }),
    ),
  ]
}

/** Undo and redo. */
export function historyCommands(editor: Editor): Command[] {
  return [
    {
      id: 'editor.undo',
      title: 'Undo',
      group: 'Editing',
      shortcuts: ['mod+Z'],
      reach: 'untyped',
      isEnabled: () => editor.document.getState().past.length > 0,
      run: () => editor.document.getState().undo(),
    },
    {
      id: 'editor.redo',
      title: 'Redo',
      group: 'Editing',
      shortcuts: ['mod+shift+Z', 'mod+Y'],
      reach: 'untyped',
      isEnabled: () => editor.document.getState().future.length > 0,
      run: () => editor.document.getState().redo(),
    },
  ]
}

/** Adds after the selected node, if only one node is selected and it outputs an image. */
function addRequest(editor: Editor) {
  const { document, selection } = editor.document.getState()
  const [id] = selection
  const node = selection.length === 1 && id !== undefined ? document.nodes[id] : undefined
  const hasImage = node !== undefined && operationOf(editor.catalogue, node)?.outputs.image !== null
  return hasImage && id !== undefined ? { from: id } : {}
}
