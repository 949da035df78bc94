import type { Command } from 'commander'
import { counted } from '../../shared/text.ts'
import { type QuotaUse, storageOf } from '../domain/accounts/quota.ts'
import { dollars } from '../domain/money.ts'
import type { ActivitySummary, ActivitySums } from '../services/accounts/activity.ts'
import type { Sums, UsageSummary } from '../services/accounts/usage.ts'
import { accountIdOf } from './account-option.ts'
import type { Act, CliRecords } from './cli-services.ts'
import { month } from './options.ts'
import { print } from './print.ts'

export function usageCommand(program: Command, act: Act<CliRecords>): void {
  program
    .command('usage')
    .description(
      'Show the daily usage of an account (UTC) and the cost of its model calls by model, workflow, key and day.',
    )
    .option('--account <id>', 'account; required if there are several')
    .option('--month <month>', 'such as 2026-11 (default: the current month)', month)
    .option('--json', 'print one JSON value')
    .action(({ account, month: range, json }: { account?: string; month?: MonthRange; json?: boolean }) =>
      act(
        async ({ accounts, usage, activity, ...rest }) => {
          const id = await accountIdOf({ accounts, ...rest }, account)
          const summary = await usage.of(await accounts.find(id), range ?? {})
          const did = await activity.of(id, summary)
          return json === true ? { ...inDollars(id, summary), activity: did } : text(id, summary, did)
        },
        { json: json === true },
      ),
    )
}

interface MonthRange {
  from: string
  to: string
}

/** The same fields as `GET /usage` has. */
function inDollars(
  accountId: string,
  { from, to, totals, budget, quotas, executionsKeptDays, uploadsKeptDays, outputsKeptDays, ...lists }: UsageSummary,
) {
  const { month, monthMicros, spentMicros, reservedMicros } = budget
  return {
    accountId,
    from,
    to,
    totals: sums(totals),
    ...Object.fromEntries(Object.entries(lists).map(([name, rows]) => [name, rows.map(sums)])),
    budget: {
      month,
      monthUsd: monthMicros === null ? null : dollars(monthMicros),
      spentUsd: dollars(spentMicros),
      reservedUsd: dollars(reservedMicros),
    },
    quotas,
    storage: storageOf(quotas),
    // JSON omits undefined values.
    retention: { executionsDays: executionsKeptDays, uploadsDays: uploadsKeptDays, outputsDays: outputsKeptDays },
  }
}

function quotaRowOf({ quota, used, limit }: QuotaUse) {
  return { quota, used: count(used), limit: limit === null ? 'none' : count(limit) }
}

const count = (number: number) => number.toLocaleString('en')

function text(
  accountId: string,
  { from, to, totals, budget, quotas, executionsKeptDays, uploadsKeptDays, outputsKeptDays, ...lists }: UsageSummary,
  did: ActivitySummary,
): string {
  const { calls, failures, costMicros, unknownCosts } = totals
  const bound = budget.monthMicros === null ? 'no budget' : `a budget of ${usd(budget.monthMicros)}`
  const head = [
    `${accountId}, ${from} to ${to}: ${didText(did.totals)}`,
    `AI models: ${usd(costMicros)} for ${counted(calls, 'call')}, and ${failures} that failed`,
    ...(unknownCosts > 0
      ? [
          `The cost of ${unknownCosts} ${unknownCosts === 1 ? 'call' : 'calls'} is unknown: the reserved amount is counted`,
        ]
      : []),
    `${budget.month}: ${usd(budget.spentMicros)} spent, ${usd(budget.reservedMicros)} reserved, ${bound}`,
    `Executions are stored for ${executionsKeptDays} days after their end`,
    ...(uploadsKeptDays === undefined ? [] : [`New uploads are stored for ${uploadsKeptDays} days`]),
    ...(outputsKeptDays === undefined ? [] : [`New outputs are stored for ${outputsKeptDays} days`]),
  ]
  const { models, workflows, keys, days } = lists
  const active = did.days.filter(({ requests, executions }) => requests + executions > 0)
  const tables = [
    quotas.map(quotaRowOf),
    active.map(dayRow),
    ...[models, workflows, keys, days].map((rows) => rows.map(sums)),
  ]
    .filter((rows) => rows.length > 0)
    .map((rows) => print(rows, false))
  return [`${head.join('\n')}\n`, ...tables].join('\n')
}

function sums<Row extends Sums>({ calls, failures, costMicros, unknownCosts, ...group }: Row) {
  return { ...group, calls, failures, costUsd: dollars(costMicros), unknownCosts }
}

function didText({ requests, refused, executions, completed, failed }: ActivitySums): string {
  return `${counted(requests, 'request')}, ${refused} of them refused; ${counted(executions, 'execution')}, ${completed} completed, ${failed} failed`
}

function dayRow({ day, failures, duration, ...counts }: ActivitySummary['days'][number]) {
  return {
    day,
    ...counts,
    failures: failures.map(({ reason, count }) => `${reason} ${count}`),
    medianMs: duration?.median ?? null,
    p95Ms: duration?.p95 ?? null,
  }
}

function usd(micros: number): string {
  return `${dollars(micros)} USD`
}
