/** The documents that the console offers for a new workflow. */
import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import { createChecker } from '../../src/engine/check/check.ts'
import { catalogue } from '../../src/operations/index.ts'

const folder = new URL('../../console/src/features/gallery/templates/', import.meta.url)
const files = readdirSync(folder).filter((name) => name.endsWith('.json'))
const check = createChecker(catalogue)

test('every template of the console can be published unchanged', () => {
  assert.ok(files.length >= 6, `found ${files.length}`)
  for (const file of files) {
    const { workflow, issues } = check(JSON.parse(readFileSync(new URL(file, folder), 'utf8')))
    assert.equal(issues, undefined, `${file}: ${JSON.stringify(issues)}`)
    assert.ok(workflow, file)
  }
})
