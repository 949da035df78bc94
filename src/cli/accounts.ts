import type { Command } from 'commander'
import type { Account } from '../domain/accounts/account.ts'
import { type PlanName, planNames, requestsPerMinute } from '../domain/accounts/plan.ts'
import { timestamp } from '../domain/clock.ts'
import { dollars } from '../domain/money.ts'
import type { Act, CliRecords, CliServices } from './cli-services.ts'
import { budget, nameOption, planName, rateLimit, storageBytes } from './options.ts'

/** `actOnNew` creates the records if there are none. `actOnAll` also opens the storage. */
export function accountCommands(
  program: Command,
  { act, actOnNew, actOnAll }: { act: Act<CliRecords>; actOnNew: Act<CliRecords>; actOnAll: Act<CliServices> },
): void {
  const accounts = program.command('accounts').description('Manage accounts and their plans.')
  accounts
    .command('create')
    .description('Create an account.')
    .requiredOption('--name <name>', 'name of the account', nameOption)
    .requiredOption('--plan <plan>', planNames.join(', '), planName)
    .option('--rate-limit <n>', 'requests per minute; enterprise only', rateLimit)
    .option('--json', 'print one JSON value')
    .action(
      ({ name, plan, rateLimit: limit, json }: { name: string; plan: PlanName; rateLimit?: number; json?: boolean }) =>
        actOnNew(async (app) => show(await app.accounts.create({ name, plan, ...rateLimitOf(limit) })), {
          json: json === true,
        }),
    )
  accounts
    .command('list')
    .description('List accounts, oldest first.')
    .option('--json', 'print one JSON value')
    .action(({ json }: { json?: boolean }) =>
      act(async (app) => (await app.accounts.list()).map(show), { json: json === true }),
    )
  accounts
    .command('set-plan <id> <plan>')
    .description('Change the plan of an account immediately.')
    .option('--rate-limit <n>', 'requests per minute; enterprise only', rateLimit)
    .option('--json', 'print one JSON value')
    .action((id: string, plan: string, { rateLimit: limit, json }: { rateLimit?: number; json?: boolean }) =>
      act(async (app) => show(await app.accounts.setPlan(id, planName(plan), limit)), { json: json === true }),
    )
  accounts
    .command('budget')
    .description('Set the monthly budget of an account for AI models (UTC months).')
    .argument('<account>')
    .argument('<usd>', 'US dollars, none, or default: ACCOUNT_BUDGET_USD_PER_MONTH', budget)
    .option('--json', 'print one JSON value')
    .action((id: string, usd: ReturnType<typeof budget>, { json }: { json?: boolean }) =>
      act(async (app) => show(await app.accounts.setBudget(id, usd)), { json: json === true }),
    )
  accounts
    .command('storage')
    .description('Set the maximum bytes that an account can store.')
    .argument('<account>')
    .argument('<bytes>', 'bytes, none, or default: ACCOUNT_STORAGE_MAX_BYTES, or the number of the plan', storageBytes)
    .option('--json', 'print one JSON value')
    .action((id: string, bytes: ReturnType<typeof storageBytes>, { json }: { json?: boolean }) =>
      act(async (app) => show(await app.accounts.setStorage(id, bytes)), { json: json === true }),
    )
  accounts
    .command('suspend <id>')
    .description('Refuse the keys of an account, and stop its executions until it is resumed.')
    .option('--json', 'print one JSON value')
    .action((id: string, { json }: { json?: boolean }) =>
      act(async (app) => show(await app.accounts.suspend(id)), { json: json === true }),
    )
  accounts
    .command('resume <id>')
    .description('Accept the keys of a suspended account again. Its batches and stopped executions can be resumed.')
    .option('--json', 'print one JSON value')
    .action((id: string, { json }: { json?: boolean }) =>
      act(async (app) => show(await app.accounts.resume(id)), { json: json === true }),
    )
  accounts
    .command('delete <id>')
    .description('Delete an account with all its records and files, and print what was removed. It cannot be undone.')
    .option('--json', 'print one JSON value')
    .action((id: string, { json }: { json?: boolean }) =>
      actOnAll((app) => app.accountRemoval.remove(id), { json: json === true }),
    )
}

function rateLimitOf(limit: number | undefined): { rateLimit?: number } {
  return limit === undefined ? {} : { rateLimit: limit }
}

function show(account: Account) {
  const { id, name, plan, createdAt, monthlyBudget = 'default', storageBytesMax = 'default', suspendedAt } = account
  return {
    id,
    name,
    plan,
    requestsPerMinute: requestsPerMinute(account),
    budgetUsdPerMonth: typeof monthlyBudget === 'number' ? dollars(monthlyBudget) : monthlyBudget,
    storageMaxBytes: storageBytesMax,
    createdAt: timestamp(createdAt),
    suspendedAt: suspendedAt === undefined ? null : timestamp(suspendedAt),
  }
}
