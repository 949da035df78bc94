import { Button, Group, NativeSelect, NumberInput, SimpleGrid, Stack, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { fieldProblems } from '../../api/client.ts'
import type { KeyRecord, KeySettings } from '../../api/keys.ts'
import { ErrorText } from '../../ui/error-text.tsx'
import { useReturnFocus } from '../../ui/use-return-focus.ts'
import { dateText } from './link-row.tsx'

const lifetimes = [
  { value: '1', label: 'In a day' },
  { value: '7', label: 'In 7 days' },
  { value: '30', label: 'In 30 days' },
  { value: '90', label: 'In 90 days' },
  { value: '365', label: 'In a year' },
]

const fieldNames = [
  'name',
  'dailyBudgetUsd',
  'monthlyBudgetUsd',
  'executionsPerMinute',
  'expiresInDays',
  'exampleImageId',
] as const

interface Props<Saved> {
  label: string
  action: string
  /** The link to edit. Undefined: a new one. */
  link?: KeyRecord
  /** The output that the page behind the dialog shows. */
  exampleImageId: string | undefined
  save(settings: KeySettings & { expiresInDays?: number }): Promise<Saved>
  onSaved(saved: Saved): void
  onCancel?(): void
}

/** All settings of a run link, new or not. */
export function LinkForm<Saved>({ label, action, link, exampleImageId, save, onSaved, onCancel }: Props<Saved>) {
  useReturnFocus()
  const [name, setName] = useState(link?.name ?? '')
  const [days, setDays] = useState(link === undefined ? '30' : '')
  const [budgets, setBudgets] = useState<{ day: number | string; month: number | string }>(
    link === undefined ? { day: 1, month: 10 } : { day: link.dailyBudgetUsd ?? '', month: link.monthlyBudgetUsd ?? '' },
  )
  const [rate, setRate] = useState<number | string>(link?.executionsPerMinute ?? 10)
  const [example, setExample] = useState((link === undefined ? exampleImageId : link.exampleImageId) ?? '')
  const saving = useMutation({ mutationFn: save, onSuccess: onSaved })
  const { problems, rest } = fieldProblems(saving.error, fieldNames)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    saving.mutate({
      name: name.trim(),
      ...(days === '' ? {} : { expiresInDays: Number(days) }),
      ...(budgets.day === '' ? {} : { dailyBudgetUsd: Number(budgets.day) }),
      ...(budgets.month === '' ? {} : { monthlyBudgetUsd: Number(budgets.month) }),
      ...(rate === '' ? {} : { executionsPerMinute: Number(rate) }),
      ...(example === '' ? {} : { exampleImageId: example }),
    })
  }
  const money = { prefix: '$', min: 0, placeholder: 'No limit' }
  const examples = examplesOf(link?.exampleImageId, exampleImageId)
  return (
    <form onSubmit={submit} aria-label={label}>
      <Stack gap="md">
        <SimpleGrid cols={{ base: 1, xs: 2 }}>
          <TextInput
            label="Name"
            description="For you: who gets the link."
            autoFocus={link !== undefined}
            value={name}
            onChange={({ currentTarget }) => setName(currentTarget.value)}
            error={problems.name}
          />
          <NativeSelect
            label="Expires"
            description="You can revoke it earlier."
            data={link === undefined ? lifetimes : [{ value: '', label: expiryText(link) }, ...lifetimes]}
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
          {examples.length > 1 && (
            <NativeSelect
              label="Example image"
              description="The page shows it before the first run."
              data={examples}
              value={example}
              onChange={({ currentTarget }) => setExample(currentTarget.value)}
              error={problems.exampleImageId}
            />
          )}
        </SimpleGrid>
        <ErrorText error={rest} size="sm" />
        <Group grow>
          {onCancel && (
            <Button variant="default" onClick={onCancel}>
              Cancel
            </Button>
          )}
          <Button type="submit" loading={saving.isPending}>
            {action}
          </Button>
        </Group>
      </Stack>
    </form>
  )
}

function expiryText({ expiresAt }: KeyRecord): string {
  return expiresAt === undefined ? 'Never' : `As before: ${dateText(expiresAt)}`
}

function examplesOf(before: string | undefined, shown: string | undefined) {
  return [
    { value: '', label: 'None' },
    ...(before === undefined ? [] : [{ value: before, label: 'As before' }]),
    ...(shown === undefined || shown === before ? [] : [{ value: shown, label: 'The image of this page' }]),
  ]
}
