import { Alert, Code, UnstyledButton } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import type { Issue } from '../../api/client.ts'
import { counted } from '../../ui/format.ts'
import { useEditor } from '../state/editor-context.ts'
import classes from './publish-dialog.module.css'

/** The problems that prevent publishing. Each links to its field. */
export function ProblemList({ problems, onLeave }: { problems: readonly Issue[]; onLeave(): void }) {
  const { workflowId, document: store } = useEditor()
  const navigate = useNavigate()
  const goTo = (path: string) => {
    onLeave()
    void navigate({ to: '/workflows/$workflowId', params: { workflowId } }).then(() => store.getState().focusOn(path))
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
