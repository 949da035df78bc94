/** Converts usage to response bodies. */
import { type QuotaUse, quotaRow, storageOf } from '../../../domain/accounts/quota.ts'
import { dollars } from '../../../domain/money.ts'
import type { Sums, UsageSummary } from '../../../services/accounts/usage.ts'

export function usageRecord({
  from,
  to,
  totals,
  months,
  days,
  workflows,
  keys,
  models,
  budget,
  quotas,
  executionsKeptDays,
  uploadsKeptDays,
  outputsKeptDays,
}: UsageSummary) {
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
    quotas: quotas.map(quotaRecord),
    storage: storageOf(quotas),
    retention: {
      executionsDays: executionsKeptDays,
      ...(uploadsKeptDays === undefined ? {} : { uploadsDays: uploadsKeptDays }),
      ...(outputsKeptDays === undefined ? {} : { outputsDays: outputsKeptDays }),
    },
  }
}

function quotaRecord({ quota, used, limit }: QuotaUse) {
  return { quota, title: quotaRow(quota).title, used, limit }
}

function sumsRecord<Row extends Sums>({ calls, failures, costMicros, unknownCosts, ...group }: Row) {
  return { ...group, calls, failures, costUsd: dollars(costMicros), unknownCosts }
}
