/**
 * The shape of the house, read out of the source text: who imports whom, where outside libraries live, what only one
 * file may do. Each rule says which mishap it prevents, and counts what it looked at, so that it cannot pass by finding
 * nothing.
 */
import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, posix } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath, pathToFileURL } from 'node:url'
import type { Route } from '../src/http/define-route.ts'
import { routes } from '../src/http/routes/index.ts'
import { groups, type Operation } from '../src/operations/define.ts'
import { catalogue } from '../src/operations/index.ts'
import { migrations } from '../src/storage/database/migrations/index.ts'

/** Of another room only the types: nothing of it runs. */
const types = (room: string) => `type ${room}`

/**
 * Who may import whom, besides itself. A room is a file or a folder of src, and the longest name that fits is a file's
 * room. Where a room names a file of another, only that file is open to it.
 */
const rooms: Record<string, string[]> = {
  'errors.ts': [],
  'limits.ts': [],
  config: ['limits.ts', 'providers/index.ts', 'providers/settings.ts'],
  domain: ['errors.ts', 'limits.ts'],
  net: ['errors.ts', 'limits.ts'],
  imaging: ['errors.ts', 'limits.ts', types('domain'), 'domain/bounded-cache.ts', types('operations/define.ts')],
  'local-models': ['errors.ts', 'limits.ts', 'imaging', types('domain'), types('operations/define.ts')],
  operations: ['errors.ts', 'limits.ts', 'imaging', 'local-models', types('domain'), 'domain/wants.ts'],
  'engine/check': ['errors.ts', 'limits.ts', 'domain', types('operations/define.ts')],
  'engine/plan': ['errors.ts', 'limits.ts', 'domain', 'engine/check', types('operations/define.ts')],
  'engine/cache': ['errors.ts', 'limits.ts', 'domain', 'engine/check', 'engine/plan', types('operations/define.ts')],
  'engine/run': [
    'errors.ts',
    'limits.ts',
    'domain',
    'engine/check',
    'engine/plan',
    'engine/cache',
    types('operations/define.ts'),
  ],
  providers: ['errors.ts', 'limits.ts', types('domain'), types('net'), 'providers/adapters'],
  'providers/adapters': [
    'errors.ts',
    'limits.ts',
    'domain',
    'net',
    'providers/define.ts',
    'providers/catalog/models-file.ts',
  ],
  'providers/catalog': ['errors.ts', 'limits.ts', 'domain', 'providers/define.ts', 'providers/settings.ts'],
  'providers/calls': [
    'errors.ts',
    'limits.ts',
    'domain',
    'net',
    'providers',
    'providers/adapters',
    'providers/catalog',
  ],
  services: ['errors.ts', 'limits.ts', 'domain', 'engine'],
  storage: ['errors.ts', 'limits.ts', 'domain'],
  worker: ['errors.ts', 'limits.ts', 'domain', 'services', 'engine'],
  http: ['errors.ts', 'limits.ts', 'domain', 'services', 'operations/define.ts', 'operations/index.ts'],
  cli: ['errors.ts', 'domain', 'services'],
  // The child process for native image work; its program composes the service's parts as `app` does.
  'image-process': ['errors.ts', 'limits.ts', 'domain', types('config/config.ts'), types('services')],
  'image-process/main.ts': ['errors.ts', 'app', 'config', 'image-process', types('domain'), types('worker')],
  app: [
    'errors.ts',
    'limits.ts',
    'cli',
    'config',
    'domain',
    'engine',
    'http',
    'image-process',
    'imaging',
    'local-models',
    'net',
    'operations',
    'providers',
    'providers/calls',
    'providers/catalog',
    'services',
    'storage',
    'worker',
  ],
  'main.ts': ['app', 'cli', 'config', 'local-models', 'net'],
}

