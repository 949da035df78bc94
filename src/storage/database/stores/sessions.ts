import type { Kysely } from 'kysely'
import type { Session, SessionStore } from '../../../domain/accounts/session.ts'
import type { Schema, SessionRow } from '../schema.ts'
import { recordChange, recording } from '../sql/audit.ts'
import { inTransaction } from '../sql/in-transaction.ts'
import { prepared } from '../sql/prepared.ts'
import { accountColumns, toKeyAndAccount } from './keys.ts'

export function createSessionStore(db: Kysely<Schema>): SessionStore {
  const selectByHash = prepared(({ hash }: { hash: string }) =>
    db
      .selectFrom('sessions')
      .innerJoin('keys', 'keys.id', 'sessions.key_id')
      .innerJoin('accounts', 'accounts.id', 'keys.account_id')
      .selectAll('keys')
      .select([
        'sessions.key_id as session_key_id',
        'sessions.created_at as session_created_at',
        'sessions.last_used_at as session_last_used_at',
        'sessions.expires_at as session_expires_at',
      ])
      .select(accountColumns)
      .where('sessions.hash', '=', hash)
      .where('accounts.deleted_at', 'is', null),
  )

  return {
    async create(session, { ofKeyMax }) {
      await db.transaction().execute(async (trx) => {
        await trx.insertInto('sessions').values(toRow(session)).execute()
        await recordChange(trx, 'sessions', { hash: session.hash }, 'session.start')
        const newest = trx
          .selectFrom('sessions')
          .select('hash')
          .where('key_id', '=', session.keyId)
          .orderBy('created_at', 'desc')
          .orderBy('hash')
          .limit(ofKeyMax)
        await trx.deleteFrom('sessions').where('key_id', '=', session.keyId).where('hash', 'not in', newest).execute()
      })
    },

    async findByHash(hash) {
      const [row] = (await selectByHash(db, { hash })).rows
      if (row === undefined) return undefined
      const session: Session = {
        hash,
        keyId: row.session_key_id,
        createdAt: row.session_created_at,
        lastUsedAt: row.session_last_used_at,
        expiresAt: row.session_expires_at,
      }
      return { session, ...toKeyAndAccount(row) }
    },

    async update(hash, { lastUsedAt, expiresAt }) {
      await db
        .updateTable('sessions')
        .set({ last_used_at: lastUsedAt, expires_at: expiresAt })
        .where('hash', '=', hash)
        .execute()
    },

    async remove(hash) {
      await inTransaction(db, (trx) =>
        recording(trx, 'sessions', { hash }, 'session.end', async () => {
          const result = await trx.deleteFrom('sessions').where('hash', '=', hash).executeTakeFirst()
          return result.numDeletedRows > 0n
        }),
      )
    },
  }
}

function toRow({ hash, keyId, createdAt, lastUsedAt, expiresAt }: Session): SessionRow {
  return { hash, key_id: keyId, created_at: createdAt, last_used_at: lastUsedAt, expires_at: expiresAt }
}
