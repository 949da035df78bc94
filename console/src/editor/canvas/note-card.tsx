import { type NodeProps, NodeResizer } from '@xyflow/react'
import { type CSSProperties, memo } from 'react'
import { changeNote, noteColors, noteOf, noteSizeMin } from '../document/notes.ts'
import { useDocument, useEditor } from '../state/editor-context.ts'
import type { CardNode } from './flow.ts'
import classes from './note-card.module.css'

/** A note behind the cards. Cards that are entirely on the note move with it. */
export const NoteCard = memo(function NoteCard({ id, selected }: NodeProps<CardNode>) {
  const { document: store, isReadOnly } = useEditor()
  const text = useDocument(({ document }) => noteOf(document, id)?.text)
  const color = useDocument(({ document }) => noteOf(document, id)?.color)
  if (text === undefined || color === undefined) return null
  return (
    <div className={classes.note} style={{ '--note': noteColors[color] } as CSSProperties}>
      <NodeResizer
        isVisible={selected && !isReadOnly}
        minWidth={noteSizeMin.width}
        minHeight={noteSizeMin.height}
        color="var(--mantine-primary-color-filled)"
        handleClassName={classes.handle ?? ''}
        onResizeEnd={(_event, { x, y, width, height }) =>
          store.getState().change('Resize the note', (document) => {
            changeNote(document, id, { at: { x, y }, size: { width, height } })
          })
        }
      />
      {text === '' && !isReadOnly ? <span className={classes.empty}>Double-click to write</span> : text}
    </div>
  )
})
