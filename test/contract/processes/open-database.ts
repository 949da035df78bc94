/** Opens a database, uses it once and closes it. */
import { openDatabase } from '../../../src/storage/database/open.ts'
import { locationOf } from '../location.ts'
import { tenant } from '../records.ts'

const [location] = process.argv.slice(2)
const database = await openDatabase(locationOf(location))
await tenant(database.stores)
await database.close()
