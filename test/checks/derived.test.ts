/** The committed reference equals the output of `npm run derive`, and the documentation is complete and has no broken links. */
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, posix } from 'node:path'
import { after, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { parse } from 'yaml'
import { derivedFolders } from '../../scripts/derive/files.ts'
import { createChecker } from '../../src/engine/check/check.ts'
import type { UsedWorkflow } from '../../src/engine/check/checked-workflow.ts'
import { catalogue } from '../../src/operations/index.ts'
import { providersById } from '../../src/providers/index.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const scratch = mkdtempSync(join(tmpdir(), 'tintype-derived-'))
after(() => rmSync(scratch, { recursive: true, force: true }))

/** Another folder, other settings, another time zone and language: the output must not depend on them. */
const elsewhere = {
  PORT: '9',
  DATA_DIR: scratch,
  PUBLIC_URL: 'http://elsewhere.example',
  TZ: 'Asia/Tokyo',
  LANG: 'de_DE',
}
const stray = join(scratch, derivedFolders[0] ?? '', 'gone.md')
mkdirSync(dirname(stray), { recursive: true })
writeFileSync(stray, '# Gone\n')
execFileSync(process.execPath, [join(root, 'scripts/derive.ts'), '--to', scratch], { cwd: tmpdir(), env: elsewhere })
const derived = filesIn(scratch)
/** All pages, derived and written. */
const pages = [
  ...readdirSync(root).filter((name) => name.endsWith('.md')),
  ...filesIn(join(root, 'docs'))
    .filter((path) => path.endsWith('.md'))
    .map((path) => `docs/${path}`),
]

test('every operation has a page, and errors, settings, limits and permissions have theirs', () => {
  assert.ok(derived.length >= 23, `found ${derived.length}`)
  for (const id of catalogue.keys()) assert.ok(derived.includes(`docs/operations/${id}.md`), id)
})

test('the page of models has every model of every provider with its capabilities', () => {
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

test('npm run derive changes nothing: the committed reference is up to date', () => {
  const differing = derived.filter((path) => read(root, path) !== read(scratch, path))
  assert.deepEqual(differing, [], 'Run npm run derive, review the changes, and commit them.')
})

test('derived folders have no outdated pages', () => {
  const present = derivedFolders.flatMap((folder) => filesIn(join(root, folder)).map((path) => `${folder}/${path}`))
  assert.ok(present.length >= 17, `found ${present.length}`)
  assert.deepEqual(
    present.filter((path) => !derived.includes(path)),
    [],
  )
})

test('npm run derive deletes outdated pages', () => {
  assert.ok(!existsSync(stray))
})

test('the reference does not contain paths or settings of the machine that derived it', () => {
  for (const path of derived) {
    const text = read(scratch, path) ?? ''
    for (const host of [root, scratch, 'elsewhere.example']) {
      assert.ok(!text.includes(host), `${path} has ${host}`)
    }
  }
})

test('every complete workflow in the documentation is valid', () => {
  const check = createChecker(catalogue)
  let seen = 0
  for (const path of pages) {
    /** The workflows above on the page that have a slug: `./<slug>.yaml` is the file of one. */
    const usable = new Map<string, UsedWorkflow>()
    for (const [, text = ''] of (read(root, path) ?? '').matchAll(/```yaml\n(name:[\s\S]*?)```/g)) {
      const { slug, ...document } = parse(text.replaceAll(/workflow: \.\/([a-z-]+)\.yaml/g, 'workflow: $1@1'))
      const { workflow, issues } = check(document, usable)
      assert.equal(issues, undefined, `${path}: ${JSON.stringify(issues)}`)
      const name = `${slug}@1`
      if (workflow && slug !== undefined) usable.set(name, { name, id: slug, version: 1, workflow })
      seen += 1
    }
  }
  assert.ok(seen >= catalogue.size, `saw ${seen}`)
})

test('the documentation has no link to a missing file', () => {
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

test('test/README.md names every file and folder of test/, and no other', () => {
  const present = readdirSync(join(root, 'test'), { withFileTypes: true })
    .filter(({ name }) => name !== 'README.md')
    .map((entry) => (entry.isDirectory() ? `${entry.name}/` : entry.name))
  assert.ok(present.length > 15, `found ${present.length}`)
  const rows = (read(root, 'test/README.md') ?? '').matchAll(/^\| `([^`]+)` *\|/gm)
  assert.deepEqual([...rows].map(([, name]) => name).sort(), present.sort())
})

test('each decision has its own number, and the list of decisions has all of them with their titles', () => {
  const folder = join(root, 'docs/decisions')
  const names = readdirSync(folder).filter((name) => /^\d{4}-.*\.md$/.test(name))
  assert.ok(names.length > 30, `found ${names.length}`)
  const numbers = names.map((name) => name.slice(0, 4))
  assert.deepEqual(new Set(numbers).size, numbers.length, 'two decisions have the same number')
  const expected = names.sort().map((name) => {
    const [heading = ''] = (read(folder, name) ?? '').split('\n')
    const number = name.slice(0, 4)
    assert.ok(heading.startsWith(`# ${number}: `), `${name}: the first line must start with "# ${number}: "`)
    return `[${number}](${name}): ${heading.slice(`# ${number}: `.length)}`
  })
  const rows = (read(folder, 'README.md') ?? '').matchAll(/^\| (\[\d{4}\]\(\S+\)) *\| (.*?) *\|$/gm)
  assert.deepEqual(
    [...rows].map(([, link, title]) => `${link}: ${title}`),
    expected,
  )
})

test('the README counts the operations, providers and examples that exist', () => {
  const readme = read(root, 'README.md') ?? ''
  const examples = filesIn(join(root, 'examples/workflows')).length
  for (const [noun, count] of Object.entries({
    operations: catalogue.size,
    providers: providersById.size,
    example: examples,
  })) {
    const found = Array.from(readme.matchAll(new RegExp(`(\\d+) (?:AI )?${noun}\\b`, 'g')), ([, digits]) =>
      Number(digits),
    )
    assert.deepEqual([...new Set(found)], [count], noun)
  }
})

test('the index of the documentation has a link to every page of the guide', () => {
  const index = read(root, 'docs/README.md') ?? ''
  const guide = pages.filter((path) => path.startsWith('docs/guide/'))
  assert.ok(guide.length > 30, `found ${guide.length}`)
  assert.deepEqual(
    guide.filter((path) => !index.includes(`(${path.replace('docs/', '')})`)),
    [],
  )
  assert.match(read(root, 'README.md') ?? '', /\(docs\/README\.md\)/)
})

test('the README and the guide have no link to a missing heading', () => {
  const anchors = new Map(pages.map((path) => [path, anchorsOf(read(root, path) ?? '')]))
  const broken: string[] = []
  let seen = 0
  for (const path of pages.filter((each) => each === 'README.md' || each.startsWith('docs/guide/'))) {
    const text = (read(root, path) ?? '').replaceAll(/```[\s\S]*?```/g, '')
    for (const [, target = '', anchor = ''] of text.matchAll(/\]\(([^)\s#]*)#([^)\s]+)\)/g)) {
      if (/^https?:/.test(target)) continue
      seen += 1
      const page = target === '' ? path : posix.join(posix.dirname(path), target)
      if (!anchors.get(page)?.has(anchor)) broken.push(`${path}: ${target}#${anchor}`)
    }
  }
  assert.ok(seen > 50, `saw ${seen}`)
  assert.deepEqual(broken, [])
})

test('docs/decisions/dependencies.md has a row for every dependency, with its licence', () => {
  const text = read(root, 'docs/decisions/dependencies.md') ?? ''
  const [service = '', console = '', site = ''] = text.split(/^## The (?:console|documentation site)$/m)
  assertListed(service, root, 50)
  assertListed(console, join(root, 'console'), 25)
  assertListed(site, join(root, 'site'), 4)
})

/** `folder` has a package.json. Its dependencies are installed there or in the root. */
function assertListed(text: string, folder: string, atLeast: number): void {
  const { dependencies, devDependencies } = JSON.parse(read(folder, 'package.json') ?? '')
  const names = Object.keys({ ...dependencies, ...devDependencies })
  const rows = text.matchAll(/^\| `([^`]+)` *\| ([^|]+?) *\|/gm)
  const licences = new Map(Array.from(rows, ([, name = '', licence = '']) => [name, licence]))
  assert.ok(names.length >= atLeast, `found ${names.length}`)
  assert.deepEqual([...licences.keys()].sort(), names.sort())
  for (const [name, licence] of licences) {
    const installed = `node_modules/${name}/package.json`
    assert.equal(licence, JSON.parse(read(folder, installed) ?? read(root, installed) ?? '').license, name)
  }
}

/** The anchors that GitHub creates for the headings of a page. */
function anchorsOf(text: string): Set<string> {
  const headings = text.replaceAll(/```[\s\S]*?```/g, '').matchAll(/^#+ (.+)$/gm)
  return new Set(
    Array.from(headings, ([, heading = '']) =>
      heading
        .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')
        .toLowerCase()
        .replaceAll(/[^\p{L}\p{N}_ -]/gu, '')
        .replaceAll(' ', '-'),
    ),
  )
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
