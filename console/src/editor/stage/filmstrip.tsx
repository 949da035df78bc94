import { UnstyledButton } from '@mantine/core'
import { useEffect, useRef } from 'react'
import { operationOf } from '../../api/operations.ts'
import type { WorkflowDocument } from '../../api/workflow-document.ts'
import { GroupIcon } from '../../ui/group-icon.tsx'
import { topologicalOrder } from '../document/wires.ts'
import { selectOnly } from '../state/canvas.ts'
import type { Editor } from '../state/editor.ts'
import { useDocument, useEditor } from '../state/editor-context.ts'
import { usePicture } from './picture.ts'
import classes from './stage.module.css'

/** The nodes that have a picture, in the order of a run. */
export function stepsOf({ catalogue }: Editor, document: WorkflowDocument): string[] {
  return topologicalOrder(document).filter((id) => operationOf(catalogue, document.nodes[id])?.outputs.image !== null)
}

/** The steps below the stage. A click shows another one. */
export function Filmstrip({ id: current }: { id: string }) {
  const editor = useEditor()
  const ids = useDocument(({ document }) => stepsOf(editor, document).join(' '))
    .split(' ')
    .filter(Boolean)
  return (
    <nav className={classes.filmstrip} aria-label="Steps">
      {ids.map((id) => (
        <Step key={id} id={id} isCurrent={id === current} />
      ))}
    </nav>
  )
}

function Step({ id, isCurrent }: { id: string; isCurrent: boolean }) {
  const editor = useEditor()
  const type = useDocument(({ document }) => document.nodes[id]?.type ?? '')
  const picture = usePicture(id)
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
}
