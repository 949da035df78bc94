import type { DatabaseLocation } from '../../src/storage/database/open.ts'

/** The database of a child process: the URL of a PostgreSQL database, or an SQLite file. */
export function locationOf(text = ''): DatabaseLocation {
  return text.startsWith('postgres') ? { url: text, connectionsMax: 3 } : { file: text }
}
