import { Alert, Button, Group, Modal, Stack, Text, TextInput } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { slugPattern } from '../../../../shared/names.ts'
import { issuesOf } from '../../api/client.ts'
import { counted } from '../../ui/format.ts'
import { useReturnFocus } from '../../ui/use-return-focus.ts'
import { useEditor } from '../state/editor-context.ts'
import { turned, turnSelection } from './actions/turn.ts'
import { watchUndo } from './turn-undone.tsx'

const nameCharsMax = 255
const slugCharsMax = 63

/** Publishes the selected nodes as a workflow, and uses it in their place. */
export function TurnDialog() {
  useReturnFocus()
  const editor = useEditor()
  const queryClient = useQueryClient()
  const navigate = useNavigate()
  const [name, setName] = useState('')
  const [typedSlug, setSlug] = useState<string>()
  const [checked] = useState(() => turned(editor, editor.document.getState().selection, { name: '', slug: 'workflow' }))
  const slug = typedSlug ?? slugOf(name)
  const close = () => editor.canvas.setState({ isTurning: false })
  const turning = useMutation({
    mutationFn: () => turnSelection(editor, { name: name.trim(), slug }),
    async onSuccess(made) {
      close()
      notifications.show({ message: `${made.name} was published as version 1, and its node replaces the selection.` })
      const refresh = () => queryClient.invalidateQueries({ queryKey: ['workflows'] })
      watchUndo(editor, {
        made,
        before: editor.document.getState().past.at(-1)?.document,
        onOpen: () => void navigate({ to: '/workflows/$workflowId', params: { workflowId: made.id } }),
        onDeleted: () => void refresh(),
      })
      await refresh()
    },
  })
  const issues = issuesOf(turning.error)
  const ofSlug = issues.find(({ path }) => path === 'slug')
  const others = issues.filter((issue) => issue !== ofSlug)
  const isSlug = new RegExp(slugPattern).test(slug)
  const slugError = ofSlug === undefined ? undefined : `The slug ${ofSlug.message}`
  return (
    <Modal opened onClose={close} title="Turn into a workflow" centered>
      {'problem' in checked ? (
        <Stack gap="md">
          <Alert color="yellow" title="These nodes can’t be a workflow">
            {checked.problem}
          </Alert>
          <Group justify="flex-end">
            <Button variant="default" onClick={close} data-autofocus>
              Close
            </Button>
          </Group>
        </Stack>
      ) : (
        <form
          onSubmit={(event) => {
            event.preventDefault()
            turning.mutate()
          }}
        >
          <Stack gap="md">
            <Text size="sm" c="dimmed">
              {summaryOf(checked.inner)} One node replaces the selection and uses version 1.
            </Text>
            <TextInput
              label="Name"
              data-autofocus
              required
              maxLength={nameCharsMax}
              value={name}
              onChange={({ currentTarget }) => setName(currentTarget.value)}
            />
            <TextInput
              label="Slug"
              description="The name in other workflows and in the API: a-z, then a-z, 0-9 and -."
              required
              maxLength={slugCharsMax}
              value={slug}
              onChange={({ currentTarget }) => {
                setSlug(currentTarget.value)
                turning.reset()
              }}
              error={slugError ?? (slug !== '' && !isSlug ? 'Use a-z, 0-9 and -, and start with a letter.' : undefined)}
            />
            {turning.error && slugError === undefined && (
              <Alert color="red" title="The workflow wasn’t created">
                {others.length === 0
                  ? turning.error.message
                  : others.map(({ path, message }) => (
                      <div key={`${path} ${message}`}>
                        {path} {message}
                      </div>
                    ))}
              </Alert>
            )}
            <Group justify="flex-end">
              <Button variant="default" onClick={close}>
                Cancel
              </Button>
              <Button type="submit" loading={turning.isPending} disabled={name.trim() === '' || !isSlug}>
                Create workflow
              </Button>
            </Group>
          </Stack>
        </form>
      )}
    </Modal>
  )
}

function summaryOf({
  nodes,
  parameters = [],
  outputs = {},
}: {
  nodes: object
  parameters?: unknown[]
  outputs?: object
}) {
  const parts = [
    counted(Object.keys(nodes).length, 'node'),
    counted(parameters.length, 'parameter'),
    counted(1 + Object.keys(outputs).length, 'output'),
  ]
  return `The new workflow has ${parts.join(', ')}.`
}

/** The slug for a name: `Price badge (red)` is `price-badge-red`. */
function slugOf(name: string): string {
  return name
    .normalize('NFD')
    .toLowerCase()
    .replace(/\p{M}/gu, '')
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^[^a-z]+/, '')
    .slice(0, slugCharsMax)
    .replace(/-+$/, '')
}
