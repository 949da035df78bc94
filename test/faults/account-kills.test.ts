/** The removal of an account is killed before and after each of its writes. Nothing of it is visible, each blob is named or noted, and the next run finishes. */
import assert from 'node:assert/strict'
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { copyFileSync, mkdtempSync, rmSync } from 'node:fs'
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
import { isExhaustive } from '../harness/repetitions.ts'

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

  async function run(file: string, nth: number, when: string): Promise<{ signal: string | null; writes: number }> {
    const child = fork(program, [file, `${nth}`, when, `${now}`, gone.accountId])
    let writes = 0
    child.on('message', (message: { writes: number }) => {
      writes = message.writes
    })
    const [, signal] = await once(child, 'exit')
    return { signal, writes }
  }

  async function check(file: string, { finishes }: { finishes: boolean }): Promise<void> {
    const { stores, kysely, dialect, close } = await openDatabase({ file })
    try {
      if (finishes) {
        // A blob is named by a record, or noted.
        const named = await sql<{ blob: string }>`
          select id || '.webp' as blob from previews union all select id || '.png' from derived_files
          union all select id || '.png' from images union all select id || '.ttf' from fonts
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

  const whole = join(folder, 'whole.db')
  copyFileSync(filled, whole)
  const { writes } = await run(whole, 0, 'never')
  await check(whole, { finishes: false })
  assert.ok(writes > 45, `${writes} writes`)

  // By default at every fifth write; with TEST_FULL=1 at each.
  const numbers = Array.from({ length: writes }, (_, i) => i + 1).filter((nth) => isExhaustive || nth % 5 === 2)
  const points = numbers.flatMap((nth) => [{ nth, when: 'before' }, ...(isExhaustive ? [{ nth, when: 'after' }] : [])])
  await Promise.all(
    [0, 1].map(async () => {
      for (let point = points.shift(); point !== undefined; point = points.shift()) {
        const file = join(folder, `${point.nth}-${point.when}.db`)
        copyFileSync(filled, file)
        assert.equal((await run(file, point.nth, point.when)).signal, 'SIGKILL', JSON.stringify(point))
        await check(file, { finishes: true })
        rmSync(file)
      }
    }),
  )
})
