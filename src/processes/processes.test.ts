import assert from 'node:assert/strict'
import { readdirSync } from 'node:fs'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { nameOf } from './processes.ts'

test('the program of each pool has its name in metrics, from the sources and from the bundle', () => {
  const src = fileURLToPath(new URL('..', import.meta.url))
  const programs = readdirSync(src, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('-child.ts'))
  assert.ok(programs.length >= 6, programs.join())
  const named = new Set<string>()
  for (const path of programs) {
    const name = nameOf({ program: new URL(`file:///src/${path}`) })
    assert.notEqual(name, 'other', path)
    assert.equal(nameOf({ program: new URL(`file:///dist/${path.replaceAll('/', '-').replace(/ts$/, 'js')}`) }), name)
    named.add(name)
  }
  assert.equal(named.size, programs.length)
  assert.equal(nameOf({ program: new URL('file:///src/processes/unknown.ts') }), 'other')
})
