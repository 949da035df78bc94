/** Last of all: what the services wrote while the suite ran. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { repository } from '../harness/service.ts'
import { keysMade, sharedServices } from '../harness/shared.ts'

export function logs(): void {
  test('holds no key, and no path of the machine', async () => {
    for (const service of await sharedServices()) {
      // The first lines of a first start are for whoever starts it, and tell the data directory and the key once.
      const log = service.lines.filter((line) => line.startsWith('{'))
      assert.ok(log.length > 100, `${log.length} log lines`)
      for (const secret of [...keysMade, service.key, repository, service.dataDir]) {
        const line = log.find((each) => each.includes(secret))
        assert.equal(line, undefined, `the log tells ${secret}`)
      }
    }
  })

  test('tells no fault of the service itself', async () => {
    for (const service of await sharedServices()) {
      const faults = service.lines.filter(
        (line) => line.startsWith('{') && /"level":(5\d|6\d|"error"|"fatal")/.test(line),
      )
      assert.deepEqual(faults.slice(0, 3), [])
    }
  })

  test('is one JSON value a line', async () => {
    for (const service of await sharedServices()) {
      for (const line of service.lines.filter((each) => each.startsWith('{')))
        assert.doesNotThrow(() => JSON.parse(line), line)
    }
  })
}
