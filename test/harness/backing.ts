/**
 * The database and the blob store of the services of this run. By default: SQLite and files in the data directory, one
 * service. `npm run test:matrix` runs the same suite with others, which it names in the environment:
 *
 * - TINTYPE_TEST_POSTGRES: the URL of a superuser; every service gets a separate database.
 * - TINTYPE_TEST_S3: a STORAGE_URL with a bucket; every service gets a separate prefix.
 * - TINTYPE_TEST_BACKING: `sqlite+s3`, `postgres+files` or `postgres+s3`, with PostgreSQL also `+many` for two APIs and two workers.
 */
import { randomUUID } from 'node:crypto'
import path from 'node:path'

const ofThisRun = process.env.TINTYPE_TEST_BACKING ?? ''

/** The black-box suite runs on another backing than the default one. */
export const isMatrix = ofThisRun !== ''

/** Two APIs and two workers instead of one process. */
export const isMany = ofThisRun.split('+').includes('many')

/** The choices of a backing that can change the results of an area. */
export type DependsOn = 'everything' | 'database and store' | 'nothing'

/**
 * Whether the backing of this run can give an area other results than the rest of the matrix and `npm test`. One that depends on the
 * database and the store runs on each pair of them: the matrix has PostgreSQL with files in one service and in many.
 */
export function canDiffer(dependsOn: DependsOn): boolean {
  if (!isMatrix || dependsOn === 'everything') return true
  return dependsOn === 'database and store' && (!isMany || ofThisRun.split('+').includes('s3'))
}

/** Settings of a new service, and a function that drops its database. */
export async function newBacking(
  dataDir: string,
  backing = ofThisRun,
): Promise<{ environment: Record<string, string>; drop(): Promise<void> }> {
  const words = backing.split('+')
  const environment: Record<string, string> = {}
  let drop = async () => {}
  if (words.includes('postgres')) {
    const name = `tintype_${randomUUID().replaceAll('-', '')}`
    await onServer(`create database ${name}`)
    const url = new URL(required('TINTYPE_TEST_POSTGRES'))
    url.pathname = `/${name}`
    environment.DATABASE_URL = url.href
    // Four services share one database server of the tests.
    environment.DATABASE_CONNECTIONS_MAX = '5'
    drop = () => onServer(`drop database ${name} with (force)`)
  }
  if (words.includes('s3')) {
    const url = new URL(required('TINTYPE_TEST_S3'))
    url.pathname = `/${randomUUID()}`
    environment.STORAGE_URL = url.href
    for (const name of ['AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY']) environment[name] = required(name)
  } else if (isMany) environment.STORAGE_URL = `file://${path.join(dataDir, 'blobs')}`
  return { environment, drop }
}

async function onServer(statement: string): Promise<void> {
  const { Client } = await import('pg')
  const client = new Client({ connectionString: required('TINTYPE_TEST_POSTGRES') })
  await client.connect()
  try {
    await client.query(statement)
  } finally {
    await client.end()
  }
}

function required(name: string): string {
  const value = process.env[name]
  if (value === undefined || value === '') throw new Error(`${name} must be set: see test/harness/backing.ts`)
  return value
}
