import type { Command } from 'commander'
import type { Schemas } from '../../client/src/index.ts'
import { counted } from '../../shared/text.ts'
import { month } from './options.ts'
import { print } from './print.ts'
import { type ActOnApi, onBoth, type TargetOptions } from './target.ts'

export function usageCommand(program: Command, act: ActOnApi): void {
  onBoth(program.command('usage').option('--month <month>', 'such as 2026-11 (default: the current month)', month))
    .description(
      'Show the daily usage of an account (UTC) and the cost of its model calls by model, workflow, key and day.',
    )
    .action(({ month: range, ...options }: TargetOptions & { month?: { from: string; to: string } }) =>
      act(options, async ({ client, request }) => {
        const usage = await client.usage.get(range ?? {}, request)
        return { answer: usage, view: textOf(usage) }
      }),
    )
}

const count = (number: number) => number.toLocaleString('en')

function textOf({
  from,
  to,
  totals,
  budget,
  quotas,
  retention,
  activity,
  models,
  workflows,
  keys,
  days,
}: Schemas['Usage']): string {
  const { calls, failures, costUsd, unknownCosts } = totals
  const bound = budget.monthUsd === null ? 'no budget' : `a budget of ${budget.monthUsd} USD`
  const head = [
    `${from} to ${to}${activity ? `: ${activityText(activity.totals)}` : ''}`,
    `AI models: ${costUsd} USD for ${counted(calls, 'call')}, and ${failures} that failed`,
    ...(unknownCosts > 0
      ? [
          `The cost of ${unknownCosts} ${unknownCosts === 1 ? 'call' : 'calls'} is unknown: the reserved amount is counted`,
        ]
      : []),
    `${budget.month}: ${budget.spentUsd} USD spent, ${budget.reservedUsd} USD reserved, ${bound}`,
    `Executions are stored for ${retention.executionsDays} days after their end`,
    ...(retention.uploadsDays === undefined ? [] : [`New uploads are stored for ${retention.uploadsDays} days`]),
    ...(retention.outputsDays === undefined ? [] : [`New outputs are stored for ${retention.outputsDays} days`]),
  ]
  const active = (activity?.days ?? []).filter(({ requests, executions }) => requests + executions > 0)
  const tables = [quotas.map(quotaRow), active.map(dayRow), models, workflows, keys, days]
    .filter((rows) => rows.length > 0)
    .map((rows) => print(rows, false))
  return [`${head.join('\n')}\n`, ...tables].join('\n')
}

function quotaRow({ quota, used, limit }: Schemas['Usage']['quotas'][number]) {
  return { quota, used: count(used), limit: limit === null ? 'none' : count(limit) }
}

function activityText({ requests, refused, executions, completed, failed }: Schemas['ActivityTotals']): string {
  return `${counted(requests, 'request')}, ${refused} of them refused; ${counted(executions, 'execution')}, ${completed} completed, ${failed} failed`
}

function dayRow({ day, failures, duration, ...counts }: Schemas['ActivityDay']) {
  return {
    day,
    ...counts,
    failures: failures.map(({ reason, count }) => `${reason} ${count}`),
    medianMs: duration?.median ?? null,
    p95Ms: duration?.p95 ?? null,
  }
}
