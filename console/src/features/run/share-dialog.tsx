import {
  Alert,
  Button,
  Checkbox,
  CopyButton,
  Divider,
  Modal,
  NativeSelect,
  NumberInput,
  SimpleGrid,
  Stack,
  Text,
  TextInput,
} from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Check, Copy } from 'lucide-react'
import { type FormEvent, useState } from 'react'
import { ApiError, fieldProblems } from '../../api/client.ts'
import { createKey, inactiveReason, type NewKey, runLinksQuery } from '../../api/keys.ts'
import { ErrorText } from '../../ui/error-text.tsx'
import { useReturnFocus } from '../../ui/use-return-focus.ts'
import { LinkRow } from './link-row.tsx'

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
              <LinkRow key={link.id} link={link} onReplaced={show} onRevoked={() => handleRevoked(link.id)} />
            ))}
            {active.length > 0 && <Divider />}
            <NewLinkForm workflowId={workflowId} exampleImageId={exampleImageId} onCreated={show} />
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

const lifetimes = [
  { value: '1', label: 'In a day' },
  { value: '7', label: 'In 7 days' },
  { value: '30', label: 'In 30 days' },
  { value: '90', label: 'In 90 days' },
  { value: '365', label: 'In a year' },
]

const fieldNames = ['name', 'dailyBudgetUsd', 'monthlyBudgetUsd', 'executionsPerMinute', 'expiresInDays'] as const

interface FormProps extends Omit<Props, 'onClose'> {
  onCreated(link: NewKey): void
}

function NewLinkForm({ workflowId, exampleImageId, onCreated }: FormProps) {
  const [name, setName] = useState('')
  const [days, setDays] = useState('30')
  const [budgets, setBudgets] = useState<{ day: number | string; month: number | string }>({ day: 1, month: 10 })
  const [rate, setRate] = useState<number | string>(10)
  const [hasExample, setHasExample] = useState(true)
  const creating = useMutation({ mutationFn: createKey, onSuccess: onCreated })
  const { problems, rest } = fieldProblems(creating.error, fieldNames)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    creating.mutate({
      workflowId,
      name: name.trim(),
      expiresInDays: Number(days),
      ...(budgets.day === '' ? {} : { dailyBudgetUsd: Number(budgets.day) }),
      ...(budgets.month === '' ? {} : { monthlyBudgetUsd: Number(budgets.month) }),
      ...(rate === '' ? {} : { executionsPerMinute: Number(rate) }),
      ...(hasExample && exampleImageId !== undefined ? { exampleImageId } : {}),
    })
  }
  const money = { prefix: '$', min: 0, placeholder: 'No limit' }
  return (
    <form onSubmit={submit} aria-label="New link">
      <Stack gap="md">
        <SimpleGrid cols={{ base: 1, xs: 2 }}>
          <TextInput
            label="Name"
            description="For you: who gets the link."
            value={name}
            onChange={({ currentTarget }) => setName(currentTarget.value)}
            error={problems.name}
          />
          <NativeSelect
            label="Expires"
            description="You can revoke it earlier."
            data={lifetimes}
            value={days}
            onChange={({ currentTarget }) => setDays(currentTarget.value)}
            error={problems.expiresInDays}
          />
          <NumberInput
            label="Daily budget"
            description="For AI models, in US dollars."
            value={budgets.day}
            onChange={(day) => setBudgets({ ...budgets, day })}
            error={problems.dailyBudgetUsd}
            {...money}
          />
          <NumberInput
            label="Monthly budget"
            description="Without any budget: only free runs."
            value={budgets.month}
            onChange={(month) => setBudgets({ ...budgets, month })}
            error={problems.monthlyBudgetUsd}
            {...money}
          />
          <NumberInput
            label="Runs per minute"
            description="Of all people with the link."
            value={rate}
            min={1}
            max={600}
            allowDecimal={false}
            onChange={setRate}
            error={problems.executionsPerMinute}
          />
        </SimpleGrid>
        {exampleImageId !== undefined && (
          <Checkbox
            label="Show the image of this page as the example"
            checked={hasExample}
            onChange={({ currentTarget }) => setHasExample(currentTarget.checked)}
          />
        )}
        <ErrorText error={rest} size="sm" />
        <Button type="submit" loading={creating.isPending}>
          Create link
        </Button>
      </Stack>
    </form>
  )
}
