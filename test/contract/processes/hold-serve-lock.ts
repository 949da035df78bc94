/** Tries to take the serve lock, prints the result, and keeps running. */
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { takeServeLock } from '../../../src/storage/database/serve-lock.ts'

const [file = ''] = process.argv.slice(2)
const response = takeServeLock(file) === undefined ? 'refused' : 'held'
setFlagsFromString('--expose-gc')
const collect: () => void = runInNewContext('gc')
for (let i = 0; i < 3; i++) {
  await new Promise((resolve) => setImmediate(resolve))
  collect()
}
process.stdout.write(`${response}\n`)
setInterval(() => {}, 1_000)
