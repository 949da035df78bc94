import { ActionIcon, Button, Tooltip } from '@mantine/core'
import { Maximize, Minus, Network, Plus, Redo2, StickyNote, Undo2, ZoomIn } from 'lucide-react'
import { motionMs } from '../../ui/motion.ts'
import { useCanvas } from '../state/canvas-model.ts'
import { useEditor, useEditorStore } from '../state/editor-context.tsx'
import { arrangeAll, fit } from './actions/move.ts'
import { writeNote } from './actions/notes.ts'
import classes from './canvas-tools.module.css'

/** What is always to be seen of what can be done: add, undo, zoom. */
export function CanvasTools() {
  const canvas = useCanvas()
  const { undo, redo } = useEditorStore().getState()
  const undoable = useEditor(({ past }) => past.at(-1)?.label)
  const redoable = useEditor(({ future }) => future[0]?.label)
  const isEmpty = useEditor(({ document }) => Object.keys(document.nodes).length === 0)
  return (
    <>
      {isEmpty ? null : (
        <Button
          className={classes.add ?? ''}
          size="sm"
          variant="default"
          leftSection={<Plus size={16} aria-hidden />}
          onClick={() => canvas.ui.setState({ palette: {} })}
        >
          Add node
        </Button>
      )}
      <div className={classes.bar} role="toolbar" aria-label="Canvas">
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
        <Tool label="Zoom out" onClick={() => void canvas.flow?.zoomOut({ duration: motionMs(150) })}>
          <Minus size={17} />
        </Tool>
        <Tool label="Zoom in" onClick={() => void canvas.flow?.zoomIn({ duration: motionMs(150) })}>
          <ZoomIn size={17} />
        </Tool>
        <Tool label="Show everything" onClick={() => fit(canvas)}>
          <Maximize size={17} />
        </Tool>
        <Tool label="Arrange automatically" isOff={isEmpty} onClick={() => void arrangeAll(canvas)}>
          <Network size={17} />
        </Tool>
        <Tool label="Add a note" onClick={() => writeNote(canvas)}>
          <StickyNote size={17} />
        </Tool>
      </div>
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
