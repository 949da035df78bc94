import type { Command } from 'commander'
import { dollars } from '../domain/money.ts'
import type { Sums, UsageSummary } from '../services/usage.ts'
import { accountIdOf } from './account-option.ts'
import type { Act, CliRecords } from './cli-services.ts'
import { month } from './options.ts'
import { print } from './print.ts'

export function usageCommand(program: Command, act: Act<CliRecords>): void {
  program
    .command('usage')
    .description('what calls of AI models cost an account, by model, workflow, key and day (UTC)')
    .option('--account <id>', 'the account; needed where there are several')
    .option('--month <month>', 'as in 2026-11; default: this one', month)
    .option('--json', 'print one JSON value')
    .action(({ account, month: range, json }: { account?: string; month?: MonthRange; json?: boolean }) =>
      act(
        async ({ accounts, usage, ...rest }) => {
          const id = await accountIdOf({ accounts, ...rest }, account)
          const summary = await usage.of(await accounts.find(id), range ?? {})
          return json === true ? inDollars(id, summary) : text(id, summary)
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
function inDollars(accountId: string, { from, to, totals, budget, ...lists }: UsageSummary) {
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
  }
}

function text(accountId: string, { from, to, totals, budget, ...lists }: UsageSummary): string {
  const { calls, failures, costMicros, unknownCosts } = totals
  const bound = budget.monthMicros === null ? 'no budget' : `a budget of ${usd(budget.monthMicros)}`
  const head = [
    `${accountId}, ${from} to ${to}: ${usd(costMicros)} for ${calls} calls, and ${failures} that failed`,
    ...(unknownCosts > 0
      ? [`of ${unknownCosts} calls nobody knows what they cost: what was set aside is counted`]
      : []),
    `${budget.month}: ${usd(budget.spentMicros)} spent, ${usd(budget.reservedMicros)} set aside, ${bound}`,
  ]
  const { models, workflows, keys, days } = lists
  const tables = [models, workflows, keys, days]
    .filter((rows) => rows.length > 0)
    .map((rows) => print(rows.map(sums), false))
  return [`${head.join('\n')}\n`, ...tables].join('\n')
}

function sums<Of extends Sums>({ calls, failures, costMicros, unknownCosts, ...whose }: Of) {
  return { ...whose, calls, failures, costUsd: dollars(costMicros), unknownCosts }
}

function usd(micros: number): string {
  return `${dollars(micros)} USD`
}
