/** Databases that another version of the service has made: refused by every command, with a message that names the fix. */
import assert from 'node:assert/strict'
import path from 'node:path'
import { test } from 'node:test'
import { sql } from 'kysely'
import { openDatabase } from '../../src/storage/database/open.ts'
import { area } from '../harness/area.ts'
import { tintype } from '../harness/cli.ts'
import { type NewPlace, newPlace } from '../harness/service.ts'

/** A database whose only migration has this name. */
async function dataOfVersion(migration: string): Promise<NewPlace> {
  const dataPlace = await newPlace()
  const { DATABASE_URL: url } = dataPlace.environment
  const { kysely, close } = await openDatabase(url ? { url } : { file: path.join(dataPlace.dataDir, 'tintype.db') })
  await sql`delete from kysely_migration where name > (select min(name) from kysely_migration)`.execute(kysely)
  await sql`update kysely_migration set name = ${migration}`.execute(kysely)
  await close()
  return dataPlace
}

const commands = [['serve'], ['accounts', 'list'], ['workflows', 'export', 'wf_1'], ['export', '-'], ['import', '-']]

area('a database of another version', { isSlow: true, dependsOn: 'database and store' }, () => {
  for (const [version, migration, message] of [
    [
      'from before the first release',
      '2026-12-08-counted-executions',
      /before the first release .* last commit that reads it is [0-9a-f]{40}: .*"tintype export".*Set DATA\S+ to an empty .*"tintype import"/,
    ],
    [
      'with another first migration',
      '2026-11-30-init',
      /only that commit reads it\. Export it there with "tintype export".*Set DATA\S+ to an empty .*"tintype import" of commit [0-9a-f]{40}/,
    ],
    [
      'of a newer release',
      '2099-01-01-later',
      /by a newer version .*Start that version or a later one, .*Set DATA\S+ to an /,
    ],
  ] as const) {
    test(`${version} is refused by every command with the migration and the fix, and stays as it is`, async (t) => {
      const dataPlace = await dataOfVersion(migration)
      t.after(() => dataPlace.remove())
      for (const args of [...commands, ...(dataPlace.environment.DATABASE_URL ? [['worker']] : []), ['serve']]) {
        const { code, stdout, stderr } = await tintype(dataPlace, ...args)
        assert.deepEqual([code, stdout], [2, ''], `${args.join(' ')}: ${stderr}`)
        assert.match(stderr, message)
        assert.ok(stderr.includes(`migration ${migration}`), stderr)
        assert.doesNotMatch(stderr, /\n {4}at |postgres:\/\//)
      }
    })
  }
})
