/** The final check: the logs of all services. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createdKeys } from '../harness/created-keys.ts'
import { repository } from '../harness/process.ts'
import { everyService } from '../harness/service.ts'

/** The first lines of a first start are for the operator, and contain the data directory and the key once. */
const logOf = (service: { lines: string[] }): string[] => service.lines.filter((line) => line.startsWith('{'))

export function logs(): void {
  test('exists for every started service', () => {
    assert.ok(everyService.length >= 5, `${everyService.length} services`)
    for (const service of everyService) assert.ok(logOf(service).length > 0)
    const lines = everyService.reduce((sum, service) => sum + logOf(service).length, 0)
    assert.ok(lines > 2000, `${lines} lines`)
  })

  test('contains no key and no path of the machine', () => {
    for (const service of everyService) {
      for (const secret of [...createdKeys, service.key, repository, service.dataDir].filter((each) => each !== '')) {
        const line = logOf(service).find((each) => each.includes(secret))
        assert.equal(line, undefined, `the log tells ${secret}`)
      }
    }
  })

  test('contains no internal error', () => {
    for (const service of everyService) {
      const faults = logOf(service).filter((line) => /"level":(5\d|6\d|"error"|"fatal")/.test(line))
      assert.deepEqual(faults.slice(0, 3), [])
    }
  })

  test('has one JSON value per line', () => {
    for (const service of everyService) {
      for (const line of logOf(service)) assert.doesNotThrow(() => JSON.parse(line), line)
    }
  })
}
