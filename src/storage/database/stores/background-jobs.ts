import type { Kysely } from 'kysely'
import type { BackgroundJobStore } from '../../../domain/background-job.ts'
import type { Schema } from '../schema.ts'

export function createBackgroundJobStore(db: Kysely<Schema>): BackgroundJobStore {
  return {
    async start(name, now, everyMs) {
      const result = await db
        .insertInto('background_jobs')
        .values({ name, started_at: now })
        .onConflict((conflict) =>
          conflict
            .column('name')
            .doUpdateSet({ started_at: now })
            // A start in the future is from before the clock was set back: without it, the job would wait until then.
            .where((eb) =>
              eb.or([
                eb('background_jobs.started_at', '<=', now - everyMs),
                eb('background_jobs.started_at', '>', now + everyMs),
              ]),
            ),
        )
        .executeTakeFirst()
      return result.numInsertedOrUpdatedRows === 1n
    },

    async recordsSince() {
      const oldest = await db
        .selectFrom('accounts')
        .select('created_at')
        .orderBy('created_at')
        .limit(1)
        .executeTakeFirst()
      return oldest?.created_at
    },
  }
}
