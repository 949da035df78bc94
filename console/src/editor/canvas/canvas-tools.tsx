import { ActionIcon, Button, Tooltip } from '@mantine/core'
import { Maximize, Minus, Network, Plus, Redo2, StickyNote, Undo2, ZoomIn } from 'lucide-react'
import { motionMs } from '../../ui/motion.ts'
import { useDocument, useEditor } from '../state/editor-context.ts'
import { arrangeAll, fit } from './actions/move.ts'
import { writeNote } from './actions/notes.ts'
import classes from './canvas-tools.module.css'

/** The visible tools: add, undo, zoom. */
export function CanvasTools() {
  const { isReadOnly } = useEditor()
  return (
    <>
      {isReadOnly ? null : <AddNode />}
      <div className={classes.bar} role="toolbar" aria-label="Canvas">
        {isReadOnly ? null : <HistoryTools />}
        <ViewTools />
        {isReadOnly ? null : <ArrangeTools />}
      </div>
    </>
  )
}

function AddNode() {
  const editor = useEditor()
  if (useIsEmpty()) return null
  return (
    <Button
      className={classes.add ?? ''}
      size="sm"
      variant="default"
      leftSection={<Plus size={16} aria-hidden />}
      onClick={() => editor.canvas.setState({ palette: {} })}
    >
      Add node
    </Button>
  )
}

function useIsEmpty(): boolean {
  return useDocument(({ document }) => Object.keys(document.nodes).length === 0)
}

function HistoryTools() {
  const { undo, redo } = useEditor().document.getState()
  const undoable = useDocument(({ past }) => past.at(-1)?.label)
  const redoable = useDocument(({ future }) => future[0]?.label)
  return (
    <>
      <Tool
        label={undoable === undefined ? 'Nothing to undo' : `Undo: ${undoable}`}
        isOff={undoable === undefined}
        onClick={undo}
      >
        <Undo2 size={17} />
      </Tool>
      <Tool
        label={redoable === undefined ? 'Nothing to redo' : `Redo: ${redoable}`}
        isOff={redoable === undefined}
        onClick={redo}
      >
        <Redo2 size={17} />
      </Tool>
      <span className={classes.line} />
    </>
  )
}

function ViewTools() {
  const editor = useEditor()
  return (
    <>
      <Tool label="Zoom out" onClick={() => void editor.view.flow?.zoomOut({ duration: motionMs(150) })}>
        <Minus size={17} />
      </Tool>
      <Tool label="Zoom in" onClick={() => void editor.view.flow?.zoomIn({ duration: motionMs(150) })}>
        <ZoomIn size={17} />
      </Tool>
      <Tool label="Show everything" onClick={() => fit(editor)}>
        <Maximize size={17} />
      </Tool>
    </>
  )
}

function ArrangeTools() {
  const editor = useEditor()
  return (
    <>
      <Tool label="Arrange automatically" isOff={useIsEmpty()} onClick={() => void arrangeAll(editor)}>
        <Network size={17} />
      </Tool>
      <Tool label="Add a note" onClick={() => writeNote(editor)}>
        <StickyNote size={17} />
      </Tool>
    </>
  )
}

interface ToolProps {
  label: string
  isOff?: boolean
  onClick(): void
  children: React.ReactNode
}

function Tool({ label, isOff = false, onClick, children }: ToolProps) {
  return (
    <Tooltip label={label} openDelay={400}>
      <ActionIcon
        variant="subtle"
        color="gray"
        size={34}
        className={classes.tool ?? ''}
        aria-label={label}
        aria-disabled={isOff}
        onClick={isOff ? undefined : onClick}
      >
        {children}
      </ActionIcon>
    </Tooltip>
  )
}
