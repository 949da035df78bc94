/** The structure of the console's source: which folder may import which. Each test names the problem that it prevents. */
import assert from 'node:assert/strict'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join, posix } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { importsIn, packageOf } from '../../scripts/imports.ts'

/** Rules that the service has too. The folder is next to the console; paths are relative to console/src. */
const shared = '../../shared'

const editorParts = ['canvas', 'inspector', 'run', 'versions'].map((name) => `editor/${name}`)
const editorBase = ['editor/document', 'editor/state', 'editor/form']
const ui = ['ui', 'ui/commands']

/**
 * Folder -> the folders that it may import, in the order of the layers: `api`, `ui`, `editor`, `features`. A folder imports
 * only folders above its own row. The parts of the editor do not import each other, and neither do the pages.
 */
const folders: Record<string, string[]> = {
  api: [],
  ui: ['api'],
  'ui/commands': ['api', 'ui'],
  'ui/shell': ['api', ...ui],
  'editor/document': ['api'],
  'editor/state': ['api', 'editor/document'],
  'editor/form': ['api', 'ui', 'editor/document', 'editor/state'],
  'editor/results': ['api', ...ui, ...editorBase],
  ...Object.fromEntries(editorParts.map((name) => [name, ['api', ...ui, ...editorBase, 'editor/results']])),
  // The stage adds nodes to the graph as the canvas does.
  'editor/stage': ['api', ...ui, ...editorBase, 'editor/results', 'editor/canvas'],
  editor: ['api', ...ui, ...editorBase, 'editor/results', ...editorParts, 'editor/stage'],
  'features/*': ['api', ...ui, ...editorBase, 'editor/results', ...editorParts, 'editor/stage', 'editor'],
}
/** The files that put the folders together. */
const rootFiles = ['main.tsx', 'router.tsx', 'theme.ts', 'color-scheme.ts']

/** Large packages, and the folders that may import them. Each is loaded in a separate chunk when it is needed. */
const lazyHomes: Record<string, string[]> = {
  '@dagrejs/dagre': ['editor/document'],
  '@mantine/charts': ['features/usage'],
  '@xyflow/react': ['editor', 'editor/canvas', 'ui'],
  [`${shared}/template/template.ts`]: ['editor/form'],
  'react-compare-slider': ['ui'],
  yaml: ['editor/document', 'features/brand', 'features/gallery'],
}

const linesMax = 300

const root = fileURLToPath(new URL('../../console/src', import.meta.url))
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

test('the source is where these tests look for it', () => {
  assert.ok(files.length > 200, `found ${files.length} files`)
  assert.ok(imports.length > 1000, `found ${imports.length} imports`)
  const found = new Set(files.map(folderOf).map(rowOf))
  for (const folder of Object.keys(folders)) assert.ok(found.has(folder), `${folder} does not exist`)
  for (const folder of found)
    assert.ok(Object.hasOwn(folders, folder) || rootFiles.includes(folder), `${folder} is not in the table`)
})

// Prevents: a console that can do more than a customer, because it imports the code of the service.
test('the console imports only its own files and those of shared/', () => {
  const ownImports = imports.filter(({ isOwn }) => isOwn)
  assert.deepEqual(
    ownImports
      .filter(({ to }) => (to.startsWith('..') && !isShared(to)) || !existsSync(join(root, to)))
      .map(({ from, to }) => `${from} imports ${to}`),
    [],
  )
})

// Prevents: a table that allows two folders to import each other.
test('a folder imports only folders above its own row', () => {
  const order = Object.keys(folders)
  for (const [folder, allowed] of Object.entries(folders))
    for (const other of allowed)
      assert.ok(order.indexOf(other) < order.indexOf(folder) && order.includes(other), `${folder} may import ${other}`)
})

// Prevents: an editor that cannot be changed without reading the list of executions.
test('every import is allowed by the table of folders', () => {
  const wrong = imports.filter(
    ({ isOwn, from, to }) => isOwn && !isShared(to) && !isAllowed(folderOf(from), folderOf(to)),
  )
  assert.deepEqual(
    wrong.map(({ from, to }) => `${from} imports ${to}`),
    [],
  )
})

/** A field may be a list of fields, or an object of them. */
const recursive = ['editor/form/fields/list-field.tsx', 'editor/form/fields/object-field.tsx']

