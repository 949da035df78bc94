import type { Kysely } from 'kysely'
import type { AddressStore } from '../../domain/address.ts'
import type { Schema } from './schema.ts'

const name = 'public'

export function createAddressStore(db: Kysely<Schema>): AddressStore {
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
