import { Badge, Group, Select, type SelectProps, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { providersQuery } from '../../../api/providers.ts'
import type { Provider } from '../../../api/types.ts'
import type { ControlProps } from '../control.ts'
import { useForm } from '../form-context.tsx'

type Model = Provider['models'][number]
interface Choice {
  value: string
  label: string
  price: string
  problem: string | undefined
}

/**
 * The models with the required capability, by provider, with prices; or the local models of an operation. Unavailable
 * models show the reason.
 */
export function ModelControl({ schema, value, onChange, id, describedBy, isInvalid, placeholder }: ControlProps) {
  const { capability } = useForm()
  const { data } = useQuery(providersQuery)
  const groups = (data?.providers ?? []).map((provider) => ({
    group: provider.configured ? provider.title : `${provider.title} (not set up)`,
    items: choicesOf(provider, (model) => isUsable(model, capability, schema['x-local-models']), capability),
  }))
  const choices = groups.flatMap(({ items }) => items)
  const ownName = typeof value === 'string' && value !== '' ? value : undefined
  // Local models also have a short name.
  const listedName = [ownName, `local/${ownName}`].find((name) => choices.some((choice) => choice.value === name))
  const others =
    ownName === undefined || listedName !== undefined
      ? []
      : [{ group: 'Other', items: [{ value: ownName, label: ownName, price: '', problem: undefined }] }]
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
      data={[...groups.filter(({ items }) => items.length > 0), ...others]}
      value={listedName ?? ownName ?? null}
      placeholder={
        capability === undefined || schema.default !== undefined
          ? placeholder
          : defaults[0] === undefined
            ? 'No model is set up'
            : `Default: ${defaults[0]}`
      }
      renderOption={renderOption}
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
      <div>
        <Text size="sm">{name}</Text>
        {choice?.problem !== undefined && (
          <Text size="xs" c="dimmed">
            {choice.problem}
          </Text>
        )}
      </div>
      {choice !== undefined && choice.price !== '' && (
        <Badge variant="default" size="sm" tt="none" fw={500}>
          {choice.price}
        </Badge>
      )}
    </Group>
  )
}

function isUsable({ can, local }: Model, capability: string | undefined, localOperation: string | undefined): boolean {
  if (localOperation !== undefined) return local?.operation === localOperation
  return capability === undefined || Object.hasOwn(can, capability)
}

function choicesOf(
  provider: Provider,
  isOffered: (model: Model) => boolean,
  capability: string | undefined,
): (Choice & { disabled: boolean })[] {
  return provider.models
    .filter((model) => !model.model.endsWith('*') && isOffered(model))
    .map((model) => {
      const problem = provider.configured
        ? (model.problem ?? undefined)
        : `needs ${provider.missing.join(', ') || 'to be set up'}`
      return { value: model.model, label: model.model, price: priceOf(model, capability), problem, disabled: false }
    })
}

function priceOf({ can }: Model, capability: string | undefined): string {
  const price = (capability === undefined ? Object.values(can)[0] : can[capability])?.price
  if (price === null || price === undefined) return ''
  if (price.usd === 0) return 'free'
  if (price.usd !== undefined) return `$${price.usd} / ${price.per}`
  return price.outputUsd === undefined ? '' : `$${price.outputUsd} / M tokens`
}
