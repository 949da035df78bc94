import { UnstyledButton } from '@mantine/core'
import { memo, useEffect, useRef } from 'react'
import { operationOf } from '../../api/operations.ts'
import type { WorkflowDocument } from '../../api/workflow-document.ts'
import { GroupIcon } from '../../ui/group-icon.tsx'
import { topologicalOrder } from '../document/wires.ts'
import { selectOnly } from '../state/canvas.ts'
import type { Editor } from '../state/editor.ts'
import { useDocument, useEditor, usePreview } from '../state/editor-context.ts'
import { type Picture, usePicture } from './picture.ts'
import classes from './stage.module.css'

/** The nodes that have a picture, in the order of a run. */
export function stepsOf({ catalogue }: Editor, document: WorkflowDocument): string[] {
  return topologicalOrder(document).filter((id) => operationOf(catalogue, document.nodes[id])?.outputs.image !== null)
}

/** The steps below the stage. A click shows another one. `isSettled`: the stage has its picture, and the steps may have theirs. */
export function Filmstrip({ id: current, isSettled }: { id: string; isSettled: boolean }) {
  const editor = useEditor()
  const ids = useDocument(({ document }) => stepsOf(editor, document).join(' '))
    .split(' ')
    .filter(Boolean)
  return (
    <nav className={classes.filmstrip} aria-label="Steps">
      {ids.map((id) => (
        <Step key={id} id={id} isCurrent={id === current} isSettled={isSettled} />
      ))}
    </nav>
  )
}

const Step = memo(function Step({ id, isCurrent, isSettled }: { id: string; isCurrent: boolean; isSettled: boolean }) {
  const editor = useEditor()
  const type = useDocument(({ document }) => document.nodes[id]?.type ?? '')
  const picture = useLastPicture(id, isSettled && !editor.isReadOnly)
  const element = useRef<HTMLButtonElement>(null)
  useEffect(() => {
    if (isCurrent) element.current?.scrollIntoView({ block: 'nearest', inline: 'nearest' })
  }, [isCurrent])
  return (
    <UnstyledButton
      ref={element}
      className={classes.step ?? ''}
      aria-current={isCurrent ? 'step' : undefined}
      onClick={() => selectOnly(editor, id)}
    >
      <span className={`${classes.stepImage} ${picture === undefined ? '' : 'tt-checker'}`}>
        {picture === undefined ? (
          <GroupIcon group={operationOf(editor.catalogue, { type })?.group} />
        ) : (
          <img src={picture.url} alt="" draggable={false} />
        )}
      </span>
      <span className={classes.stepName}>{id}</span>
    </UnstyledButton>
  )
})

/** Requests a live picture if there is none, and keeps the last one while the next is not there yet. */
function useLastPicture(id: string, mayRequest: boolean): Picture | undefined {
  const picture = usePicture(id)
  const last = useRef<Picture>(undefined)
  last.current = picture ?? last.current
  usePreview(picture === undefined && mayRequest ? id : undefined, { isImmediate: true })
  return last.current
}
