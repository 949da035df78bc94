import { Button, Skeleton, Text } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { ReactFlowProvider } from '@xyflow/react'
import { useEffect, useState } from 'react'
import { executedDocumentQuery, executionQuery } from '../api/executions.ts'
import { asDocument, emptyDocument } from '../api/read-document.ts'
import type { Execution } from '../api/types.ts'
import type { WorkflowDocument } from '../api/workflow-document.ts'
import { EmptyState } from '../ui/empty-state.tsx'
import { fullTime } from '../ui/format.ts'
import { arrangeOnOpen } from './canvas/actions/arrange-on-open.ts'
import { WorkflowCanvas } from './canvas/canvas.tsx'
import { withExecutedPart, withMissingPositions } from './document/executed.ts'
import { positionsOf } from './document/layout.ts'
import { EditorLayout } from './editor-layout.tsx'
import classes from './execution-view.module.css'
import { ExecutedInspector } from './inspector/executed-inspector.tsx'
import { ExecutedPanel } from './run/executed-panel.tsx'
import { createEditor } from './state/editor.ts'
import { EditorContext, useEditor } from './state/editor-context.ts'

/** An execution on the canvas: the document as it was executed, with its step images. The draft stays as it is. */
export function ExecutionView({ executionId }: { executionId: string }) {
  const { workflowId } = useEditor()
  const execution = useQuery(executionQuery(executionId))
  const document = useQuery(executedDocumentQuery(executionId))
  const error = execution.error ?? document.error ?? otherWorkflow(execution.data, workflowId)
  if (error !== null)
    return (
      <EmptyState title="The execution couldn’t be loaded" actions={<BackButton variant="default" />}>
        {error.message}
      </EmptyState>
    )
  if (execution.data === undefined || document.data === undefined) return <Skeleton flex={1} radius={0} />
  return (
    <LoadedExecution
      key={executionId}
      execution={execution.data}
      document={asDocument(document.data) ?? emptyDocument}
    />
  )
}

function otherWorkflow(execution: Execution | undefined, workflowId: string): Error | null {
  if (execution === undefined || execution.workflowId === workflowId) return null
  return new Error(`The execution ${execution.executionId} ran another workflow.`)
}

interface LoadedProps {
  execution: Execution
  document: WorkflowDocument
}

function LoadedExecution({ execution, document }: LoadedProps) {
  const { executionId } = execution
  const draft = useEditor()
  const queryClient = useQueryClient()
  const [isLaidOut, setLaidOut] = useState(false)
  const [editor] = useState(() => {
    const { workflowId, projectId, catalogue } = draft
    // A document without any position is arranged as a whole.
    const positions = new Map([...draft.view.autoPositions, ...positionsOf(draft.document.getState().document)])
    const completed = withMissingPositions(document, positions)
    return createEditor({
      workflowId,
      projectId,
      document: completed,
      revision: undefined,
      catalogue,
      queryClient,
      isReadOnly: true,
    })
  })
  useEffect(() => {
    const close = editor.open()
    let isHere = true
    void editor.run.getState().open(executionId)
    void arrangeOnOpen(editor).then(() => {
      if (isHere) setLaidOut(true)
    })
    return () => {
      isHere = false
      close()
    }
  }, [editor, executionId])
  return (
    <>
      <ExecutionBanner execution={execution} document={document} />
      <EditorContext value={editor}>
        <ReactFlowProvider>
          <EditorLayout panel={<ExecutedPanel />} inspector={<ExecutedInspector />}>
            {isLaidOut ? <WorkflowCanvas /> : null}
          </EditorLayout>
        </ReactFlowProvider>
      </EditorContext>
    </>
  )
}

/** Names the execution, and leads back to the draft, with or without the executed document in it. */
function ExecutionBanner({ execution, document }: LoadedProps) {
  const { executionId, workflowId, createdAt = '' } = execution
  const { document: store, run } = useEditor()
  const navigate = useNavigate()
  const [isBusy, setBusy] = useState(false)
  const name = nameOf(execution)
  const edit = async () => {
    setBusy(true)
    const { document: current, replace } = store.getState()
    const isPart = execution.node !== undefined
    replace(`Load the execution of ${name}`, execution.draft ? withExecutedPart(current, document, isPart) : document)
    await run.getState().open(executionId)
    notifications.show({
      title: 'The draft is now the executed workflow',
      message: 'Undo restores the previous draft. API calls use the published version until you publish the draft.',
    })
    void navigate({ to: '/workflows/$workflowId', params: { workflowId }, replace: true })
  }
  return (
    <section className={classes.banner} aria-label="Execution">
      <div className={classes.about}>
        <Text component="h2" size="sm" fw={620}>{`Execution of ${name}, ${fullTime(createdAt)}`}</Text>
        <Text size="sm" c="dimmed">
          The workflow as it was executed. It can’t be changed here, and your draft stays as it is.
        </Text>
      </div>
      <Button size="xs" variant="default" loading={isBusy} onClick={() => void edit()}>
        Edit as a draft
      </Button>
      <BackButton />
    </section>
  )
}

function nameOf({ draft, node, workflowVersion }: Execution): string {
  if (!draft) return `version ${workflowVersion}`
  return node === undefined ? 'the draft' : `the draft up to ${node}`
}

function BackButton({ variant = 'subtle' }: { variant?: 'subtle' | 'default' }) {
  const { workflowId } = useEditor()
  return (
    <Button
      component={Link}
      to="/workflows/$workflowId"
      params={{ workflowId } as never}
      size="xs"
      variant={variant}
      color="gray"
    >
      Back to the draft
    </Button>
  )
}
