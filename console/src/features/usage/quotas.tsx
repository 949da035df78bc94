import { Card, Group, Progress, SimpleGrid, Stack, Text, Title } from '@mantine/core'
import type { Usage } from '../../api/types.ts'
import { byteSize } from '../../ui/format.ts'

type QuotaUse = Usage['quotas'][number]

/** How much of each quota the account has used now. */
export function Quotas({ quotas }: { quotas: readonly QuotaUse[] }) {
  return (
    <Card withBorder padding="md" component="section" aria-label="Quotas">
      <Title order={2} size="sm" mb="md">
        Quotas
      </Title>
      <SimpleGrid cols={{ base: 1, sm: 2, lg: 3 }} spacing="lg" verticalSpacing="md">
        {quotas.map((use) => (
          <Quota key={use.quota} use={use} />
        ))}
      </SimpleGrid>
    </Card>
  )
}

function Quota({ use: { quota, title, used, limit } }: { use: QuotaUse }) {
  const show = quota.endsWith('Bytes') ? byteSize : (count: number) => count.toLocaleString('en')
  const text = limit === null ? `${show(used)}, no maximum` : `${show(used)} of ${show(limit)}`
  const percent = percentOf(used, limit)
  return (
    <Stack gap={6}>
      <Group justify="space-between" gap="sm" wrap="nowrap">
        <Text size="sm" truncate>
          {title}
        </Text>
        <Text size="sm" c="dimmed" style={{ flex: 'none', fontVariantNumeric: 'tabular-nums' }}>
          {text}
        </Text>
      </Group>
      <Progress.Root size="sm">
        <Progress.Section
          value={percent}
          color={colorOf(quota, percent)}
          aria-label={title}
          aria-valuetext={text}
          aria-valuenow={Math.round(percent)}
        />
      </Progress.Root>
    </Stack>
  )
}

function percentOf(used: number, limit: number | null): number {
  if (limit === null) return 0
  return limit === 0 ? 100 : Math.min(100, (100 * used) / limit)
}

/** Color of a bar. A full cache removes the least recently used results, so it needs no warning. */
function colorOf(quota: QuotaUse['quota'], percent: number): string {
  if (quota === 'cacheBytes' || percent < 80) return 'copper.6'
  return percent < 100 ? 'yellow.6' : 'red.6'
}
