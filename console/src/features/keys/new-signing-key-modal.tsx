import { Button, Checkbox, Modal, MultiSelect, NativeSelect, NumberInput, Stack, TextInput } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { fieldProblems } from '../../api/client.ts'
import { createSigningKey, type NewSigningKey } from '../../api/signing-keys.ts'
import { workflowNamesQuery } from '../../api/workflows.ts'
import { ErrorText } from '../../ui/error-text.tsx'
import { LabelledChoice } from '../../ui/labelled-choice.tsx'
import { useReturnFocus } from '../../ui/use-return-focus.ts'
import { lifetimes } from './key-cells.tsx'

interface Props {
  onClose(): void
  onCreated(key: NewSigningKey): void
}

interface Choice {
  value: string
  label: string
}

export function NewSigningKeyModal({ onClose, onCreated }: Props) {
  useReturnFocus()
  const [name, setName] = useState('')
  const [reach, setReach] = useState<'all' | 'some'>('all')
  const [selected, setSelected] = useState<readonly Choice[]>([])
  const [search, setSearch] = useState('')
  const [images, setImages] = useState(true)
  const [budget, setBudget] = useState<number | string>('')
  const [days, setDays] = useState('')
  const { data: found } = useQuery(workflowNamesQuery(search === '' ? undefined : search))
  const choices = new Map(selected.map((choice) => [choice.value, choice]))
  for (const { id, name: label } of found?.workflows ?? []) choices.set(id, { value: id, label })
  const creating = useMutation({ mutationFn: createSigningKey, onSuccess: onCreated })
  const { problems, rest } = fieldProblems(creating.error, ['name', 'workflows', 'monthlyBudgetUsd', 'expiresInDays'])
  const submit = (event: FormEvent) => {
    event.preventDefault()
    creating.mutate({
      name: name.trim(),
      images,
      ...(reach === 'all' ? {} : { workflows: selected.map(({ value }) => value) }),
      ...(budget === '' ? {} : { monthlyBudgetUsd: Number(budget) }),
      ...(days === '' ? {} : { expiresInDays: Number(days) }),
    })
  }
  return (
    <Modal opened onClose={onClose} title="New signing key" size="lg">
      <form onSubmit={submit}>
        <Stack gap="lg">
          <TextInput
            label="Name"
            description="The website or program that signs URLs."
            placeholder="Website"
            data-autofocus
            value={name}
            onChange={({ currentTarget }) => setName(currentTarget.value)}
            error={problems.name}
          />
          <LabelledChoice
            label="Signs URLs of"
            options={{ all: 'All workflows', some: 'Selected workflows' }}
            value={reach}
            onChange={(value) => {
              setReach(value)
              setImages(value === 'all')
            }}
          >
            {reach === 'some' && (
              <MultiSelect
                label="Workflows"
                searchable
                searchValue={search}
                onSearchChange={setSearch}
                data={[...choices.values()]}
                value={selected.map(({ value }) => value)}
                onChange={(ids) => setSelected(ids.flatMap((id) => choices.get(id) ?? []))}
                error={problems.workflows}
              />
            )}
            <Checkbox
              label="All images"
              description="Their sizes and formats, and private images."
              checked={images}
              onChange={({ currentTarget }) => setImages(currentTarget.checked)}
            />
          </LabelledChoice>
          <NumberInput
            label="Monthly budget"
            description="For AI models, in US dollars. Without it, the key signs no URLs of workflows that cost money."
            placeholder="None"
            prefix="$"
            min={0}
            value={budget}
            onChange={setBudget}
            error={problems.monthlyBudgetUsd}
            styles={{ wrapper: { maxWidth: 240 } }}
          />
          <NativeSelect
            label="Expires"
            data={lifetimes}
            value={days}
            onChange={({ currentTarget }) => setDays(currentTarget.value)}
            error={problems.expiresInDays}
            maw={240}
          />
          <ErrorText error={rest} size="sm" />
          <Button type="submit" loading={creating.isPending} disabled={reach === 'some' && selected.length === 0}>
            Create signing key
          </Button>
        </Stack>
      </form>
    </Modal>
  )
}
