import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { readStamp, stampOf as stampOfWorkspace, writeStamp } from '../scripts/build-stamp.ts'

const stampOf = (root: string) => stampOfWorkspace(root, 'console', ['shared', 'docs/page.md'])

function folder(t: TestContext, files: Record<string, string>) {
  const root = mkdtempSync(join(tmpdir(), 'tintype-'))
  t.after(() => rmSync(root, { recursive: true }))
  const write = (name: string, text: string) => {
    mkdirSync(dirname(join(root, name)), { recursive: true })
    writeFileSync(join(root, name), text)
  }
  for (const [name, text] of Object.entries(files)) write(name, text)
  return { root, write }
}

const sources = {
  'package-lock.json': '{}',
  'console/package.json': '{}',
  'console/src/main.tsx': 'x',
  'shared/lists.ts': 'x',
  'docs/page.md': 'x',
}

test('the same sources have the same stamp, regardless of their times', async (t) => {
  const [one, two] = [folder(t, sources), folder(t, sources)]
  utimesSync(join(two.root, 'console/src/main.tsx'), 1, 1)
  assert.match((await stampOf(one.root)) ?? '', /^[0-9a-f]{64}$/)
  assert.equal(await stampOf(one.root), await stampOf(two.root))
})

const changes: [what: string, name: string, text: string][] = [
  ['a source that differs', 'console/src/main.tsx', 'y'],
  ['a shared rule that differs', 'shared/lists.ts', 'y'],
  ['a file outside of the workspace that differs', 'docs/page.md', 'y'],
  ['a new source', 'console/src/deep/er/new.ts', ''],
  ['other packages', 'package-lock.json', '{ }'],
  ['text that moves from one file to the next', 'console/src/main.ts', 'xx'],
]
for (const [label, name, text] of changes) {
  test(`${label} changes the stamp`, async (t) => {
    const { root, write } = folder(t, sources)
    const before = await stampOf(root)
    write(name, text)
    assert.notEqual(await stampOf(root), before)
  })
}

test('types, built files and installed packages do not change the stamp', async (t) => {
  const { root, write } = folder(t, sources)
  const before = await stampOf(root)
  for (const name of [
    'src/api/schema.d.ts',
    'dist/index.html',
    'dist.next/index.html',
    'dist.lock',
    'node_modules/x/index.js',
  ])
    write(`console/${name}`, 'x')
  assert.equal(await stampOf(root), before)
})

test('an installation without sources has no stamp', async (t) => {
  const { root } = folder(t, { 'package-lock.json': '{}', 'console/dist/index.html': 'x' })
  assert.equal(await stampOf(root), undefined)
  assert.equal(await stampOf(folder(t, { 'package-lock.json': '{}' }).root), undefined)
})

test('a stamp is read as it was written, and a missing one is unknown', async (t) => {
  const { root } = folder(t, {})
  assert.equal(await readStamp(root), undefined)
  await writeStamp(root, 'abc')
  assert.equal(await readStamp(root), 'abc')
})
