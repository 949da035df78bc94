/** Empty SQLite databases. Tests of the file itself, of its syncs and of other processes make their own. */
import { accessSync, constants, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Database, type OpenOptions, openDatabase } from '../../src/storage/database/open.ts'

export interface NewSqlite extends Database {
  file: string
  /** The folder of the file, for other files of the test. */
  dir: string
}

let template: Promise<Buffer> | undefined

/** A copy of one migrated file, or an empty file with `asItIs`. Closed and removed after the test. */
export async function newSqlite(
  t: { after(work: () => Promise<void>): void },
  options: OpenOptions = {},
): Promise<NewSqlite> {
  const dir = newFolder()
  const file = join(dir, 'tintype.db')
  if (!options.asItIs) {
    template ??= migrated()
    writeFileSync(file, await template)
  }
  const database = await openDatabase({ file }, options)
  t.after(async () => {
    await database.close()
    rmSync(dir, { recursive: true })
  })
  return { ...database, file, dir }
}

async function migrated(): Promise<Buffer> {
  const dir = newFolder()
  const file = join(dir, 'tintype.db')
  try {
    await (await openDatabase({ file })).close()
    return readFileSync(file)
  } finally {
    rmSync(dir, { recursive: true })
  }
}

/** A folder in memory if the machine has it, because most of the time of these tests would be syncs of the disk. */
function newFolder(): string {
  const memory = '/dev/shm'
  try {
    accessSync(memory, constants.W_OK)
    return mkdtempSync(join(memory, 'tintype-'))
  } catch {
    return mkdtempSync(join(tmpdir(), 'tintype-'))
  }
}
