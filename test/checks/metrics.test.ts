/** The definitions of metrics, and the files of `deploy/` that use them. */
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { parse } from 'yaml'
import { type MetricDefinition, metricDefinitions, processLabel } from '../../src/telemetry/definitions.ts'
import { withoutPromtool } from '../telemetry/scrape.ts'

const deploy = fileURLToPath(new URL('../../deploy', import.meta.url))
const read = (path: string) => readFileSync(join(deploy, path), 'utf8')

interface Panel {
  title: string
  type: string
  targets?: { expr: string; legendFormat: string }[]
}

const board = JSON.parse(read('grafana/tintype.json')) as { panels: Panel[] }
const rules = (parse(read('prometheus/alerts.yaml')).groups as { rules: { alert: string; expr: string }[] }[]).flatMap(
  (group) => group.rules,
)
const scaledObject = parse(read('helm/example-keda.yaml'))
const boardQueries = board.panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr))
const ruleQueries = rules.map(({ expr }) => expr)
const queries = [...boardQueries, ...ruleQueries, scaledObject.spec.triggers[0].metadata.query as string]

/** Labels that Prometheus adds. */
const labelsOfTargets = ['instance', 'job', 'le', ...Object.keys(processLabel)]

/** The definition behind a name in a query, and the labels that it can have. */
function definitionOf(name: string): MetricDefinition | undefined {
  const all: Record<string, MetricDefinition> = metricDefinitions
  const histogram = name.replace(/_(bucket|sum|count)$/, '')
  return all[name] ?? (all[histogram]?.type === 'histogram' ? all[histogram] : undefined)
}

test('each metric and label in the board, the alerts and the scaler exists', () => {
  assert.ok(boardQueries.length > 30 && ruleQueries.length > 10)
  for (const query of queries) {
    const names = [...query.matchAll(/\b(?:tintype|process)_\w+/g)].map(([name]) => name)
    if (!query.startsWith('up{')) assert.ok(names.length > 0, query)
    const known = names.map((name) => [name, definitionOf(name)] as const)
    for (const [name, definition] of known) assert.ok(definition, `${name} in ${query}`)
    const labels = new Set([...labelsOfTargets, ...known.flatMap(([, found]) => Object.keys(found?.labels ?? {}))])
    const used = [
      ...[...query.matchAll(/\bby \(([^)]*)\)/g)].flatMap(([, list = '']) => list.split(/, ?/)),
      ...[...query.matchAll(/(\w+)(?:=~|!~|!=|=)"/g)].map(([, label = '']) => label),
    ]
    for (const label of used) assert.ok(labels.has(label), `${label} in ${query}`)
  }
})

test('the board shows each metric', () => {
  const shown = (name: string) =>
    boardQueries.some((query) => new RegExp(`\\b${name}(_bucket|_sum|_count)?\\b`).test(query))
  assert.deepEqual(
    Object.keys(metricDefinitions).filter((name) => !shown(name)),
    [],
  )
})

test('Prometheus accepts each query of the board', { skip: withoutPromtool }, () => {
  const group = boardQueries.map((expr, i) => ({
    record: `board:${i}`,
    expr: expr.replaceAll('$__rate_interval', '1m').replaceAll('$job', '.+'),
  }))
  const file = join(mkdtempSync(join(tmpdir(), 'tintype-board-')), 'rules.json')
  writeFileSync(file, JSON.stringify({ groups: [{ name: 'board', rules: group }] }))
  const printed = execFileSync('promtool', ['check', 'rules', file], { encoding: 'utf8' })
  assert.match(printed, new RegExp(`${group.length} rules found`))
})

test('each alert fires with its problem, and not without it', { skip: withoutPromtool }, () => {
  execFileSync('promtool', ['check', 'rules', 'alerts.yaml'], { cwd: join(deploy, 'prometheus') })
  execFileSync('promtool', ['check', 'config', 'prometheus.yml'], { cwd: join(deploy, 'prometheus') })
  execFileSync('promtool', ['test', 'rules', 'alerts.test.yaml'], { cwd: join(deploy, 'prometheus') })
})

test('the tests of the alerts have each alert, once fired and once silent', () => {
  interface Case {
    alert_rule_test: { alertname: string; exp_alerts?: object[] }[]
  }
  const { tests } = parse(read('prometheus/alerts.test.yaml')) as { tests: Case[] }
  const cases = tests.flatMap((each) => each.alert_rule_test)
  for (const isFired of [true, false]) {
    const tested = cases.filter(({ exp_alerts: fired = [] }) => fired.length > 0 === isFired)
    assert.deepEqual(tested.map(({ alertname }) => alertname).sort(), rules.map(({ alert }) => alert).sort())
  }
})