/** Where each dependency lives. `type` before a place: only its types. */
const homes: Record<string, string[]> = {
  '@ai-sdk/amazon-bedrock': ['providers/adapters/bedrock.ts'],
  '@ai-sdk/azure': ['providers/adapters/azure.ts'],
  '@ai-sdk/google': ['providers/adapters/google.ts'],
  '@ai-sdk/openai': ['providers/adapters/openai.ts'],
  '@ai-sdk/openai-compatible': [
    'providers/adapters/azure.ts',
    'providers/adapters/openai-compatible.ts',
    'providers/adapters/xai.ts',
  ],
  '@ai-sdk/xai': ['providers/adapters/xai.ts'],
  '@aws-sdk/client-s3': ['storage/blobs'],
  '@aws-sdk/lib-storage': ['storage/blobs/s3-upload.ts'],
  '@fastify/multipart': ['http/server.ts'],
  '@fontsource-variable/noto-sans-devanagari': ['imaging/vector'],
  '@fontsource-variable/noto-sans-jp': ['imaging/vector'],
  '@fontsource-variable/noto-sans-kr': ['imaging/vector'],
  '@fontsource-variable/noto-sans-sc': ['imaging/vector'],
  '@fontsource-variable/noto-sans-tc': ['imaging/vector'],
  '@fontsource-variable/noto-sans-thai': ['imaging/vector'],
  '@fontsource/anton': ['imaging/vector'],
  '@fontsource/inter': ['imaging/vector'],
  '@fontsource/jetbrains-mono': ['imaging/vector'],
  '@fontsource/lora': ['imaging/vector'],
  '@fontsource/noto-sans-arabic': ['imaging/vector'],
  '@fontsource/noto-sans-hebrew': ['imaging/vector'],
  '@fontsource/noto-sans-symbols-2': ['imaging/vector'],
  '@fontsource/oswald': ['imaging/vector'],
  '@fontsource/playfair-display': ['imaging/vector'],
  '@napi-rs/canvas': ['imaging/vector'],
  ai: ['providers/adapters/shared/ai-sdk.ts'],
  ajv: ['domain/validate.ts'],
  'bidi-js': ['imaging/vector/bidi.ts'],
  'bwip-js': ['imaging/raster/draw/barcode.ts'],
  cockatiel: ['providers/calls/limiter.ts'],
  'color-string': ['domain/validate.ts', 'imaging/raster/color.ts'],
  commander: ['cli'],
  'content-disposition': ['http/response/file-response.ts'],
  echarts: ['imaging/vector'],
  fastify: ['http/server.ts'],
  fontkitten: ['imaging/vector/font-child.ts'],
  'ipaddr.js': ['http/request/client-address.ts', 'net/address.ts'],
  kysely: ['storage/database'],
  liquidjs: [
    'engine/check/template.ts',
    'engine/check/template-cost.ts',
    'engine/check/template-language.ts',
    'engine/check/template-references.ts',
  ],
  // Not among the dependencies: added with the first local model, or there for development.
  'onnxruntime-node': ['local-models'],
  pg: ['storage/database/postgres.ts', 'storage/queue/postgres-notices.ts'],
  'p-queue': ['providers/calls/limiter.ts', 'services/account-queues.ts'],
  'p-retry': ['providers'],
  pino: ['app/log.ts', types('image-process'), types('app')],
  pixelmatch: ['imaging/raster/measure/difference.ts'],
  'range-parser': ['http/response/file-response.ts'],
  'rate-limiter-flexible': ['storage/rate-limits'],
  saxes: ['imaging/raster/read/svg-check.ts', 'imaging/vector/markup.ts'],
  sharp: ['imaging/raster'],
  'simplex-noise': ['imaging/raster/draw/noise.ts'],
  'swagger-ui-dist': ['http/routes/service/docs.ts'],
  'tar-stream': ['storage/archive/archive.ts'],
  'twemoji-colr-font': ['imaging/vector'],
  typebox: ['domain', 'operations', 'engine', 'http', 'providers/catalog/models-file.ts'],
  undici: ['net'],
  uqr: ['operations/source/qr.ts'],
  yaml: ['cli', 'providers/catalog/models-file.ts'],
  // The AI SDK asks whoever installs it for this one; nothing here imports it.
  zod: [],
}

