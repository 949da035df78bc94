/** Operations declare everything that they read in addition to inputs and params. Otherwise the cache would return wrong results. */
import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { catalogue } from './index.ts'

const folder = import.meta.dirname
const source = join(folder, '..')

test('an operation that reads fonts of the account, a source or a model declares it, and no other does', () => {
  let seen = 0
  for (const { id, group, reads, params } of catalogue.values()) {
    const reached = reachedFrom(join(folder, group, `${id}.ts`))
    const source = readFileSync(join(folder, group, `${id}.ts`), 'utf8')
    const models = [...reached].some((file) => file.endsWith('models/runner.ts'))
    assert.equal(reads?.models !== undefined, models, `${id}: models`)
    assert.equal(reads?.sources !== undefined, source.includes('context.open('), `${id}: sources`)
    const reaches = (end: string) => [...reached].some((file) => file.endsWith(end))
    const fonts =
      reaches('html/render-html.ts') ||
      (reaches('vector/fonts.ts') && /^\s+(\.\.\.textParams|font|params: textParams)\b/m.test(source))
    assert.equal(reads?.fonts ?? false, fonts, `${id}: fonts`)
    for (const name of reads?.sources ?? []) assert.ok(name in params.properties, `${id}: ${name}`)
    if (reads) seen += 1
  }
  assert.ok(seen >= 10, `saw ${seen}`)
})

test('no other file of operations or imaging reads sources or fonts of the account', () => {
  const readers = ['operations', 'imaging']
    .flatMap((room) =>
      readdirSync(join(source, room), { recursive: true, encoding: 'utf8' }).map((file) => join(room, file)),
    )
    .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
    .filter((file) => /context\.open\(|context\.fonts/.test(readFileSync(join(source, file), 'utf8')))
  const files = ['html/render-html.ts', 'vector/char-styles.ts', 'vector/fonts.ts'].map((file) => join('imaging', file))
  assert.deepEqual(readers.sort(), [
    ...files,
    join('operations', 'colour/lut.ts'),
    join('operations', 'source/image.ts'),
  ])
})

/** The files that a file imports, and those that they import, types left out. */
function reachedFrom(file: string, reached = new Set<string>()): Set<string> {
  if (reached.has(file)) return reached
  reached.add(file)
  const text = readFileSync(file, 'utf8')
  for (const [, path = ''] of text.matchAll(/(?:^import (?!type )[^;]*?from |import\()'(\.[^']+)'/gms))
    reachedFrom(join(file, '..', path), reached)
  return reached
}
