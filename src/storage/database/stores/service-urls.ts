import type { Kysely } from 'kysely'
import type { ServiceUrlStore } from '../../../domain/service-url.ts'
import type { Schema } from '../schema.ts'

const name = 'public'

export function createServiceUrlStore(db: Kysely<Schema>): ServiceUrlStore {
  return {
    async find() {
      const row = await db.selectFrom('service_urls').select('url').where('name', '=', name).executeTakeFirst()
      return row?.url
    },
    async keep(url) {
      await db
        .insertInto('service_urls')
        .values({ name, url })
        .onConflict((conflict) => conflict.column('name').doUpdateSet({ url }))
        .execute()
    },
  }
}
