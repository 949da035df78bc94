import {
  Alert,
  Button,
  Checkbox,
  Code,
  Group,
  Modal,
  Stack,
  Text,
  Textarea,
  TextInput,
  UnstyledButton,
} from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useMemo, useState } from 'react'
import { type Issue, issuesOf } from '../../api/client.ts'
import { invalidateDraft, publishDraft } from '../../api/drafts.ts'
import { emptyDocument } from '../../api/read-document.ts'
import { ExampleComparison } from '../../ui/example-comparison.tsx'
import { counted } from '../../ui/format.ts'
import { useReturnFocus } from '../../ui/use-return-focus.ts'
import { diffDocuments } from '../document/diff.ts'
import { KeepChoices, useKeeping } from '../results/keep-choices.tsx'
import { runIfFree } from '../results/pin.ts'
import { useDocument, useEditor, usePublishedWorkflow } from '../state/editor-context.ts'
import { ChangeList } from './change-list.tsx'
import classes from './publish-dialog.module.css'
import { PublishPictures } from './publish-pictures.tsx'
import { useSide } from './side.ts'
import { summaryOf } from './summary.ts'

const noteCharsMax = 1000
const nameCharsMax = 255

/** Publishes the draft: shows its changes and problems, and asks for a note, and for a name if it has none. */
export function PublishDialog({ onClose }: { onClose(): void }) {
  useReturnFocus()
  const editor = useEditor()
  const { workflowId, autosave, document: store } = editor
  const workflow = usePublishedWorkflow()
  const queryClient = useQueryClient()
  const document = useDocument((state) => state.document)
  const issues = useDocument((state) => state.issues)
  const published = useSide(workflowId, workflow?.version)
  const keeping = useKeeping(published)
  const [note, setNote] = useState('')
  const [name, setName] = useState('')
  const [isUnnamed] = useState(() => ['', emptyDocument.name].includes(store.getState().document.name.trim()))
  const [isOverwriting, setOverwriting] = useState(false)
  const next = (workflow?.version ?? 0) + 1
  const diff = useMemo(
    () => (published === undefined ? undefined : diffDocuments(published, document)),
    [published, document],
  )
  const publishing = useMutation({
    async mutationFn() {
      if (isUnnamed)
        store.getState().change('Rename the workflow', (document) => {
          document.name = name.trim()
        })
      const hasKept = await keeping.apply()
      await autosave.ensure()
      const published = store.getState().document
      const noteField = note.trim() === '' ? {} : { note: note.trim() }
      const detail = await publishDraft(workflowId, { ...noteField, ...(isOverwriting ? { overwrite: true } : {}) })
      autosave.accept(published, undefined)
      return { version: detail.version ?? next, hasKept }
    },
    async onSuccess({ version, hasKept }) {
      notifications.show({ title: 'Published', message: `API calls use version ${version} now.` })
      onClose()
      await invalidateDraft(queryClient, workflowId)
      if (hasKept) await runIfFree(editor)
    },
  })
  const refused = issuesOf(publishing.error)
  const isOutdated = refused.some(({ path }) => path === 'overwrite')
  const problems = issues.length > 0 ? issues : refused.filter(({ path }) => path !== 'overwrite')
  return (
    <Modal opened onClose={onClose} title={`Publish version ${next}`} size="lg">
      <form
        onSubmit={(event) => {
          event.preventDefault()
          publishing.mutate()
        }}
      >
        <Stack gap="md">
          <Text size="sm" c="dimmed">
            API calls will use this version. Earlier versions are kept.
          </Text>
          {isUnnamed && (
            <TextInput
              label="Name of the workflow"
              description="Lists of workflows and executions show it."
              data-autofocus
              required
              maxLength={nameCharsMax}
              value={name}
              onChange={({ currentTarget }) => setName(currentTarget.value)}
            />
          )}
          {problems.length > 0 && <ProblemList problems={problems} onLeave={onClose} />}
          {isOutdated ? (
            <Alert color="yellow" title="A newer version was published after this draft was started">
              {refused.find(({ path }) => path === 'overwrite')?.message}
              <Checkbox
                mt="sm"
                label="Publish this draft anyway"
                checked={isOverwriting}
                onChange={({ currentTarget }) => setOverwriting(currentTarget.checked)}
              />
            </Alert>
          ) : (
            publishing.error &&
            problems.length === 0 && (
              <Alert color="red" title="The draft couldn’t be published">
                {publishing.error.message}
              </Alert>
            )
          )}
          <PublishPictures version={workflow?.version} />
          {diff !== undefined && (
            <div>
              <Text size="sm" fw={600} mb={4}>
                {summaryOf(diff).join(', ') || 'Nothing has changed'}
              </Text>
              <div className={classes.changes}>
                <ChangeList diff={diff} />
              </div>
            </div>
          )}
          {problems.length === 0 && <KeepChoices {...keeping} />}
          {workflow !== null && problems.length === 0 && (
            <ExampleComparison workflowId={workflowId} document={document} />
          )}
          <Textarea
            label="Changes"
            description="Optional. Shown in the list of versions."
            autosize
            minRows={2}
            maxRows={6}
            maxLength={noteCharsMax}
            data-autofocus={!isUnnamed || undefined}
            value={note}
            onChange={({ currentTarget }) => setNote(currentTarget.value)}
            onKeyDown={(event) => {
              if (event.key === 'Enter' && (event.metaKey || event.ctrlKey)) event.currentTarget.form?.requestSubmit()
            }}
          />
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              Cancel
            </Button>
            <Button
              type="submit"
              loading={publishing.isPending}
              disabled={issues.length > 0 || (isUnnamed && name.trim() === '')}
            >
              Publish
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  )
}

/** The problems that prevent publishing. Each links to its field. */
function ProblemList({ problems, onLeave }: { problems: readonly Issue[]; onLeave(): void }) {
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