/** Modules of Node that reach outside, run programs, or keep the records. */
const builtinHomes: Record<string, string[]> = {
  'node:child_process': [
    'image-process/image-process.ts',
    'local-models/install.ts',
    'local-models/runner.ts',
    'imaging/raster/child.ts',
  ],
  'node:dgram': [],
  'node:dns': ['net'],
  'node:http': ['net', 'http/request/connections.ts', types('http')],
  'node:http2': [],
  'node:https': [],
  'node:net': ['net', types('http/request/connections.ts'), 'config/setting-values.ts', types('app/models.ts')],
  'node:sqlite': ['storage/database'],
  'node:tls': [],
  'node:vm': [],
  'node:worker_threads': [],
}

const linesMax = 400

interface Import {
  from: string
  /** A file of src, or the name of a package. */
  to: string
  isType: boolean
  isOwn: boolean
}

const root = fileURLToPath(new URL('..', import.meta.url))
const src = join(root, 'src')
/** Product code: tests, and what only they use, may look anywhere. */
const files = readdirSync(src, { recursive: true, encoding: 'utf8' })
  .map((file) => file.replaceAll('\\', '/'))
  .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts') && !/(^|\/)(test-[^/]+|testing)\.ts$/.test(file))
  .sort()
const texts = new Map(files.map((file) => [file, readFileSync(join(src, file), 'utf8')]))
const imports = files.flatMap(importsOf)

test('the source is where these rules look for it', () => {
  assert.ok(files.length > 120, `found ${files.length} files`)
  assert.ok(imports.length > 500, `found ${imports.length} imports`)
  for (const room of Object.keys(rooms))
    assert.ok(
      files.some((file) => roomOf(file) === room),
      `${room} is empty`,
    )
})

// Prevents: a rule of the product that can only be tested with a database, a route that reads a table past its service,
// an engine that knows an operation by name. Each was one convenient import.
test('every import goes where the table of rooms allows', () => {
  const own = imports.filter(({ isOwn }) => isOwn)
  assert.ok(own.length > 350, `found ${own.length}`)
  const wrong = own.filter(({ from, to, isType }) => roomOf(from) !== roomOf(to) && !isAllowed(from, to, isType))
  assert.deepEqual(
    wrong.map(({ from, to, isType }) => `${from} imports ${isType ? 'types of ' : ''}${to}`),
    [],
  )
})

// Prevents: a file in a new folder of src, to which no rule applies.
test('every file has a room', () => {
  assert.deepEqual(
    files.filter((file) => roomOf(file) === undefined),
    [],
  )
})

