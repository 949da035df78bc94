/** Opens a database, uses it once and closes it. */
import { openDatabase } from '../../../src/storage/database/open.ts'
import { tenant } from '../records.ts'

const [file = ''] = process.argv.slice(2)
const database = await openDatabase({ file })
await tenant(database.stores)
await database.close()
