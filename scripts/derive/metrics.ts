import { type MetricDefinition, metricDefinitions, processLabel } from '../../src/telemetry/definitions.ts'
import { code, pageHead, table } from './markdown.ts'

export function metricsPage(): string {
  const rows = Object.entries<MetricDefinition>(metricDefinitions).map(([name, { type, labels = {}, help }]) => [
    code(name),
    type,
    help,
    Object.entries(labels)
      .map(([label, values]) => `${code(label)}: ${values}`)
      .join('. '),
  ])
  return [
    pageHead('Metrics', 'src/telemetry/definitions.ts'),
    `A service and a worker with \`METRICS_PORT\` have these metrics: see [Monitoring](guide/monitoring.md#metrics). Each one has the label ${code('process')}: ${processLabel.process}.\n`,
    table(['Metric', 'Type', 'Description', 'Labels'], rows),
    'No label depends on accounts, workflows or requests, so their number does not change the number of series.\n',
  ].join('\n')
}
