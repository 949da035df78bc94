import { Badge, type ComboboxItem, type ComboboxParsedItem, Group, Select, type SelectProps, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { providersQuery } from '../../../api/providers.ts'
import type { Provider } from '../../../api/types.ts'
import { usageQuery } from '../../../api/usage.ts'
import type { ControlProps } from '../control.ts'
import { useForm } from '../form-context.tsx'
import { featuresText, modelName, priceText } from './model-text.ts'

type Model = Provider['models'][number]
interface Choice {
  /** `provider/model`. */
  value: string
  label: string
  features: string
  price: string
  problem: string | undefined
}

/**
 * The models with the required capability, by provider, with features and the price of one image; or the local models of an operation.
 * Unavailable models show the reason.
 */
export function ModelControl({ schema, value, onChange, id, describedBy, isInvalid, placeholder }: ControlProps) {
  const { capability } = useForm()
  const { data } = useQuery(providersQuery)
  const paid = usePaid()
  const groups = (data?.providers ?? []).map((provider) => ({
    group: provider.configured ? provider.title : `${provider.title} (not set up)`,
    items: choicesOf(provider, (model) => isUsable(model, capability, schema['x-local-models']), capability, paid),
  }))
  const choices = groups.flatMap(({ items }) => items)
  const ownName = typeof value === 'string' && value !== '' ? value : undefined
  // Local models also have a short name.
  const listedName = [ownName, `local/${ownName}`].find((name) => choices.some((choice) => choice.value === name))
  const others =
    ownName === undefined || listedName !== undefined
      ? []
      : [{ group: 'Other', items: [{ value: ownName, label: ownName, features: '', price: '', problem: undefined }] }]
  const defaults = capability === undefined ? [] : (data?.defaults[capability as keyof typeof data.defaults] ?? [])
  const byValue = new Map(choices.map((choice) => [choice.value, choice]))
  const renderOption: SelectProps['renderOption'] = ({ option }) => (
    <ModelRow choice={byValue.get(option.value)} name={option.label} />
  )
  return (
    <Select
      id={id}
      size="sm"
      searchable
      clearable
      data={[...availableFirst(groups.filter(({ items }) => items.length > 0)), ...others]}
      value={listedName ?? ownName ?? null}
      placeholder={
        capability === undefined || schema.default !== undefined
          ? placeholder
          : defaults[0] === undefined
            ? 'No model is set up'
            : `Default: ${modelName(defaults[0])}`
      }
      renderOption={renderOption}
      filter={byNameOrId}
      nothingFoundMessage="No model can do this"
      maxDropdownHeight={320}
      comboboxProps={{ shadow: 'md', width: 320, position: 'bottom-start' }}
      error={isInvalid}
      aria-describedby={describedBy}
      aria-invalid={isInvalid}
      onChange={(model) => onChange(model ?? undefined)}
    />
  )
}

function ModelRow({ choice, name }: { choice: Choice | undefined; name: string }) {
  return (
    <Group gap="xs" wrap="nowrap" justify="space-between" w="100%">
      <div title={choice?.value}>
        <Text size="sm">{name}</Text>
        <Text size="xs" c="dimmed">
          {choice?.problem ?? choice?.features}
        </Text>
      </div>
      {choice !== undefined && choice.price !== '' && (
        <Badge variant="default" size="sm" tt="none" fw={500} flex="none">
          {choice.price}
        </Badge>
      )}
    </Group>
  )
}

/** Providers and models that can be called come first. Otherwise they keep their order. */
function availableFirst<Group extends { items: Choice[] }>(groups: readonly Group[]): Group[] {
  const isMissing = ({ problem }: Choice) => Number(problem !== undefined)
  return groups
    .map((group) => ({ ...group, items: group.items.toSorted((a, b) => isMissing(a) - isMissing(b)) }))
    .toSorted((a, b) => Number(a.items.every(isMissing)) - Number(b.items.every(isMissing)))
}

function isUsable({ can, local }: Model, capability: string | undefined, localOperation: string | undefined): boolean {
  if (localOperation !== undefined) return local?.operation === localOperation
  return capability === undefined || Object.hasOwn(can, capability)
}

function choicesOf(
  provider: Provider,
  isOffered: (model: Model) => boolean,
  capability: string | undefined,
  paid: ReadonlyMap<string, number>,
): (Choice & { disabled: boolean })[] {
  return provider.models
    .filter((model) => !model.model.endsWith('*') && isOffered(model))
    .map((model) => {
      const problem = provider.configured
        ? (model.problem ?? undefined)
        : `needs ${provider.missing.join(', ') || 'to be set up'}`
      const [of = ''] = capability === undefined ? Object.keys(model.can) : [capability]
      const can = model.can[of]
      return {
        value: model.model,
        label: modelName(model.model),
        features: can === undefined ? '' : featuresText(can),
        price: can === undefined ? '' : priceText(can, of, paid.get(model.model)),
        problem,
        disabled: false,
      }
    })
}

/** The search finds names, and ids as they are in documents. */
const byNameOrId: NonNullable<SelectProps['filter']> = ({ options, search }) => {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean)
  const isFound = ({ value, label }: ComboboxItem) =>
    words.every((word) => value.toLowerCase().includes(word) || label.toLowerCase().includes(word))
  return options.flatMap((option): ComboboxParsedItem[] => {
    if (!('group' in option)) return isFound(option) ? [option] : []
    const items = option.items.filter(isFound)
    return items.length === 0 ? [] : [{ ...option, items }]
  })
}

const paidDays = 30

/** The mean cost of the calls of each model in the last days. */
function usePaid(): ReadonlyMap<string, number> {
  const [[from, to]] = useState(() => [day(paidDays), day(0)] as const)
  const { data } = useQuery({ ...usageQuery(from, to), staleTime: 300_000, retry: false })
  const known = (data?.models ?? []).filter(({ calls, unknownCosts }) => calls > 0 && unknownCosts === 0)
  return new Map(known.map(({ model, calls, costUsd }) => [model, costUsd / calls]))
}

/** `ago`: days before today. */
function day(ago: number): string {
  return new Date(Date.now() - ago * 86_400_000).toISOString().slice(0, 10)
}
