import { Card, SegmentedControl, SimpleGrid, Skeleton, Stack, Text, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router'
import { type ReactNode, Suspense } from 'react'
import type { Usage } from '../../api/types.ts'
import { usageQuery } from '../../api/usage.ts'
import { useWorkflowNames } from '../../api/workflow-names.ts'
import { ErrorText } from '../../ui/error-text.tsx'
import { byteSize, counted, dollars, duration } from '../../ui/format.ts'
import { lazyPart } from '../../ui/lazy-part.ts'
import { Page } from '../../ui/page.tsx'
import { daysOf, isRange, ranges } from './days.ts'
import { Quotas } from './quotas.tsx'
import classes from './ranking.module.css'

const Charts = lazyPart(() => import('./charts.tsx'), 'Charts')
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
      <Quotas quotas={usage.quotas} />
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

/** A number with a label and a note. */
function Figure({ label, value, note }: { label: string; value: ReactNode; note?: ReactNode }) {
  return (
    <Card withBorder padding="md">
      <Text size="sm" c="dimmed">
        {label}
      </Text>
      <Text fz={28} fw={620} lh={1.25} style={{ fontVariantNumeric: 'tabular-nums' }}>
        {value}
      </Text>
      <Text size="xs" c="dimmed" mih={18}>
        {note}
      </Text>
    </Card>
  )
}

interface Ranked {
  id: string
  label: ReactNode
  amount: number
  text: string
}

/** A list sorted by amount, with bars relative to the largest. */
function Ranking({ title, rows, nothing }: { title: string; rows: readonly Ranked[]; nothing: string }) {
  const largest = Math.max(...rows.map(({ amount }) => amount), Number.MIN_VALUE)
  return (
    <Card withBorder padding="md" component="section" aria-label={title}>
      <Title order={2} size="sm" mb="sm">
        {title}
      </Title>
      {rows.length === 0 ? (
        <Text size="sm" c="dimmed">
          {nothing}
        </Text>
      ) : (
        <Stack component="ol" gap={8} className={classes.list ?? ''}>
          {rows.map(({ id, label, amount, text }) => (
            <li key={id} className={classes.row}>
              <span className={classes.bar} style={{ width: `${(amount / largest) * 100}%` }} />
              <Text size="sm" truncate>
                {label}
              </Text>
              <Text size="sm" className={classes.amount ?? ''}>
                {text}
              </Text>
            </li>
          ))}
        </Stack>
      )}
    </Card>
  )
}
