/** The charts, in a separate chunk: the chart library is larger than the rest of the page. */
import '@mantine/charts/styles.css'
import { BarChart, LineChart } from '@mantine/charts'
import { Card, SimpleGrid, Text, Title } from '@mantine/core'
import type { ReactNode } from 'react'
import type { Usage } from '../../api/types.ts'
import { dollars, duration } from '../../ui/format.ts'
import { dayText, everyDay } from './days.ts'

const height = 220
const formatCount = (value: number) => value.toLocaleString('en')

export function Charts({ usage, activity }: { usage: Usage; activity: NonNullable<Usage['activity']> }) {
  const days = activity.days.map(({ day, duration: times, requests, refused, completed, failed }) => ({
    day: dayText(day),
    Accepted: requests - refused,
    Rejected: refused,
    Completed: completed,
    Failed: failed,
    Median: times?.median ?? null,
    '95th percentile': times?.p95 ?? null,
  }))
  const costs = everyDay(usage.days, usage).map(({ day, costUsd }) => ({ day: dayText(day), Cost: costUsd }))
  /** The series of a chart are keys of the days. */
  const series = (...all: { name: Exclude<keyof (typeof days)[number], 'day'>; color: string }[]) => all
  const common = { h: height, dataKey: 'day', withLegend: true, gridAxis: 'x' as const, tickLine: 'none' as const }
  const counts = {
    ...common,
    data: days,
    type: 'stacked' as const,
    valueFormatter: formatCount,
    yAxisProps: { allowDecimals: false },
  }
  return (
    <SimpleGrid cols={{ base: 1, lg: 2 }} spacing="md">
      <Chart title="Executions" isEmpty={activity.totals.executions === 0}>
        <BarChart
          {...counts}
          series={series({ name: 'Completed', color: 'teal.6' }, { name: 'Failed', color: 'red.6' })}
        />
      </Chart>
      <Chart title="Requests" isEmpty={activity.totals.requests === 0}>
        <BarChart
          {...counts}
          series={series({ name: 'Accepted', color: 'gray.5' }, { name: 'Rejected', color: 'red.6' })}
        />
      </Chart>
      <Chart title="Execution time" isEmpty={activity.totals.duration === null}>
        <LineChart
          {...common}
          data={days}
          connectNulls={false}
          curveType="linear"
          valueFormatter={duration}
          yAxisProps={{ width: 70 }}
          series={series({ name: 'Median', color: 'copper.5' }, { name: '95th percentile', color: 'gray.6' })}
        />
      </Chart>
      <Chart title="Cost of AI models" isEmpty={usage.totals.calls === 0}>
        <BarChart
          {...common}
          withLegend={false}
          data={costs}
          valueFormatter={dollars}
          series={[{ name: 'Cost', color: 'copper.6' }]}
        />
      </Chart>
    </SimpleGrid>
  )
}

function Chart({ title, isEmpty, children }: { title: string; isEmpty: boolean; children: ReactNode }) {
  return (
    <Card withBorder padding="md" component="section" aria-label={title}>
      <Title order={2} size="sm" mb="md">
        {title}
      </Title>
      {isEmpty ? (
        <Text c="dimmed" size="sm" h={height} style={{ display: 'grid', placeItems: 'center' }}>
          No data in this period.
        </Text>
      ) : (
        children
      )}
    </Card>
  )
}
