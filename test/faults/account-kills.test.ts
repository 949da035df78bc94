/** The removal of an account is killed before and after each of its writes. Nothing of it is visible, each blob is named or noted, and the next run finishes. */
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { sql } from 'kysely'
import { openDatabase } from '../../src/storage/database/open.ts'
import { createRemoval } from '../../src/storage/database/retention/removal.ts'
import { fillAccount, rowsOf } from '../contract/account-removal.ts'
import { key } from '../contract/records.ts'
import { countedTotals, storedTotals } from '../contract/totals.ts'
import { killAtWrites } from '../harness/killed-writes.ts'

const now = 1_795_000_000_000
const program = fileURLToPath(new URL('processes/dying-remover.ts', import.meta.url))

test('killed before and after each of its writes, the removal of an account shows nothing of it, and the next run finishes', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'tintype-accounts-'))
  t.after(() => rmSync(folder, { recursive: true }))
  const filled = join(folder, 'filled.db')
  const database = await openDatabase({ file: filled })
  const [gone, other] = [await fillAccount(database), await fillAccount(database)]
  const apiKey = key({ accountId: gone.accountId })
  await database.stores.keys.create(apiKey)
  await database.stores.accounts.markDeleted(gone.accountId, now)
  const before = await rowsOf(database.kysely, other)
  await database.close()

  async function check(file: string, { isWhole }: { isWhole: boolean }): Promise<void> {
    const { stores, kysely, dialect, close } = await openDatabase({ file })
    try {
      if (!isWhole) {
        // A blob is named by a record, or noted.
        const named = await sql<{ blob: string }>`
          select id || '.webp' as blob from previews union all select id || '.png' from derived_files
          union all select id || '.png' from images union all select id || '.png' from binned_images
          union all select id || '.ttf' from fonts
          union all select blob_key from step_results union all select blob_key from step_checkpoints
          union all select response ->> '$.blobKeys[0]' from provider_calls`.execute(kysely)
        const noted = (await stores.blobRemovals.list(1_000)).map((note) => note.key)
        const all = [...named.rows.map(({ blob }) => blob), ...noted].sort()
        assert.deepEqual(all, [...gone.blobs, ...other.blobs].sort())
        assert.equal(await stores.keys.findByHash(apiKey.hash), undefined)
        assert.equal(await stores.images.findPublic(`images_${gone.accountId}_0`), undefined)
        const clock = { now: () => now }
        assert.equal((await createRemoval({ db: kysely, dialect, clock }).removeAccount(gone.accountId)).isGone, true)
      }
      assert.deepEqual(await rowsOf(kysely, gone), {})
      assert.deepEqual(await rowsOf(kysely, other), before)
      assert.deepEqual((await stores.blobRemovals.list(1_000)).map((note) => note.key).sort(), gone.blobs)
      assert.deepEqual(await storedTotals(kysely), await countedTotals(kysely))
    } finally {
      await close()
    }
  }

  const args = [`${now}`, 'account', gone.accountId]
  await killAtWrites({ program, file: filled, args, every: 5, writesMin: 46, check })
})