// Prevents: "cannot access before initialization", depending on how the bundler cuts chunks.
test('no file imports itself through other files', () => {
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

// Prevents: a first page that loads a chart library.
test('a large package is imported only by the folders of its row', () => {
  for (const [name, homes] of Object.entries(lazyHomes)) {
    const users = imports.filter(({ to, isType }) => to === name && !isType).map(({ from }) => folderOf(from))
    assert.ok(users.length > 0, `${name} is not used`)
    assert.deepEqual(
      [...new Set(users)].filter((folder) => !homes.includes(folder)),
      [],
      name,
    )
  }
})

// Prevents: a package that is installed only because another package needs it.
test('every imported package is a dependency of the console', () => {
  const { devDependencies } = JSON.parse(readFileSync(join(root, '../package.json'), 'utf8'))
  const packages = new Set(imports.filter(({ isOwn }) => !isOwn).map(({ to }) => to))
  assert.ok(packages.size > 12, `found ${packages.size}`)
  assert.deepEqual(
    [...packages].filter((name) => !Object.hasOwn(devDependencies, name)),
    [],
  )
})

const restricted: { name: string; pattern: RegExp; at?: string[]; except?: string[]; prevents: string }[] = [
  {
    name: 'localStorage and sessionStorage',
    // The values of run forms, which are removed with the session.
    except: ['api/typed-values.ts'],
    pattern: /\b(local|session)Storage\b|\bindexedDB\b/,
    prevents: 'a secret that stays on a shared machine',
  },
  {
    name: 'HTML as text',
    pattern: /dangerouslySetInnerHTML|\.innerHTML\b|\.outerHTML\b|insertAdjacentHTML/,
    prevents: 'a script in the name of a workflow',
  },
  {
    name: 'a file input that keeps its file',
    // The page of a run link has no Mantine.
    except: ['ui/file-button.tsx', 'features/run-link/fields.tsx'],
    pattern: /\bFileButton\b[^}]*\} from '@mantine\/core'|type="file"/,
    prevents: 'a corrected file of the same name that can’t be chosen again',
  },
  { name: 'code as text', pattern: /\beval\(|\bnew Function\(/, prevents: 'a policy that has to allow it' },
  {
    name: 'the network',
    pattern: /(?<![.\w])fetch\(|\bnew (XMLHttpRequest|EventSource|WebSocket)\b|\bsendBeacon\b/,
    at: ['api'],
    prevents: 'a request that no page expects and no type describes',
  },
  {
    name: 'an address of another host',
    pattern: /(src|href)=["'{`]+https?:/,
    prevents: 'a page that reports its readers to other hosts',
  },
]
/** Its strings are programs for callers, which the console does not run. */
const snippets = 'features/code/snippets.ts'
for (const { name, pattern, at = [], except = [], prevents } of restricted) {
  const allowed = [...at, ...except]
  test(`${name}: ${allowed.length === 0 ? 'in no file' : `only in ${allowed.join(', ')}`}`, () => {
    const users = files.filter((file) => file !== snippets && pattern.test(texts.get(file) ?? ''))
    assert.deepEqual(
      users.filter((file) => !at.includes(folderOf(file)) && !except.includes(file)),
      [],
      `prevents ${prevents}`,
    )
  })
}

// Prevents: a style sheet that many components share and that is hard to change.
test('a style sheet is imported only from its own folder', () => {
  const imported = files.flatMap((file) =>
    [...(texts.get(file) ?? '').matchAll(/^import \w+ from '(\..*\.module\.css)'/gm)].map(([, path = '']) => ({
      file,
      path,
    })),
  )
  assert.ok(imported.length > 50, `found ${imported.length} imports`)
  assert.deepEqual(
    imported.filter(({ path }) => !/^\.\/[^/]+$/.test(path)),
    [],
  )
})

// Prevents: a colour that does not follow the colour scheme.
test('literal colours are only in tokens.css, and in the page of run links, which has no theme', () => {
  const sheets = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.css'))
  const literal = sheets.filter((file) => /#[0-9a-f]{3,8}\b/i.test(readFileSync(join(root, file), 'utf8')))
  assert.deepEqual(literal.sort(), ['features/run-link/run-link.css', 'tokens.css'])
})

// Prevents: a component of a thousand lines.
test(`no file has more than ${linesMax} lines`, () => {
  const long = [...texts].filter(([, text]) => text.split('\n').length - 1 > linesMax).map(([file]) => file)
  assert.deepEqual(long, [])
})

// Prevents: type errors that the compiler does not report.
test('no file uses the type any or disables the compiler', () => {
  const wrong = files.filter(
    (file) =>
      file !== snippets &&
      /(?::|as|<)\s*any\b|@ts-(ignore|expect-error|nocheck)/.test(withoutComments(texts.get(file) ?? '')),
  )
  assert.deepEqual(wrong, [])
})

/** The longest folder of the table that contains the file; each folder of a page is separate. */
function folderOf(file: string): string {
  const [first = '', second = ''] = file.split('/')
  const folder = `${first}/${second}`
  if (!file.includes('/')) return file
  return first === 'features' || Object.hasOwn(folders, folder) ? folder : first
}

function isShared(path: string): boolean {
  return path.startsWith(shared)
}

function rowOf(folder: string): string {
  return folder.startsWith('features/') ? 'features/*' : folder
}

function isAllowed(from: string, to: string): boolean {
  return from === to || rootFiles.includes(from) || (folders[rowOf(from)] ?? []).includes(to)
}

function importsOf(from: string): Import[] {
  return importsIn(texts.get(from) ?? '').flatMap(({ specifier, isType, isLazy }) => {
    const isOwn = specifier.startsWith('.')
    if (isOwn && /\.(css|json|svg)$/.test(specifier)) return []
    const to = isOwn ? posix.join(posix.dirname(from), specifier) : packageOf(specifier)
    return [{ from, to, isOwn, isType, isLazy }]
  })
}

function withoutComments(text: string): string {
  return text.replaceAll(/\/\*[\s\S]*?\*\/|(?<!:)\/\/.*$/gm, (comment) => (comment.startsWith('// @ts') ? comment : ''))
}
