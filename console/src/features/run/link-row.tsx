import { Button, Group, Text } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { type KeyRecord, type NewKey, revokeKey, rotateKey } from '../../api/keys.ts'
import { ErrorText } from '../../ui/error-text.tsx'
import { dollars } from '../../ui/format.ts'

interface Props {
  link: KeyRecord
  isEditing: boolean
  onEdit(): void
  onReplaced(link: NewKey): void
  onRevoked(): void
}

/** A run link with the spent amounts. Its text is not stored, so a lost link is replaced. */
export function LinkRow({ link, isEditing, onEdit, onReplaced, onRevoked }: Props) {
  const replacing = useMutation({ mutationFn: () => rotateKey(link.id, 0), onSuccess: onReplaced })
  const revoking = useMutation({ mutationFn: () => revokeKey(link.id), onSuccess: onRevoked })
  const name = nameOf(link)
  return (
    <Group justify="space-between" wrap="nowrap" align="flex-start" role="group" aria-label={name}>
      <div>
        <Text size="sm" fw={550}>
          {name}
        </Text>
        <Text size="xs" c="dimmed">
          {factsOf(link).join(' · ')}
        </Text>
        <ErrorText error={replacing.error ?? revoking.error} size="xs" />
      </div>
      <Group gap="xs" wrap="nowrap">
        <Button size="xs" variant="default" aria-expanded={isEditing} onClick={onEdit}>
          Edit
        </Button>
        <Button
          size="xs"
          variant="default"
          loading={replacing.isPending}
          onClick={() => replacing.mutate()}
          title="Ends this link, and creates another one with the same settings"
        >
          Replace
        </Button>
        <Button size="xs" variant="default" color="red" loading={revoking.isPending} onClick={() => revoking.mutate()}>
          Revoke
        </Button>
      </Group>
    </Group>
  )
}

export function nameOf({ name, prefix }: KeyRecord): string {
  return name || prefix
}

function factsOf({ expiresAt, executionsPerMinute, ...link }: KeyRecord): string[] {
  const { dailyBudgetUsd, monthlyBudgetUsd, spentTodayUsd = 0, spentThisMonthUsd = 0 } = link
  const day = dailyBudgetUsd === undefined ? '' : ` of ${dollars(dailyBudgetUsd)}`
  const month = monthlyBudgetUsd === undefined ? '' : ` of ${dollars(monthlyBudgetUsd)}`
  return [
    `${dollars(spentTodayUsd)}${day} today`,
    `${dollars(spentThisMonthUsd)}${month} this month`,
    `${executionsPerMinute} runs per minute`,
    ...(expiresAt === undefined ? [] : [`until ${dateText(expiresAt)}`]),
  ]
}

export function dateText(time: string): string {
  return new Date(time).toLocaleDateString('en-GB', { dateStyle: 'medium' })
}
