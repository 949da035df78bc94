/** Tries for the serve lock, says how it went, and lives on without a thought for it. */
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { takeServeLock } from '../../../src/storage/database/serve-lock.ts'

const [file = ''] = process.argv.slice(2)
const answer = takeServeLock(file) === undefined ? 'refused' : 'held'
setFlagsFromString('--expose-gc')
const collect: () => void = runInNewContext('gc')
for (let i = 0; i < 3; i++) {
  await new Promise((settle) => setImmediate(settle))
  collect()
}
process.stdout.write(`${answer}\n`)
setInterval(() => {}, 1_000)
