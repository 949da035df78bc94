import { Alert, Code, UnstyledButton } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import type { Issue } from '../../api/client.ts'
import { counted } from '../../ui/format.ts'
import { useEditorStore } from '../state/editor-context.tsx'
import { useOpenWorkflow } from '../state/workflow-context.tsx'
import classes from './publish-dialog.module.css'

/** What stands in the way of publishing; each leads to its field in the editor. */
export function ProblemList({ problems, onLeave }: { problems: readonly Issue[]; onLeave(): void }) {
  const { workflowId } = useOpenWorkflow()
  const editor = useEditorStore()
  const navigate = useNavigate()
  const goTo = (path: string) => {
    onLeave()
    void navigate({ to: '/workflows/$workflowId', params: { workflowId } }).then(() => editor.getState().focusOn(path))
  }
  return (
    <Alert color="red" title={`${counted(problems.length, 'problem')} to solve first`}>
      {problems.map(({ path, message }) => (
        <UnstyledButton key={`${path} ${message}`} className={classes.problem ?? ''} onClick={() => goTo(path)}>
          <Code>{path}</Code> {message}
        </UnstyledButton>
      ))}
    </Alert>
  )
}
