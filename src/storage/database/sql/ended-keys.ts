import { sql } from 'kysely'

export type KeyTable = 'keys' | 'signing_keys'

/**
 * When a key was or will be revoked or expires, whichever is earlier, or a time that never comes. It is the expression of two indexes: a condition reads
 * only the keys that match.
 */
export const endsAt = sql<number>`coalesce(case when expires_at < revoked_at then expires_at else revoked_at end, expires_at, 9007199254740991)`
