import { Alert, Button, CopyButton, Divider, Modal, Stack, Text, TextInput } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Check, Copy } from 'lucide-react'
import { Fragment, useState } from 'react'
import { ApiError } from '../../api/client.ts'
import { createKey, inactiveReason, type NewKey, runLinksQuery, updateKey } from '../../api/keys.ts'
import { ErrorText } from '../../ui/error-text.tsx'
import { useReturnFocus } from '../../ui/use-return-focus.ts'
import { LinkForm } from './link-form.tsx'
import { LinkRow, nameOf } from './link-row.tsx'

interface Props {
  workflowId: string
  exampleImageId: string | undefined
  onClose(): void
}

/** The run links of a workflow: its page for people without an account. */
export function ShareDialog({ workflowId, exampleImageId, onClose }: Props) {
  useReturnFocus()
  const { data: links = [], error } = useQuery(runLinksQuery(workflowId))
  const [created, setCreated] = useState<NewKey>()
  const [editing, setEditing] = useState<string>()
  const queryClient = useQueryClient()
  const reload = () => queryClient.invalidateQueries({ queryKey: ['keys'] })
  const show = (link: NewKey) => {
    setCreated(link)
    void reload()
  }
  /** A link that was revoked must not be copied any more. */
  const handleRevoked = (id: string) => {
    if (id === created?.id) setCreated(undefined)
    void reload()
  }
  const active = links.filter((link) => inactiveReason(link, new Date()) === undefined)
  const edited = active.find(({ id }) => id === editing)
  const isForbidden = error instanceof ApiError && error.code === 'forbidden'
  return (
    <Modal opened onClose={onClose} title="Share with people without an account" size="lg">
      <Stack gap="md">
        <Text size="sm" c="dimmed">
          Anyone with the link can run the published workflow on a separate page, without signing in. They see its
          parameters and the images that they make, and nothing else of your account.
        </Text>
        {isForbidden ? (
          <Text>The key of this session can’t create links. Sign in with a key that has full access.</Text>
        ) : (
          <>
            <ErrorText error={error} size="sm" />
            {created?.runUrl !== undefined && <NewLink url={created.runUrl} />}
            {active.map((link) => (
              <Fragment key={link.id}>
                <LinkRow
                  link={link}
                  isEditing={link === edited}
                  onEdit={() => setEditing(link === edited ? undefined : link.id)}
                  onReplaced={show}
                  onRevoked={() => handleRevoked(link.id)}
                />
                {link === edited && (
                  <LinkForm
                    label={`Edit ${nameOf(link)}`}
                    action="Save"
                    link={link}
                    exampleImageId={exampleImageId}
                    save={(settings) => updateKey(link.id, settings)}
                    onSaved={() => reload().then(() => setEditing(undefined))}
                    onCancel={() => setEditing(undefined)}
                  />
                )}
              </Fragment>
            ))}
            {active.length > 0 && edited === undefined && <Divider />}
            {edited === undefined && (
              <LinkForm
                label="New link"
                action="Create link"
                exampleImageId={exampleImageId}
                save={(settings) => createKey({ workflowId, ...settings })}
                onSaved={show}
              />
            )}
          </>
        )}
      </Stack>
    </Modal>
  )
}

function NewLink({ url }: { url: string }) {
  return (
    <Alert color="copper" title="Copy the link now">
      <Stack gap="xs">
        <Text size="sm">It is shown only once, because the service stores only its hash.</Text>
        <TextInput
          aria-label="Link"
          readOnly
          value={url}
          onFocus={({ currentTarget }) => currentTarget.select()}
          styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)' } }}
        />
        <CopyButton value={url} timeout={3000}>
          {({ copied, copy }) => (
            <Button onClick={copy} leftSection={copied ? <Check size={16} /> : <Copy size={16} />}>
              {copied ? 'Copied' : 'Copy link'}
            </Button>
          )}
        </CopyButton>
      </Stack>
    </Alert>
  )
}
