import { invalidRequest } from '../errors.ts'
import type { CliRecords } from './cli-services.ts'

/** The account of `--account`, or the only account. */
export async function accountIdOf({ accounts }: Pick<CliRecords, 'accounts'>, account?: string): Promise<string> {
  if (account !== undefined) return (await accounts.find(account)).id
  const all = await accounts.list()
  const [first] = all
  if (first === undefined)
    throw invalidRequest([
      { path: '--account', message: 'is required, but no account exists. Create one with "tintype accounts create".' },
    ])
  if (all.length > 1)
    throw invalidRequest([
      {
        path: '--account',
        message: 'is required, because there are several accounts. List them with "tintype accounts list".',
      },
    ])
  return first.id
}
