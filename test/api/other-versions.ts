/** Databases that another version of the service has made: refused by every command, with a message that names the fix. */
import assert from 'node:assert/strict'
import path from 'node:path'
import { test } from 'node:test'
import { sql } from 'kysely'
import { openDatabase } from '../../src/storage/database/open.ts'
import { area } from '../harness/area.ts'
import { tintype } from '../harness/cli.ts'
import { type NewPlace, newPlace } from '../harness/service.ts'

/** A database whose only migration has this name, and the tables of the first one, or of all. */
async function dataOfVersion(migration: string, tables?: 'of the first'): Promise<NewPlace> {
  const dataPlace = await newPlace()
  const { DATABASE_URL: url } = dataPlace.environment
  const place = url ? { url } : { file: path.join(dataPlace.dataDir, 'tintype.db') }
  const { kysely, close, migrateTo } = await openDatabase(place, { asItIs: true })
  await migrateTo(tables && '2026-12-09-init')
  await sql`delete from kysely_migration where name > (select min(name) from kysely_migration)`.execute(kysely)
  await sql`update kysely_migration set name = ${migration}`.execute(kysely)
  await close()
  return dataPlace
}

const commands = [['serve'], ['accounts', 'list'], ['workflows', 'export', 'wf_1'], ['export', '-'], ['import', '-']]

area('a database of another version', { isSlow: true, dependsOn: 'database and store' }, () => {
  for (const [version, migration, tables, message] of [
    [
      'from before the first release',
      '2026-12-08-counted-executions',
      'of the first',
      /before the first release .* last commit that reads it is [0-9a-f]{40}: .*"tintype export".*Set DATA\S+ to an empty .*"tintype import"/,
    ],
    [
      'from before its first migration was changed',
      '2026-11-30-init',
      undefined,
      /Export it with that commit\. .* last commit that reads it is [0-9a-f]{40}: .*"tintype export".*Set DATA\S+ to an empty .*"tintype import"/,
    ],
    [
      'with another first migration',
      '2026-12-09-init',
      undefined,
      /by another commit .*Export it there with "tintype export".*Set DATA\S+ to an empty .*"tintype import"/,
    ],
    [
      'of a newer release',
      '2099-01-01-later',
      undefined,
      /by a newer version .*Start that version or a later one, .*Set DATA\S+ to an /,
    ],
  ] as const) {
    test(`${version} is refused by every command with the migration and the fix, and stays as it is`, async (t) => {
      const dataPlace = await dataOfVersion(migration, tables)
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
