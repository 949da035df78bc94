/**
 * The shape of the console, read out of its source: it is an ordinary client of the API, whose rooms know of each other only
 * what the table allows. Each rule says which mishap it prevents.
 */
import assert from 'node:assert/strict'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join, posix } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'

/** Of another room only the types: nothing of it runs. */
const types = (room: string) => `type ${room}`

/** Who may import whom, besides itself. Whole pages are in `pages`; every other folder is what one of them is about. */
const rooms: Record<string, string[]> = {
  api: ['document'],
  document: [types('api')],
  templates: [types('document')],
  commands: ['api'],
  shell: ['api', 'commands'],
  form: ['api', 'canvas', 'document', 'run', 'shell', 'commands'],
  run: ['api', 'commands', 'document', 'form', 'shell'],
  canvas: ['api', 'commands', 'document', 'run', 'shell'],
  workflow: ['api', 'canvas', 'commands', 'document', 'form', 'run', 'shell', 'versions'],
  versions: ['api', 'document', 'run', 'shell', 'workflow', 'commands'],
  gallery: ['api', 'commands', 'document', 'shell', 'templates'],
  executions: ['api', 'commands', 'shell', 'run'],
  storage: ['api', 'commands', 'shell'],
  keys: ['api', 'shell'],
  usage: [types('api'), 'shell'],
  code: [types('run')],
}
/** Where everything comes together. */
const wholes = ['pages', 'main.tsx', 'router.tsx', 'theme.ts', 'color-scheme.ts']

/** What is large, and who may bring it in: each of these comes in a chunk of its own, when it is needed. */
const lazyHomes: Record<string, string[]> = {
  '@dagrejs/dagre': ['document'],
  '@mantine/charts': ['usage'],
  '@xyflow/react': ['canvas', 'versions', 'workflow'],
  liquidjs: ['form'],
  'react-compare-slider': ['run'],
  yaml: ['document', 'gallery'],
}

const linesMax = 300

const root = fileURLToPath(new URL('../console/src', import.meta.url))
const files = readdirSync(root, { recursive: true, encoding: 'utf8' })
  .map((file) => file.replaceAll('\\', '/'))
  .filter((file) => /\.tsx?$/.test(file) && !file.endsWith('.d.ts') && !/\.test\.ts$|(^|\/)test-[^/]+$/.test(file))
  .sort()
const texts = new Map(files.map((file) => [file, readFileSync(join(root, file), 'utf8')]))

interface Import {
  from: string
  /** A file of the console, or the name of a package. */
  to: string
  isType: boolean
  isOwn: boolean
  isLazy: boolean
}
const imports = files.flatMap(importsOf)

test('the source is where these rules look for it', () => {
  assert.ok(files.length > 200, `found ${files.length} files`)
  assert.ok(imports.length > 1000, `found ${imports.length} imports`)
  for (const room of Object.keys(rooms)) assert.ok(existsSync(join(root, room)), `${room} is gone`)
})

// Prevents: a console that can do what a customer cannot, because it reads the service's own code.
test('the console imports nothing of the service, and nothing that is not there', () => {
  const own = imports.filter(({ isOwn }) => isOwn)
  assert.deepEqual(
    own
      .filter(({ to }) => to.startsWith('..') || !existsSync(join(root, to)))
      .map(({ from, to }) => `${from} imports ${to}`),
    [],
  )
})

// Prevents: an editor that cannot be changed without the list of executions in mind.
test('every import goes where the table of rooms allows', () => {
  const wrong = imports.filter(({ isOwn, from, to, isType }) => isOwn && !isAllowed(roomOf(from), roomOf(to), isType))
  assert.deepEqual(
    wrong.map(({ from, to, isType }) => `${from} imports ${isType ? 'types of ' : ''}${to}`),
    [],
  )
})

/** A field may be a list of fields, or an object of them. */
const recursive = ['form/fields/list-field.tsx', 'form/fields/object-field.tsx']

// Prevents: "cannot access before initialization" that comes and goes with how chunks are cut.
test('no file imports itself by way of others', () => {
  const graph = new Map(
    files.map((file) => [file, imports.filter((each) => each.isOwn && !each.isType && each.from === file)]),
  )
  const done = new Set<string>()
  const cycles: string[] = []
  const visit = (file: string, trail: string[]): void => {
    if (trail.includes(file)) cycles.push([...trail.slice(trail.indexOf(file)), file].join(' -> '))
    if (done.has(file)) return
    done.add(file)
    const next = (graph.get(file) ?? []).filter(({ to, isLazy }) => !isLazy && !recursive.includes(to))
    for (const { to } of next) visit(to, [...trail, file])
  }
  for (const file of files) visit(file, [])
  assert.deepEqual(cycles, [])
})

