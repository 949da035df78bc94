/** The committed reference is what `npm run derive` writes: a page that was forgotten, or changed by hand, shows here. */
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, posix } from 'node:path'
import { after, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { parse } from 'yaml'
import { derivedFolders } from '../scripts/derive/files.ts'
import { createChecker } from '../src/engine/check/check.ts'
import { catalogue } from '../src/operations/index.ts'
import { providersById } from '../src/providers/index.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const scratch = mkdtempSync(join(tmpdir(), 'tintype-derived-'))
after(() => rmSync(scratch, { recursive: true, force: true }))

/** Somewhere else, with other settings, time zone and language: none of it may show. */
const elsewhere = {
  PORT: '9',
  DATA_DIR: scratch,
  PUBLIC_URL: 'http://elsewhere.example',
  TZ: 'Asia/Tokyo',
  LANG: 'de_DE',
}
execFileSync(process.execPath, [join(root, 'scripts/derive.ts'), '--to', scratch], { cwd: tmpdir(), env: elsewhere })
const derived = filesIn(scratch)
/** Derived or written. */
const pages = [
  ...readdirSync(root).filter((name) => name.endsWith('.md')),
  ...filesIn(join(root, 'docs'))
    .filter((path) => path.endsWith('.md'))
    .map((path) => `docs/${path}`),
]

test('there is a page for every operation, and the pages of errors, settings, limits and permissions', () => {
  assert.ok(derived.length >= 23, `found ${derived.length}`)
  for (const id of catalogue.keys()) assert.ok(derived.includes(`docs/operations/${id}.md`), id)
})

test('every model of every provider stands on the page of models', () => {
  const page = read(scratch, 'docs/models.md') ?? ''
  let seen = 0
  for (const { id, models } of providersById.values()) {
    if (typeof models === 'function') {
      assert.ok(page.includes(`\`${id}/...\``), id)
      continue
    }
    for (const { name, can } of models) {
      const row = page.split('\n').filter((line) => line.includes(`\`${id}/${name}\``))
      for (const capability of Object.keys(can))
        assert.ok(row.join().includes(`\`${capability}\``), `${name} ${capability}`)
      seen += 1
    }
  }
  assert.ok(seen > 80, `saw ${seen}`)
})

test('npm run derive changes nothing: the committed reference says what the code says', () => {
  const differing = derived.filter((path) => read(root, path) !== read(scratch, path))
  assert.deepEqual(differing, [], 'Run npm run derive, look at what changed, and commit it.')
})

test('no page is left over from something that is gone', () => {
  const present = derivedFolders.flatMap((folder) => filesIn(join(root, folder)).map((path) => `${folder}/${path}`))
  assert.ok(present.length >= 17, `found ${present.length}`)
  assert.deepEqual(
    present.filter((path) => !derived.includes(path)),
    [],
  )
})

test('a page that is left over goes away when the reference is derived again', () => {
  const stray = join(scratch, derivedFolders[0] ?? '', 'gone.md')
  writeFileSync(stray, '# Gone\n')
  execFileSync(process.execPath, [join(root, 'scripts/derive.ts'), '--to', scratch], { env: elsewhere })
  assert.deepEqual(filesIn(scratch), derived)
})

test('nothing of the machine that derived it is in the reference', () => {
  for (const path of derived) {
    const text = read(scratch, path) ?? ''
    for (const own of [root, scratch, 'elsewhere.example']) {
      assert.ok(!text.includes(own), `${path} has ${own}`)
    }
  }
})

test('every workflow that the documentation shows whole can be saved', () => {
  const check = createChecker(catalogue)
  let seen = 0
  for (const path of pages) {
    for (const [, text = ''] of (read(root, path) ?? '').matchAll(/```yaml\n(name:[\s\S]*?)```/g)) {
      const { issues } = check(parse(text))
      assert.equal(issues, undefined, `${path}: ${JSON.stringify(issues)}`)
      seen += 1
    }
  }
  assert.ok(seen >= catalogue.size, `saw ${seen}`)
})

test('no link of the documentation leads to a file that is not there', () => {
  let seen = 0
  const broken: string[] = []
  for (const path of pages) {
    const text = (read(root, path) ?? '').replaceAll(/```[\s\S]*?```/g, '')
    for (const [, target = ''] of text.matchAll(/\]\(([^)\s]+)\)|^\[[^\]]+\]: (\S+)$/gm)) {
      if (/^(https?:|#|$)/.test(target)) continue
      seen += 1
      const file = posix.join(posix.dirname(path), target.replace(/#.*$/, ''))
      if (!existsSync(join(root, file))) broken.push(`${path}: ${target}`)
    }
  }
  assert.ok(seen > 150, `saw ${seen}`)
  assert.deepEqual(broken, [])
})

test('every dependency has a line in docs/decisions/dependencies.md, with its licence', () => {
  const [own = '', ofConsole = ''] = (read(root, 'docs/decisions/dependencies.md') ?? '').split('## Of the console')
  assertTold(own, root)
  assertTold(ofConsole, join(root, 'console'))
})

/** `folder`: of a package.json. What it depends on is installed there, or above. */
function assertTold(text: string, folder: string): void {
  const { dependencies, devDependencies } = JSON.parse(read(folder, 'package.json') ?? '')
  const names = Object.keys({ ...dependencies, ...devDependencies })
  const rows = text.matchAll(/^\| `([^`]+)` *\| ([^|]+?) *\|/gm)
  const told = new Map(Array.from(rows, ([, name = '', licence = '']) => [name, licence]))
  assert.ok(names.length > 25, `found ${names.length}`)
  assert.deepEqual([...told.keys()].sort(), names.sort())
  for (const [name, licence] of told) {
    const installed = `node_modules/${name}/package.json`
    assert.equal(licence, JSON.parse(read(folder, installed) ?? read(root, installed) ?? '').license, name)
  }
}

function filesIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) =>
      join(entry.parentPath, entry.name)
        .slice(folder.length + 1)
        .replaceAll('\\', '/'),
    )
    .sort()
}

function read(folder: string, path: string): string | undefined {
  try {
    return readFileSync(join(folder, path), 'utf8')
  } catch {
    return undefined
  }
}
