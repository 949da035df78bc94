import type { DatabaseLocation } from '../../src/storage/database/open.ts'

/** Of a child's argument: the URL of a PostgreSQL database, or a file of SQLite. */
export function locationOf(text = ''): DatabaseLocation {
  return text.startsWith('postgres') ? { url: text, connectionsMax: 3 } : { file: text }
}