// Prevents: a framework that has spread so far that it cannot be replaced, or upgraded without reading everything.
test('every dependency lives where the table says, and nowhere else', () => {
  const { dependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  assert.deepEqual(Object.keys(homes).sort(), [...Object.keys(dependencies), 'onnxruntime-node'].sort())
  for (const [name, places] of Object.entries(homes)) {
    const users = usersOf(name)
    if (places.length > 0) assert.ok(users.length > 0, `${name} is used nowhere: take it out of package.json`)
    assert.deepEqual(
      users.filter((user) => !places.some((place) => isAt(user, place))),
      [],
      name,
    )
    assert.deepEqual(
      places.filter((place) => !users.some((user) => isAt(user, place))),
      [],
      `${name}: no longer used`,
    )
  }
})

// Prevents: a package that is there only because another one brought it, and is gone with that one's next release.
test('every package that is imported is a dependency of its own', () => {
  const packages = imports.filter(({ to, isOwn }) => !isOwn && !to.startsWith('node:')).map(({ to }) => to)
  assert.ok(packages.length > 60, `found ${packages.length}`)
  assert.deepEqual(
    [...new Set(packages)].filter((name) => !Object.hasOwn(homes, name)),
    [],
  )
})

// Prevents: a request to an address that nobody checked, a second database, a program started with the service's rights.
test('what reaches outside the process is imported only where the table says', () => {
  const reaching = imports.filter(({ to }) => Object.hasOwn(builtinHomes, to))
  assert.ok(reaching.length > 8, `found ${reaching.length}`)
  const wrong = reaching.filter(
    ({ from, to, isType }) => !builtinHomes[to]?.some((place) => isAt({ file: from, isType }, place)),
  )
  assert.deepEqual(
    wrong.map(({ from, to }) => `${from} imports ${to}`),
    [],
  )
})

// Prevents: "cannot access before initialization" that comes and goes with the order of imports.
test('no file imports itself by way of others', () => {
  const graph = new Map(files.map((file) => [file, imports.filter((each) => each.isOwn && each.from === file)]))
  const done = new Set<string>()
  const cycles: string[] = []
  const visit = (file: string, trail: string[]): void => {
    if (trail.includes(file)) cycles.push([...trail.slice(trail.indexOf(file)), file].join(' -> '))
    if (done.has(file)) return
    done.add(file)
    for (const { to } of graph.get(file) ?? []) visit(to, [...trail, file])
  }
  for (const file of files) visit(file, [])
  assert.equal(done.size, files.length)
  assert.deepEqual(cycles, [])
})

const onlyAt: { what: string; pattern: RegExp; at: string[]; prevents: string }[] = [
  {
    what: 'the environment is read',
    pattern: /\bprocess\.(env|loadEnvFile)\b/,
    at: ['main.ts'],
    prevents: 'a setting that the reference does not know, and that a wrong value breaks in the middle of the night',
  },
  {
    what: 'the time is asked for',
    pattern: /\bDate\.now\b|\bperformance\.now\b|\bprocess\.hrtime\b|\bnew Date\(\s*\)|(?<!new )\bDate\(\)/,
    at: ['domain/clock.ts'],
    prevents: 'a test that must sleep, and passes on slow machines only',
  },
  {
    what: 'chance is asked for',
    pattern: /\bMath\.random\b|\brandom(UUID|Bytes|Int|Fill|FillSync)\b|\bgetRandomValues\b/,
    at: ['domain/ids.ts'],
    prevents: 'an id or a key that can be guessed',
  },
  {
    what: 'the network is asked by fetch or a socket',
    pattern:
      /(?<![.\w])fetch\s*\(|\bglobalThis\.fetch\b|\bnew (WebSocket|EventSource|XMLHttpRequest)\b|\bsetGlobalDispatcher\s*\(/,
    at: ['net'],
    prevents: 'a caller that reads the metadata service of the machine through us',
  },
  {
    what: 'the process is ended',
    pattern: /\bprocess\.(exit|abort|kill|reallyExit)\s*\(/,
    at: ['main.ts', 'image-process/main.ts', 'imaging/raster/read/svg-child.ts', 'imaging/vector/font-child.ts'],
    prevents: 'a fault in one request that ends all of them',
  },
  {
    what: 'what stands beside the tests is named',
    pattern: /['"`](\.\.\/)+test\//,
    at: ['app/fakes.ts'],
    prevents: 'an installation without its tests that does not start',
  },
]

for (const { what, pattern, at, prevents } of onlyAt) {
  // Prevents: see each.
  test(`${what} only in ${at.join(', ')}`, () => {
    const users = files.filter((file) => pattern.test(codeOf(file))).map((file) => ({ file, isType: false }))
    for (const place of at)
      assert.ok(
        users.some((user) => isAt(user, place)),
        `${place} does not: the rule sees nothing`,
      )
    const wrong = users.filter((user) => !at.some((place) => isAt(user, place))).map(({ file }) => file)
    assert.deepEqual(wrong, [], `prevents ${prevents}`)
  })
}

// Prevents: an operation that was written, tested, and that no workflow can use.
test('every operation file is in the catalogue', async () => {
  const found = await declarations<Operation>('operations', ({ id, run }) => id !== undefined && run !== undefined)
  assert.ok(found.length >= 16, `found ${found.length}`)
  assert.deepEqual(
    found.filter(({ value }) => catalogue.get(value.id)?.params !== value.params).map(({ file }) => file),
    [],
  )
  assert.equal(found.length, catalogue.size)
})

// Prevents: a route that exists in its file only, or that another one of the same method and path hides.
test('every route file is in the list of routes, under an id and a path of its own', async () => {
  const found = await declarations<Route>('http/routes', ({ id, handle }) => id !== undefined && handle !== undefined)
  assert.ok(found.length >= 25, `found ${found.length}`)
  assert.deepEqual(
    found.filter(({ value }) => !routes.includes(value)).map(({ file }) => file),
    [],
  )
  assert.equal(found.length, routes.length)
  assert.equal(new Set(routes.map(({ id }) => id)).size, routes.length)
  assert.equal(new Set(routes.map(({ method, path }) => `${method} ${path}`)).size, routes.length)
})

// Prevents: a migration that runs on the machine of whoever wrote it, and nowhere else.
test('every migration file is in the list of migrations, in the order of their dates', () => {
  const names = files
    .filter((file) => /^storage\/database\/migrations\/\d/.test(file))
    .map((file) => posix.basename(file, '.ts'))
  assert.ok(names.length >= 1)
  assert.deepEqual(Object.keys(migrations), names)
})

// Prevents: the room of thousands of lines that nobody dares to touch. Only ever made stricter.
test(`no file has more than ${linesMax} lines`, (t) => {
  const sizes = [...texts].map(([file, text]) => ({ file, lines: text.split('\n').length - 1 }))
  sizes.sort((a, b) => b.lines - a.lines)
  for (const { file, lines } of sizes.slice(0, 8)) t.diagnostic(`${String(lines).padStart(4)} ${file}`)
  t.diagnostic(
    `${String(sizes[Math.floor(sizes.length / 2)]?.lines).padStart(4)} is the median of ${sizes.length} files`,
  )
  assert.ok((sizes[0]?.lines ?? 0) > 100)
  assert.deepEqual(
    sizes.filter(({ lines }) => lines > linesMax),
    [],
  )
})

// Prevents: a type error that the compiler was told not to see.
test('nothing is of type any, and the compiler is told to look away nowhere', () => {
  const wrong = files.filter((file) => /(?<![.\w])any\b|@ts-(ignore|expect-error|nocheck)/.test(codeOf(file, true)))
  assert.deepEqual(wrong, [])
  assert.match(withoutComments('const x: any = 1', false), /\bany\b/)
})

// Prevents: `export * from` chains in which nobody finds where a thing is made.
test('no file only hands on what another one exports', () => {
  assert.deepEqual(
    files.filter((file) => /^export (type )?[{*][^\n]*\bfrom\b/m.test(codeOf(file))),
    [],
  )
})

// Prevents: instructions that work on the machine of whoever wrote them.
test('no file of the project names a folder of somebody’s machine', () => {
  const skipped = new Set(['node_modules', '.git', 'data', '.out', 'package-lock.json'])
  const paths = walk(root, skipped).filter((path) =>
    /\.(ts|js|json|md|yaml|yml|html|css|txt|example)$|^[^.]*$/.test(path),
  )
  assert.ok(paths.length > 250, `found ${paths.length}`)
  const personal = /(?<![\w.$/}])\/(home|root|Users|work|workspace|workspaces|mnt|srv)\/\w|\b[A-Z]:\\{1,2}Users\b/
  // A file name that a client may send is a test of how names are cut.
  const named = new Set(['test/architecture.test.ts', 'src/services/images.test.ts'])
  const wrong = paths.filter((path) => !named.has(path) && personal.test(readFileSync(join(root, path), 'utf8')))
  assert.deepEqual(wrong, [])
})

function roomOf(file: string): string | undefined {
  return Object.keys(rooms)
    .filter((room) => file === room || file.startsWith(`${room}/`))
    .sort((a, b) => b.length - a.length)[0]
}

function isAllowed(from: string, to: string, isType: boolean): boolean {
  return (rooms[roomOf(from) ?? ''] ?? []).some((place) => {
    const [, only, name = ''] = /^(type )?(.*)$/.exec(place) ?? []
    const room = roomOf(to) ?? ''
    // Engine names all of its rooms; the files at the root of providers don't open the folders beside them.
    const fits = name === to || room === name || (name === 'engine' && room.startsWith('engine/'))
    return fits && (only === undefined || isType)
  })
}

/** Whether a file is that place or in it; a place of types takes only those. */
function isAt({ file, isType }: { file: string; isType: boolean }, place: string): boolean {
  const [, only, name = ''] = /^(type )?(.*)$/.exec(place) ?? []
  return (file === name || file.startsWith(`${name}/`)) && (only === undefined || isType)
}

/** Packages that are called like a group of operations: only imports count. */
const alsoGroups = new Set<string>(groups)

/** Who imports a package, resolves a file of it, or names one. */
function usersOf(name: string): { file: string; isType: boolean }[] {
  const named = new RegExp(`['"\`]${name.replaceAll('.', '\\.')}(/[^'"\`]*)?['"\`]`)
  const isImported = (file: string) => imports.some(({ from, to }) => from === file && to === name)
  return files
    .filter((file) => (alsoGroups.has(name) ? isImported(file) : named.test(codeOf(file))))
    .map((file) => {
      const own = imports.filter((each) => each.from === file && each.to === name)
      return { file, isType: own.length > 0 && own.every(({ isType }) => isType) }
    })
}

function importsOf(file: string): Import[] {
  const statements = codeOf(file).matchAll(
    /(?:^|\n)\s*(?:import|export)\s+(type\s)?(?:([^'"\n;]*?|\{[^}]*\}|[^'";{]*\{[^}]*\})\sfrom\s+)?'([^']+)'|(typeof\s+)?\bimport\(\s*'([^']+)'/g,
  )
  return [...statements].map(([, typed, names = '', plain, typeOf, lazy]) => {
    const specifier = plain ?? lazy ?? ''
    const members = /^\{(.*)\}$/s
      .exec(names.trim())?.[1]
      ?.split(',')
      .map((each) => each.trim())
    const isType =
      typed !== undefined ||
      typeOf !== undefined ||
      (members?.every((each) => each === '' || each.startsWith('type ')) ?? false)
    const isOwn = specifier.startsWith('.')
    const to = isOwn ? posix.join(dirname(file), specifier) : packageOf(specifier)
    return { from: file, to, isType, isOwn }
  })
}

function packageOf(specifier: string): string {
  if (specifier.startsWith('node:')) return specifier.split('/')[0] ?? specifier
  return specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/')
}

function codeOf(file: string, withoutStrings = false): string {
  return withoutComments(texts.get(file) ?? '', withoutStrings)
}

/** The text without its comments, and where asked without its strings. */
function withoutComments(text: string, withoutStrings: boolean): string {
  const parts = /('(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"|`(?:\\.|[^`\\])*`)|\/\/[^\n]*|\/\*[\s\S]*?\*\//g
  return text.replace(parts, (_, string: string | undefined) => (string === undefined || withoutStrings ? '' : string))
}

/** What the files of a folder export of one shape. */
async function declarations<Shape>(folder: string, fits: (value: Partial<Shape>) => boolean) {
  const those = files.filter((file) => file.startsWith(`${folder}/`) && !file.endsWith('/index.ts'))
  const found: { file: string; value: Shape }[] = []
  for (const file of those) {
    const exported = Object.values(await import(pathToFileURL(join(src, file)).href))
    for (const value of exported) {
      if (typeof value === 'object' && value !== null && fits(value)) found.push({ file, value: value as Shape })
    }
  }
  return found
}

function walk(folder: string, skipped: ReadonlySet<string>, prefix = ''): string[] {
  return readdirSync(join(folder, prefix), { withFileTypes: true }).flatMap((entry) => {
    if (skipped.has(entry.name)) return []
    const path = posix.join(prefix, entry.name)
    return entry.isDirectory() ? walk(folder, skipped, path) : [path]
  })
}
