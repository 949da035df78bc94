import { type Kysely, sql } from 'kysely'
import type { Brand, BrandStore } from '../../../domain/accounts/brand.ts'
import type { Dialect } from '../dialect.ts'
import type { Schema } from '../schema.ts'
import type { BrandRow } from '../schema-brands.ts'
import { factsOf, recordChange } from '../sql/audit.ts'
import { documentSearch, searchResult } from '../sql/document-search.ts'
import { inTransaction } from '../sql/in-transaction.ts'
import { prepared } from '../sql/prepared.ts'

export function createBrandStore(db: Kysely<Schema>, dialect: Dialect): BrandStore {
  const select = prepared(({ accountId, ownerId }: { accountId: string; ownerId: string }) =>
    db
      .selectFrom('brands')
      .selectAll()
      .where('account_id', '=', accountId)
      .where((eb) => eb.or([eb('owner_id', '=', accountId), eb('owner_id', '=', ownerId)])),
  )

  async function findBoth(accountId: string, projectId: string | null) {
    const { rows } = await select(db, { accountId, ownerId: projectId ?? accountId })
    const of = (owner: string | null) => rows.find(({ owner_id }) => owner_id === owner)
    const [account, project] = [of(accountId), of(projectId)]
    return { account: account && toBrand(account), project: project && toBrand(project) }
  }

  async function write(
    trx: Kysely<Schema>,
    { accountId, projectId, values, updatedAt }: Parameters<BrandStore['save']>[0],
    ifRevision: number | undefined,
  ): Promise<number | undefined> {
    const content = { content: JSON.stringify(values), updated_at: updatedAt }
    const owner = { owner_id: projectId ?? accountId, account_id: accountId }
    if (ifRevision === undefined || ifRevision === 0) {
      const insert = trx
        .insertInto('brands')
        .values({ ...owner, ...content, revision: 1 })
        .onConflict((conflict) => {
          const onOwner = conflict.column('owner_id')
          if (ifRevision === 0) return onOwner.doNothing()
          return onOwner.doUpdateSet({ ...content, revision: sql`brands.revision + 1` })
        })
        .returning('revision')
      return (await insert.executeTakeFirst())?.revision
    }
    const update = trx
      .updateTable('brands')
      .set((eb) => ({ ...content, revision: eb('revision', '+', 1) }))
      .where('owner_id', '=', owner.owner_id)
      .where('account_id', '=', accountId)
      .where('revision', '=', ifRevision)
      .returning('revision')
    return (await update.executeTakeFirst())?.revision
  }

  return {
    async find(accountId, projectId) {
      const { account, project } = await findBoth(accountId, projectId)
      return projectId === null ? account : project
    },

    findBoth: ({ accountId, projectId = null }) => findBoth(accountId, projectId),

    async containing(accountId, ownerIds, text) {
      if (ownerIds.length === 0) return searchResult([])
      const rows = await db
        .selectFrom('brands')
        .select(['owner_id as id', ...documentSearch(dialect, 'content', text)])
        .where('owner_id', 'in', ownerIds)
        .where('account_id', '=', accountId)
        .execute()
      return searchResult(rows)
    },

    save: (brand, ifRevision) =>
      inTransaction(db, async (trx) => {
        const key = { owner_id: brand.projectId ?? brand.accountId }
        const before = await factsOf(trx, 'brands', key)
        const revision = await write(trx, brand, ifRevision)
        if (revision !== undefined) await recordChange(trx, 'brands', key, 'brand.save', before)
        return revision
      }),
  }
}

function toBrand({ owner_id, account_id, content, revision, updated_at }: BrandRow): Brand {
  return {
    accountId: account_id,
    projectId: owner_id === account_id ? null : owner_id,
    values: JSON.parse(content) as Brand['values'],
    revision,
    updatedAt: updated_at,
  }
}