// Prevents: a first page that waits for a chart library.
test('what is large is brought in only where the table says', () => {
  for (const [name, homes] of Object.entries(lazyHomes)) {
    const users = imports.filter(({ to, isType }) => to === name && !isType).map(({ from }) => roomOf(from))
    assert.ok(users.length > 0, `${name} is used nowhere`)
    assert.deepEqual(
      [...new Set(users)].filter((room) => !homes.includes(room)),
      [],
      name,
    )
  }
})

// Prevents: a package that is there only because another one brought it.
test('every package that is imported is a dependency of the console', () => {
  const { devDependencies } = JSON.parse(readFileSync(join(root, '../package.json'), 'utf8'))
  const packages = new Set(imports.filter(({ isOwn }) => !isOwn).map(({ to }) => to))
  assert.ok(packages.size > 12, `found ${packages.size}`)
  assert.deepEqual(
    [...packages].filter((name) => !Object.hasOwn(devDependencies, name)),
    [],
  )
})

const nowhere: { what: string; pattern: RegExp; at?: string[]; prevents: string }[] = [
  {
    what: 'localStorage or sessionStorage',
    pattern: /\b(local|session)Storage\b|\bindexedDB\b/,
    prevents: 'a secret that stays on a shared machine',
  },
  {
    what: 'HTML as text',
    pattern: /dangerouslySetInnerHTML|\.innerHTML\b|\.outerHTML\b|insertAdjacentHTML/,
    prevents: 'a script in the name of a workflow',
  },
  { what: 'code as text', pattern: /\beval\(|\bnew Function\(/, prevents: 'a policy that has to allow it' },
  {
    what: 'the network',
    pattern: /(?<![.\w])fetch\(|\bnew (XMLHttpRequest|EventSource|WebSocket)\b|\bsendBeacon\b/,
    at: ['api'],
    prevents: 'a request that no page expects, and no type describes',
  },
  {
    what: 'an address of another host',
    pattern: /(src|href)=["'{`]+https?:/,
    prevents: 'a page that tells others who reads it',
  },
]
for (const { what, pattern, at = [], prevents } of nowhere) {
  test(`${what}: ${at.length === 0 ? 'nowhere' : `only in ${at.join(', ')}`}`, () => {
    // Snippets are text: what they do is done elsewhere.
    const users = files.filter((file) => file !== 'code/snippets.ts' && pattern.test(texts.get(file) ?? ''))
    assert.deepEqual(
      users.filter((file) => !at.includes(roomOf(file))),
      [],
      `prevents ${prevents}`,
    )
  })
}

// Prevents: the component of a thousand lines that nobody dares to touch.
test(`no file has more than ${linesMax} lines`, () => {
  const long = [...texts].filter(([, text]) => text.split('\n').length - 1 > linesMax).map(([file]) => file)
  assert.deepEqual(long, [])
})

// Prevents: a type error that the compiler was told not to see.
test('nothing is of type any, and the compiler is told to look away nowhere', () => {
  const wrong = files.filter(
    (file) =>
      file !== 'code/snippets.ts' &&
      /(?::|as|<)\s*any\b|@ts-(ignore|expect-error|nocheck)/.test(withoutComments(texts.get(file) ?? '')),
  )
  assert.deepEqual(wrong, [])
})

function roomOf(file: string): string {
  return file.split('/')[0] ?? file
}

function isAllowed(from: string, to: string, isType: boolean): boolean {
  if (from === to || wholes.includes(from)) return true
  const allowed = rooms[from] ?? []
  return allowed.includes(to) || (isType && allowed.includes(types(to)))
}

function importsOf(from: string): Import[] {
  const pattern =
    /^(?:import|export)(?<type> type)?\b[^;'"]*?\bfrom '(?<named>[^']+)'|^import '(?<bare>[^']+)'|\bimport\('(?<lazy>[^']+)'\)/gm
  return [...(texts.get(from) ?? '').matchAll(pattern)].flatMap(({ groups = {} }) => {
    const specifier = groups.named ?? groups.bare ?? groups.lazy ?? ''
    if (/\.(css|json|svg)$/.test(specifier) && specifier.startsWith('.')) return []
    const isOwn = specifier.startsWith('.')
    const to = isOwn ? posix.normalize(posix.join(posix.dirname(from), specifier)) : packageOf(specifier)
    return [{ from, to, isOwn, isType: groups.type !== undefined, isLazy: groups.lazy !== undefined }]
  })
}

function packageOf(specifier: string): string {
  return specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/')
}

function withoutComments(text: string): string {
  return text.replaceAll(/\/\*[\s\S]*?\*\/|(?<!:)\/\/.*$/gm, (comment) => (comment.startsWith('// @ts') ? comment : ''))
}
