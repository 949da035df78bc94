import { Button, Checkbox, Modal, SimpleGrid, Stack, Text, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { fieldProblems } from '../../api/client.ts'
import {
  createEndpoint,
  type NewWebhookEndpoint,
  replaceEndpoint,
  type WebhookEndpoint,
  type WebhookEventType,
} from '../../api/webhooks.ts'
import { ErrorText } from '../../ui/error-text.tsx'
import { LabelledChoice } from '../../ui/labelled-choice.tsx'
import { useReturnFocus } from '../../ui/use-return-focus.ts'
import { eventTypes } from './event-types.ts'

interface Props {
  /** The endpoint to change. Undefined for a new one. */
  endpoint?: WebhookEndpoint
  onClose(): void
  onSaved(endpoint: WebhookEndpoint | NewWebhookEndpoint): void
}

const all = Object.keys(eventTypes) as WebhookEventType[]

export function EndpointModal({ endpoint, onClose, onSaved }: Props) {
  useReturnFocus()
  const [url, setUrl] = useState(endpoint?.url ?? '')
  const [description, setDescription] = useState(endpoint?.description ?? '')
  const [reach, setReach] = useState<'all' | 'some'>(endpoint?.eventTypes ? 'some' : 'all')
  const [selected, setSelected] = useState<readonly WebhookEventType[]>(
    endpoint?.eventTypes ?? ['execution.completed', 'execution.failed'],
  )
  const saving = useMutation({
    mutationFn: (): Promise<WebhookEndpoint | NewWebhookEndpoint> => {
      const types = reach === 'all' ? {} : { eventTypes: all.filter((type) => selected.includes(type)) }
      const body = { url: url.trim(), description: description.trim(), ...types }
      return endpoint === undefined
        ? createEndpoint(body)
        : replaceEndpoint(endpoint.id, { ...body, disabled: endpoint.disabled })
    },
    onSuccess: onSaved,
  })
  const { problems, rest } = fieldProblems(saving.error, ['url', 'description', 'eventTypes'])
  const submit = (event: FormEvent) => {
    event.preventDefault()
    saving.mutate()
  }
  return (
    <Modal opened onClose={onClose} title={endpoint ? 'Edit webhook endpoint' : 'New webhook endpoint'} size="lg">
      <form onSubmit={submit}>
        <Stack gap="lg">
          <TextInput
            label="URL"
            description="Events are sent to this address as signed POST requests."
            placeholder="https://example.com/webhooks/tintype"
            required
            data-autofocus
            value={url}
            onChange={({ currentTarget }) => setUrl(currentTarget.value)}
            error={problems.url}
          />
          <TextInput
            label="Description"
            value={description}
            onChange={({ currentTarget }) => setDescription(currentTarget.value)}
            error={problems.description}
          />
          <LabelledChoice
            label="Events"
            options={{ all: 'All events', some: 'Selected events' }}
            value={reach}
            onChange={setReach}
          >
            {reach === 'some' && (
              <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="xs">
                {all.map((type) => (
                  <Checkbox
                    key={type}
                    label={type}
                    description={eventTypes[type]}
                    checked={selected.includes(type)}
                    onChange={({ currentTarget: { checked } }) =>
                      setSelected(checked ? [...selected, type] : selected.filter((other) => other !== type))
                    }
                  />
                ))}
              </SimpleGrid>
            )}
            {problems.eventTypes !== undefined && (
              <Text size="sm" c="red" role="alert">
                Select at least one event.
              </Text>
            )}
          </LabelledChoice>
          <ErrorText error={rest} size="sm" />
          <Button type="submit" loading={saving.isPending}>
            {endpoint ? 'Save' : 'Create endpoint'}
          </Button>
        </Stack>
      </form>
    </Modal>
  )
}
