import { SegmentedControl, SimpleGrid, Skeleton, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router'
import { lazy, Suspense } from 'react'
import type { Usage } from '../../api/types.ts'
import { usageQuery } from '../../api/usage.ts'
import { useWorkflowNames } from '../../api/workflow-names.ts'
import { ErrorText } from '../../ui/error-text.tsx'
import { byteSize, counted, dollars, duration } from '../../ui/format.ts'
import { Page } from '../../ui/page.tsx'
import { daysOf, isRange, ranges } from './days.ts'
import { Figure } from './figure.tsx'
import { type Ranked, Ranking } from './ranking.tsx'

const Charts = lazy(() => import('./charts.tsx').then(({ Charts }) => ({ default: Charts })))
const route = getRouteApi('/shell/usage')

const figureColumns = { base: 2, md: 5 }

/** The activity and the cost of the account over a range of days. */
export function UsagePage() {
  const { days = '30' } = route.useSearch()
  const navigate = useNavigate()
  const { from, to } = daysOf(days, new Date())
  const { data: usage, error } = useQuery(usageQuery(from, to))
  return (
    <Page
      title="Usage"
      docs="accounts-and-plans"
      actions={
        <SegmentedControl
          aria-label="Range"
          data={ranges.map(({ id, label }) => ({ value: id, label }))}
          value={days}
          onChange={(value) =>
            void navigate({ to: '/usage', search: isRange(value) ? { days: value } : {}, replace: true })
          }
        />
      }
    >
      <ErrorText error={error} mb="md" />
      {usage === undefined ? <Skeletons /> : <Numbers usage={usage} />}
      <Text size="xs" c="dimmed" mt="lg">
        Days are in UTC. Requests appear after a few seconds. An execution counts on the day on which it ended.
      </Text>
    </Page>
  )
}

function Numbers({ usage }: { usage: Usage }) {
  const nameOf = useWorkflowNames(usage.workflows.map(({ workflowId }) => workflowId))
  const { activity, totals, budget, storage } = usage
  const failures = (activity?.totals.failures ?? []).map(
    ({ reason, count }): Ranked => ({
      id: reason,
      label: reason.replaceAll('_', ' '),
      amount: count,
      text: String(count),
    }),
  )
  const models = usage.models.map(
    ({ model, costUsd, calls }): Ranked => ({
      id: model,
      label: model,
      amount: costUsd,
      text: `${dollars(costUsd)} · ${counted(calls, 'call')}`,
    }),
  )
  const workflows = usage.workflows.map(
    ({ workflowId, costUsd }): Ranked => ({
      id: workflowId,
      label: (
        <Link to="/workflows/$workflowId" params={{ workflowId }}>
          {nameOf.get(workflowId) ?? workflowId}
        </Link>
      ),
      amount: costUsd,
      text: dollars(costUsd),
    }),
  )
  const ended = activity?.totals
  return (
    <Stack gap="md">
      <SimpleGrid cols={figureColumns} spacing="md">
        <Figure
          label="Executions"
          value={(ended?.executions ?? 0).toLocaleString('en')}
          note={ended && ended.failed > 0 ? `${ended.failed.toLocaleString('en')} failed` : 'None failed'}
        />
        <Figure
          label="Requests"
          value={(ended?.requests ?? 0).toLocaleString('en')}
          note={`${(ended?.refused ?? 0).toLocaleString('en')} rejected`}
        />
        <Figure
          label="Median time"
          value={ended?.duration ? duration(ended.duration.median) : '–'}
          note={ended?.duration ? `95th percentile ${duration(ended.duration.p95)}` : ''}
        />
        <Figure
          label="AI models"
          value={dollars(totals.costUsd)}
          note={
            budget.monthUsd === null
              ? counted(totals.calls, 'call')
              : `${dollars(budget.spentUsd)} of ${dollars(budget.monthUsd)} this month`
          }
        />
        <Figure
          label="Storage"
          value={byteSize(storage.bytes)}
          note={storage.maxBytes === null ? 'No maximum' : `of ${byteSize(storage.maxBytes)}`}
        />
      </SimpleGrid>
      {activity && (
        <Suspense fallback={<Skeleton h={280} />}>
          <Charts usage={usage} activity={activity} />
        </Suspense>
      )}
      <SimpleGrid cols={{ base: 1, md: 3 }} spacing="md">
        <Ranking title="Failures by reason" rows={failures} nothing="None." />
        <Ranking title="Cost by model" rows={models} nothing="No model calls in this period." />
        <Ranking title="Cost by workflow" rows={workflows} nothing="No model calls in this period." />
      </SimpleGrid>
    </Stack>
  )
}

function Skeletons() {
  return (
    <SimpleGrid cols={figureColumns} spacing="md">
      {['executions', 'requests', 'time', 'cost', 'storage'].map((key) => (
        <Skeleton key={key} h={104} />
      ))}
    </SimpleGrid>
  )
}
