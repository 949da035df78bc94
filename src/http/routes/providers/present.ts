/** What is told about AI models: from micro-dollars to dollars, and nothing that is not documented. */
import type { Execution } from '../../../domain/execution.ts'
import type {
  Capability,
  CostRange,
  ModelCallRecord,
  ModelFacts,
  ModelTraits,
  ProviderFacts,
} from '../../../domain/model.ts'
import { dollars } from '../../../domain/money.ts'
import type { Sums, UsageSummary } from '../../../services/usage.ts'
import type { Validation } from '../../../services/workflows.ts'

export function executionCost({ cost }: Execution) {
  if (cost === undefined) return undefined
  const { costMicros, unknownCosts } = cost
  return { usd: dollars(costMicros), ...(unknownCosts === 0 ? {} : { unknown: unknownCosts }) }
}

export function modelCall({ model, outcome, costUsd, costSource, requestId }: ModelCallRecord) {
  return { model, outcome, costUsd, costSource, ...(requestId === undefined ? {} : { requestId }) }
}

export function validation({ steps, cost, ...facts }: Validation) {
  return {
    ...facts,
    steps: steps.map(({ cost, ...step }) => ({ ...step, ...(cost === undefined ? {} : { cost: costRange(cost) }) })),
    cost: costRange(cost),
  }
}

function costRange(range: CostRange | null) {
  return range && { minUsd: dollars(range.minMicros), maxUsd: dollars(range.maxMicros) }
}

export function providerRecord({ id, title, summary, docsUrl, ...facts }: ProviderFacts & { missing: string[] }) {
  const { isConfigured, lacks, missing, models } = facts
  return {
    id,
    title,
    summary,
    docsUrl: docsUrl ?? null,
    configured: isConfigured,
    missing,
    problem: isConfigured ? null : (lacks ?? null),
    capabilities: [...new Set(models.flatMap(({ can }) => Object.keys(can)))],
    models: models.map((model) => modelRecord(id, model)),
  }
}

function modelRecord(provider: string, { name, can, price, defaultFor, lacks }: ModelFacts) {
  return {
    model: `${provider}/${name}`,
    can: Object.fromEntries(
      (Object.entries(can) as [Capability, ModelTraits][]).map(([capability, traits]) => [
        capability,
        { ...traits, price: price?.[capability] ?? null },
      ]),
    ),
    defaultFor,
    problem: lacks ?? null,
  }
}

export function usageRecord({ from, to, totals, months, days, workflows, keys, models, budget }: UsageSummary) {
  return {
    from,
    to,
    totals: sumsRecord(totals),
    months: months.map(sumsRecord),
    days: days.map(sumsRecord),
    workflows: workflows.map(sumsRecord),
    keys: keys.map(sumsRecord),
    models: models.map(sumsRecord),
    budget: {
      month: budget.month,
      monthUsd: budget.monthMicros === null ? null : dollars(budget.monthMicros),
      spentUsd: dollars(budget.spentMicros),
      reservedUsd: dollars(budget.reservedMicros),
    },
  }
}

function sumsRecord<Of extends Sums>({ calls, failures, costMicros, unknownCosts, ...whose }: Of) {
  return { ...whose, calls, failures, costUsd: dollars(costMicros), unknownCosts }
}
