/**
 * The structure of the source: import rules, the home of each library, calls that are allowed in one file only. Each test
 * names the problem that it prevents, and requires a minimum of findings, so that it can't pass by finding nothing.
 */
import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, posix } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { importsIn, packageOf, withoutComments } from '../../scripts/imports.ts'
import type { Route } from '../../src/http/define-route.ts'
import { routes } from '../../src/http/routes/index.ts'
import { groups, type Operation } from '../../src/operations/define.ts'
import { catalogue } from '../../src/operations/index.ts'
import { migrations } from '../../src/storage/database/migrations/index.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const src = join(root, 'src')
const read = (path: string) => readFileSync(join(root, path), 'utf8')

/** Allows type imports only. */
const types = (folder: string) => `type ${folder}`

/** The rules that the console imports too. It is next to src, and paths are relative to src. */
const shared = '../shared'

/** The published client: commands use it for a service elsewhere. */
const client = '../client/src'

const basics = ['errors.ts', 'limits.ts']
const withShared = [...basics, shared]
const operationTypes = [types('operations/define.ts'), types('imaging/types.ts')]

/**
 * Folder or file of src -> what its files may import in addition to each other. The longest matching name applies to a file.
 * If a rule names a file of another folder, only that file may be imported.
 */
const importRules: Record<string, string[]> = {
  'errors.ts': [],
  'limits.ts': [shared],
  [shared]: [],
  [client]: [],
  config: [
    'domain/accounts/plan.ts',
    'domain/accounts/quota.ts',
    'domain/images/expiry.ts',
    'limits.ts',
    'credentials/chain.ts',
    'providers/index.ts',
    'providers/settings.ts',
  ],
  domain: withShared,
  net: [...basics, client],
  processes: [...basics, 'domain/clock.ts', 'domain/observed.ts'],
  credentials: [...basics, 'domain', 'processes', 'domain/fair-queue.ts'],
  'bounded-cache.ts': [],
  imaging: [
    'bounded-cache.ts',
    'errors.ts',
    'limits.ts',
    'processes',
    shared,
    types('domain'),
    'domain/abortable.ts',
    'domain/clock.ts',
    'domain/fair-queue.ts',
    'domain/images/origin.ts',
    'domain/pauses.ts',
  ],
  'local-models': [
    ...basics,
    'processes',
    shared,
    'imaging',
    types('domain'),
    'domain/fair-queue.ts',
    'domain/validate.ts',
  ],
  operations: [...withShared, 'imaging', 'local-models', types('domain'), 'domain/models/requirements.ts'],
  'engine/check': [...withShared, 'domain', ...operationTypes],
  'engine/plan': [...withShared, 'domain', 'engine/check', ...operationTypes],
  'engine/cache': [...withShared, 'domain', 'engine/check', 'engine/plan', ...operationTypes],
  'engine/run': [...withShared, 'domain', 'engine/check', 'engine/plan', 'engine/cache', ...operationTypes],
  providers: [
    ...basics,
    types('domain'),
    types('net'),
    'providers/adapters',
    '../fakes/src/texts.ts',
    '../fakes/src/work.ts',
  ],
  'providers/adapters': [...basics, 'domain', 'net', 'providers/define.ts', 'providers/catalog/models-file.ts'],
  'providers/catalog': [...withShared, 'domain', 'providers/define.ts', 'providers/settings.ts'],
  'providers/calls': [...basics, 'domain', 'net', 'providers', 'providers/adapters', 'providers/catalog'],
  services: ['bounded-cache.ts', 'errors.ts', 'limits.ts', shared, 'domain', 'engine'],
  mcp: [...withShared, 'domain', types('services'), 'operations/define.ts'],
  storage: [...basics, 'domain'],
  worker: [...basics, 'domain', 'services', 'engine'],
  http: [
    'bounded-cache.ts',
    'errors.ts',
    'limits.ts',
    shared,
    'domain',
    'mcp',
    'services',
    'operations/define.ts',
    'operations/index.ts',
  ],
  cli: ['errors.ts', shared, client, 'domain', 'services'],
  executor: [...basics, 'domain', 'processes', types('config/config.ts'), types('services')],
  telemetry: ['errors.ts', 'domain'],
  app: [
    ...basics,
    client,
    'cli',
    'config',
    'credentials',
    'domain',
    'engine',
    'executor',
    'http',
    'imaging',
    'local-models',
    'net',
    'operations',
    'processes',
    'providers',
    'providers/calls',
    'providers/catalog',
    'services',
    'storage',
    'telemetry',
    'worker',
  ],
  'main.ts': ['app', 'cli', 'config', 'local-models', 'net'],
}

const { dependencies } = JSON.parse(read('package.json')) as { dependencies: Record<string, string> }
const fonts = Object.keys(dependencies).filter((name) => name.startsWith('@fontsource'))

/** Dependency -> the files and folders that may import it. `type`: type imports only. */
const homes: Record<string, string[]> = {
  ...Object.fromEntries(fonts.map((name) => [name, ['imaging/vector']])),
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
  '@bomb.sh/tab': ['cli/completion.ts'],
  '@cantoo/pdf-lib': ['imaging/raster/write/pdf.ts'],
  '@contentauth/c2pa-wasm': ['credentials/c2pa.ts'],
  '@embedpdf/pdfium': ['imaging/raster/read/pdf-child.ts'],
  '@fastify/multipart': ['http/server.ts'],
  '@modelcontextprotocol/server': ['mcp', 'net/mcp-bridge.ts'],
  '@opentelemetry/api': ['telemetry/spans.ts', 'telemetry/traces.ts'],
  '@opentelemetry/exporter-trace-otlp-http': ['telemetry/traces.ts'],
  '@opentelemetry/resources': ['telemetry/traces.ts'],
  '@opentelemetry/sdk-trace': ['telemetry/traces.ts'],
  '@napi-rs/canvas': ['imaging/vector'],
  '@takumi-rs/core': ['imaging/html'],
  'css-tree': [
    '../shared/css-tree.d.ts',
    '../shared/svg-import/style-sheet.ts',
    'imaging/html',
    'imaging/raster/read/svg-css.ts',
  ],
  parse5: ['imaging/html'],
  ai: ['providers/adapters/shared/ai-sdk.ts'],
  ajv: ['domain/validate.ts'],
  asn1js: ['credentials'],
  'bidi-js': ['imaging/vector/bidi.ts'],
  'bwip-js': ['imaging/raster/draw/barcode.ts'],
  'client-zip': ['services/batches/results.ts'],
  cockatiel: ['providers/calls/limiter.ts'],
  'color-string': ['domain/validate.ts', 'imaging/raster/color.ts'],
  commander: ['cli'],
  'content-disposition': ['http/response/file-response.ts'],
  'csv-parse': ['services/batches/csv-rows.ts'],
  'csv-stringify': ['services/csv.ts'],
  echarts: ['imaging/vector'],
  'fastest-levenshtein': ['../shared/suggest.ts'],
  fastify: ['http/server.ts'],
  fontkitten: ['imaging/vector/font-characters.ts', 'imaging/vector/font-child.ts'],
  'ipaddr.js': ['http/request/client-address.ts', 'net/address.ts'],
  kysely: ['storage/database'],
  linebreak: ['imaging/vector/breaks.ts', 'imaging/vector/linebreak.d.ts'],
  liquidjs: ['../shared/template'],
  // Types alone: `tintype models add` installs the runtime with the first local model.
  'onnxruntime-common': ['local-models'],
  pg: ['storage/database/postgres.ts', 'storage/queue/postgres-notices.ts'],
  'p-map': ['engine/run/pdf-output.ts', 'engine/run/step.ts', 'imaging/raster/map-some.ts'],
  'p-retry': ['domain/persist.ts'],
  pino: ['app/log.ts', types('executor'), types('app')],
  pixelmatch: ['imaging/raster/measure/difference.ts'],
  'prom-client': ['telemetry/metrics.ts'],
  'range-parser': ['http/response/preconditions.ts'],
  'rate-limiter-flexible': ['storage/rate-limits'],
  standardwebhooks: ['services/webhooks/webhook-messages.ts'],
  'safe-stable-stringify': [
    'mcp',
    'engine/cache/key.ts',
    'http/response/openapi-schemas.ts',
    'services/idempotency.ts',
  ],
  saxes: [
    '../shared/svg-import/read-svg.ts',
    'imaging/raster/read/svg-check.ts',
    types('imaging/raster/read/svg-write.ts'),
    'imaging/raster/xmp.ts',
    'imaging/vector/markup.ts',
  ],
  sharp: ['imaging/raster'],
  'simplex-noise': ['imaging/raster/draw/noise.ts'],
  'swagger-ui-dist': ['http/routes/service/docs.ts'],
  'tar-stream': ['storage/archive/archive.ts'],
  'twemoji-colr-font': ['imaging/vector'],
  typebox: [
    'mcp',
    'domain',
    'operations',
    'engine',
    'http',
    'local-models/manifest/manifest.ts',
    'providers/catalog/models-file.ts',
  ],
  undici: ['net'],
  uqr: ['operations/source/qr.ts'],
  yaml: ['cli', 'local-models/manifest/read-manifest.ts', 'providers/catalog/models-file.ts'],
  // A peer dependency of the AI SDK. Nothing here imports it.
  zod: [],
}

/** Modules of Node for the network, child processes and the database -> the files and folders that may import them. */
const builtinHomes: Record<string, string[]> = {
  'node:child_process': [
    'app/docs-build.ts',
    'cli/open-in-browser.ts',
    'executor/executor.ts',
    'local-models/install.ts',
    'processes',
  ],
  'node:dgram': [],
  'node:dns': ['net'],
  'node:http': [
    'net',
    'http/request/connections.ts',
    types('http'),
    'telemetry/metrics-server.ts',
    'telemetry/traces.ts',
  ],
  'node:http2': [],
  'node:https': ['telemetry/traces.ts'],
  'node:net': [
    'net',
    types('http/request/connections.ts'),
    types('processes'),
    'config/setting-values.ts',
    types('app/models.ts'),
  ],
  'node:sqlite': ['storage/database'],
  'node:tls': [],
  'node:vm': ['app/memory.ts'],
  'node:worker_threads': ['processes/pool-program.ts'],
}

const linesMax = 600

interface Import {
  from: string
  /** A file of src, or the name of a package. */
  to: string
  isType: boolean
  isOwn: boolean
}

/** Product code. Tests and their helpers may import anything. */
const files = ['.', shared, client]
  .flatMap((folder) =>
    readdirSync(join(src, folder), { recursive: true, encoding: 'utf8' }).map((file) => join(folder, file)),
  )
  .map((file) => file.replaceAll('\\', '/'))
  .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts') && !/(^|\/)(test-[^/]+|testing)\.ts$/.test(file))
  .sort()
const texts = new Map(files.map((file) => [file, readFileSync(join(src, file), 'utf8')]))
const imports = files.flatMap(importsOf)
const architecture = read('ARCHITECTURE.md')

test('each import rule applies to at least one file', () => {
  assert.ok(files.length > 120, `found ${files.length} files`)
  assert.ok(imports.length > 500, `found ${imports.length} imports`)
  for (const folder of Object.keys(importRules))
    assert.ok(
      files.some((file) => ruleOf(file) === folder),
      `${folder} has no files`,
    )
})

// Prevents: business rules that can only be tested with a database, a route that bypasses its service and reads a table,
// an engine that knows an operation by name. Each starts with one convenient import.
test('every import within src follows the import rules', () => {
  const ownImports = imports.filter(({ isOwn }) => isOwn)
  assert.ok(ownImports.length > 350, `found ${ownImports.length}`)
  const wrong = ownImports.filter(({ from, to, isType }) => ruleOf(from) !== ruleOf(to) && !isAllowed(from, to, isType))
  assert.deepEqual(
    wrong.map(({ from, to, isType }) => `${from} imports ${isType ? 'types of ' : ''}${to}`),
    [],
  )
})

// Prevents: documentation of rules that have changed.
test('the table in ARCHITECTURE.md has the current import rules', () => {
  const documented = [...tableOf(architecture, '## Who imports whom')]
  const expected = Object.entries(importRules)
    .filter(([folder]) => folder !== 'errors.ts' && folder !== 'limits.ts')
    .map(([folder, allowed]) => [`\`${folder.replace('../', '')}\``, rulesInWords(allowed)])
  assert.ok(expected.length > 20, `found ${expected.length}`)
  const rows = expected.map((cells) => `| ${cells.join(' | ')} |`).join('\n')
  assert.deepEqual(
    documented,
    expected,
    `Replace the rows of the table "Who imports whom" in ARCHITECTURE.md by:\n${rows}`,
  )
})

// Prevents: a new folder that the documentation does not describe.
test('the map of ARCHITECTURE.md names every folder of src and its subfolders, and no other', () => {
  const map = /## The map\n+```\n([\s\S]*?)```/.exec(architecture)?.[1] ?? ''
  const entries = map.slice(map.indexOf('\nsrc/\n') + 6, map.indexOf('\nconsole/src/')).split(/\n(?= {2}\S)/)
  const described = new Map(entries.map((entry) => [/^\s*(\S+)/.exec(entry)?.[1] ?? '', entry]))
  const folders = readdirSync(src, { withFileTypes: true }).filter((entry) => entry.isDirectory())
  assert.ok(folders.length > 12, `found ${folders.length}`)
  const expected = ['main.ts', 'errors.ts', 'limits.ts', 'bounded-cache.ts', ...folders.map(({ name }) => `${name}/`)]
  assert.deepEqual([...described.keys()].sort(), expected.sort())
  /** `operations` has one folder for each group of the palette. */
  const isGroup = (name: string) => (groups as readonly string[]).includes(name)
  const missing = folders.flatMap(({ name: folder }) =>
    readdirSync(join(src, folder), { withFileTypes: true })
      .filter((entry) => entry.isDirectory() && !isGroup(entry.name))
      .filter(({ name }) => !described.get(`${folder}/`)?.includes(`${name}/`))
      .map(({ name }) => `${folder}/${name}`),
  )
  assert.deepEqual(missing, [])
})

// Prevents: a new folder of src without a rule.
test('every file of src has an import rule', () => {
  assert.deepEqual(
    files.filter((file) => ruleOf(file) === undefined),
    [],
  )
})

// Prevents: a framework that is imported everywhere, so that an upgrade or a replacement affects everything.
test('every dependency is imported only by the files of its entry', () => {
  assert.deepEqual(Object.keys(homes).sort(), [...Object.keys(dependencies), 'onnxruntime-common'].sort())
  for (const [name, allowed] of Object.entries(homes)) {
    const users = usersOf(name)
    if (allowed.length > 0) assert.ok(users.length > 0, `${name} is not used: remove it from package.json`)
    assert.deepEqual(
      users.filter((user) => !allowed.some((folder) => isAt(user, folder))),
      [],
      name,
    )
    assert.deepEqual(
      allowed.filter((folder) => !users.some((user) => isAt(user, folder))),
      [],
      `${name}: no longer used`,
    )
  }
})

// Prevents: an import of a transitive dependency, which a release of another package may remove.
test('every imported package is a direct dependency', () => {
  const packages = imports.filter(({ to, isOwn }) => !isOwn && !to.startsWith('node:')).map(({ to }) => to)
  assert.ok(packages.length > 60, `found ${packages.length}`)
  assert.deepEqual(
    [...new Set(packages)].filter((name) => !Object.hasOwn(homes, name)),
    [],
  )
})

// Prevents: a request to an unchecked address, a second database, a program that runs with the rights of the service.
test('modules for the network, child processes and the database are imported only by the files of their entry', () => {
  const reaching = imports.filter(({ to }) => Object.hasOwn(builtinHomes, to))
  assert.ok(reaching.length > 8, `found ${reaching.length}`)
  const wrong = reaching.filter(
    ({ from, to, isType }) => !builtinHomes[to]?.some((folder) => isAt({ file: from, isType }, folder)),
  )
  assert.deepEqual(
    wrong.map(({ from, to }) => `${from} imports ${to}`),
    [],
  )
})

// Prevents: "cannot access before initialization" errors that depend on the order of imports.
test('the imports have no cycles', () => {
  const graph = new Map(
    files.map((file) => [file, imports.filter((each) => each.isOwn && each.from === file && each.to.endsWith('.ts'))]),
  )
  const done = new Set<string>()
  const cycles: string[] = []
  const visit = (file: string, trail: string[]): void => {
    if (trail.includes(file)) cycles.push([...trail.slice(trail.indexOf(file)), file].join(' -> '))
    if (done.has(file)) return
    done.add(file)
    for (const { to } of graph.get(file) ?? []) visit(to, [...trail, file])
  }
  for (const file of files) visit(file, [])
  assert.ok(done.size >= files.length)
  assert.deepEqual(cycles, [])
})

const onlyAt: { action: string; pattern: RegExp; at: string[]; prevents: string }[] = [
  {
    action: 'reads the environment',
    pattern: /\bprocess\.(env|loadEnvFile)\b/,
    // The canvas loads the fonts of the machine unless this variable is set.
    at: ['main.ts', 'imaging/vector/canvas.ts'],
    prevents: 'an undocumented setting whose invalid value is not reported at start',
  },
  {
    action: 'reads the time',
    pattern: /\bDate\.now\b|\bperformance\.now\b|\bprocess\.hrtime\b|\bnew Date\(\s*\)|(?<!new )\bDate\(\)/,
    at: ['domain/clock.ts', client],
    prevents: 'a test that has to sleep',
  },
  {
    action: 'generates random values',
    pattern: /\bMath\.random\b|\brandom(UUID|Bytes|Int|Fill|FillSync)\b|\bgetRandomValues\b/,
    at: ['domain/ids.ts', client],
    prevents: 'an id or a key that can be guessed',
  },
  {
    action: 'uses fetch or a socket',
    pattern:
      /(?<![.\w])fetch\s*\(|\bglobalThis\.fetch\b|\bnew (WebSocket|EventSource|XMLHttpRequest)\b|\bsetGlobalDispatcher\s*\(/,
    at: ['net', client],
    prevents: 'a request of a caller to the metadata service of the machine',
  },
  {
    action: 'ends the process',
    pattern: /\bprocess\.(exit|abort|kill|reallyExit)\s*\(/,
    at: ['main.ts', 'app/executor-program.ts', 'processes/pool-program.ts', 'credentials/library-child.ts'],
    prevents: 'an error in one request that ends all requests',
  },
  {
    action: 'names a file of test/ or fakes/',
    pattern: /['"`](\.\.\/)+(test|fakes)\//,
    at: ['providers/fake.ts'],
    prevents: 'an installation without tests that does not start',
  },
]

for (const { action, pattern, at, prevents } of onlyAt) {
  test(`${at.length > 0 ? `only ${at.join(', ')}` : 'no file'} ${action}`, () => {
    const users = files.filter((file) => pattern.test(codeOf(file))).map((file) => ({ file, isType: false }))
    for (const folder of at)
      assert.ok(
        users.some((user) => isAt(user, folder)),
        `${folder} doesn't, so the pattern finds nothing`,
      )
    const wrong = users.filter((user) => !at.some((folder) => isAt(user, folder))).map(({ file }) => file)
    assert.deepEqual(wrong, [], `prevents ${prevents}`)
  })
}

// Prevents: an operation with tests that no workflow can use.
test('every file of an operation is in the list of operations', async () => {
  const found = await declarations<Operation>('operations', ({ id, run }) => id !== undefined && run !== undefined)
  assert.ok(found.length >= 16, `found ${found.length}`)
  assert.deepEqual(
    found.filter(({ value }) => catalogue.get(value.id)?.params !== value.params).map(({ file }) => file),
    [],
  )
  assert.equal(found.length, catalogue.size)
})

// Prevents: a route that is never registered, or is hidden by another route with the same method and path.
test('every file of a route is in the list of routes, with a unique id, method and path', async () => {
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

// Prevents: a migration that never runs.
test('every migration is in the list of migrations, sorted by date', () => {
  const names = files
    .filter((file) => /^storage\/database\/migrations\/\d/.test(file))
    .map((file) => posix.basename(file, '.ts'))
  assert.ok(names.length >= 1)
  assert.deepEqual(Object.keys(migrations), names)
})

/** A table, with a line and a reason for each entry. */
const hasNoMaximum = ['limits.ts', `${client}/schema.ts`]

// Prevents: a file of thousands of lines that no one dares to change. 400 is the advice (CONTRIBUTING.md); a fragment that only its importer can
// use stays in the importer.
test(`no file has more than ${linesMax} lines`, (t) => {
  const sizes = [...texts].map(([file, text]) => ({ file, lines: text.split('\n').length - 1 }))
  sizes.sort((a, b) => b.lines - a.lines)
  for (const { file, lines } of sizes.slice(0, 8)) t.diagnostic(`${String(lines).padStart(4)} ${file}`)
  t.diagnostic(
    `${String(sizes[Math.floor(sizes.length / 2)]?.lines).padStart(4)} is the median of ${sizes.length} files`,
  )
  assert.ok((sizes[0]?.lines ?? 0) > 100)
  assert.deepEqual(
    sizes.filter(({ file, lines }) => lines > linesMax && !hasNoMaximum.includes(file)),
    [],
  )
})

// Prevents: a hidden type error.
test('no file uses the type any or suppresses an error of the compiler', () => {
  const wrong = files.filter((file) => /(?<![.\w])any\b|@ts-(ignore|expect-error|nocheck)/.test(codeOf(file, true)))
  assert.deepEqual(wrong, [])
  assert.match(withoutComments('const x: any = 1'), /\bany\b/)
})

// Prevents: chains of `export * from` that hide where something is defined.
test('no file re-exports names of another file', () => {
  assert.deepEqual(
    // The entry of a package names what it exports.
    files.filter((file) => file !== `${client}/index.ts` && /^export (type )?[{*][^\n]*\bfrom\b/m.test(codeOf(file))),
    [],
  )
})

// Prevents: instructions that work on the machine of their author only.
test('no file of the project names a folder of the machine of a developer', () => {
  const skipped = new Set(['node_modules', '.git', 'data', '.out', 'package-lock.json'])
  const paths = walk(root, skipped).filter((path) =>
    /\.(ts|js|json|md|yaml|yml|html|css|txt|example)$|^[^.]*$/.test(path),
  )
  assert.ok(paths.length > 250, `found ${paths.length}`)
  const personal = /(?<![\w.$/}])\/(home|root|Users|work|workspace|workspaces|mnt|srv)\/\w|\b[A-Z]:\\{1,2}Users\b/
  // These test how file names are cleaned, or have the pattern.
  const exceptions = new Set(['test/checks/architecture.test.ts', 'src/services/images/images.test.ts'])
  const wrong = paths.filter((path) => !exceptions.has(path) && personal.test(readFileSync(join(root, path), 'utf8')))
  assert.deepEqual(wrong, [])
})

function ruleOf(file: string): string | undefined {
  return Object.keys(importRules)
    .filter((folder) => file === folder || file.startsWith(`${folder}/`))
    .sort((a, b) => b.length - a.length)[0]
}

function isAllowed(from: string, to: string, isType: boolean): boolean {
  return (importRules[ruleOf(from) ?? ''] ?? []).some((folder) => {
    const [, only, name = ''] = /^(type )?(.*)$/.exec(folder) ?? []
    const rule = ruleOf(to) ?? ''
    // `engine` includes its subfolders. `providers` doesn't: it means the files next to the subfolders.
    const fits = name === to || rule === name || (name === 'engine' && rule.startsWith('engine/'))
    return fits && (only === undefined || isType)
  })
}

/** The rows of the first table below a heading, without the head. */
function tableOf(text: string, heading: string): string[][] {
  const [, table = ''] = /\n\n(\|[\s\S]*?)\n\n/.exec(text.slice(text.indexOf(heading))) ?? []
  const rows = table.split('\n').map((line) => line.split('|').slice(1, -1))
  return rows.slice(2).map((cells) => cells.map((cell) => cell.trim()))
}

/** The places of a rule as ARCHITECTURE.md shows them. Every folder may import errors and limits, so they are left out. */
function rulesInWords(allowed: string[]): string {
  const documented = allowed.filter((folder) => folder !== 'errors.ts' && folder !== 'limits.ts')
  if (documented.length === 0) return 'nothing'
  return documented
    .map((folder) =>
      folder.replace(/^(type )?(.*)$/, (_, only, name) => `${only ? 'types of ' : ''}\`${name.replace('../', '')}\``),
    )
    .join(', ')
}

/** Whether a place includes a file; a place with `type` includes type imports only. */
function isAt({ file, isType }: { file: string; isType: boolean }, folder: string): boolean {
  const [, only, name = ''] = /^(type )?(.*)$/.exec(folder) ?? []
  return (file === name || file.startsWith(`${name}/`)) && (only === undefined || isType)
}

/** Words that are also the name of a package, so only imports count. */
const groupNames = new Set<string>(groups)

/** The files that import a package, or have its name or the path of one of its files in a string. */
function usersOf(name: string): { file: string; isType: boolean }[] {
  const named = new RegExp(`['"\`]${name.replaceAll('.', '\\.')}(/[^'"\`]*)?['"\`]`)
  const isImported = (file: string) => imports.some(({ from, to }) => from === file && to === name)
  return files
    .filter((file) => (groupNames.has(name) ? isImported(file) : named.test(codeOf(file))))
    .map((file) => {
      const ownImports = imports.filter((each) => each.from === file && each.to === name)
      return { file, isType: ownImports.length > 0 && ownImports.every(({ isType }) => isType) }
    })
}

function importsOf(file: string): Import[] {
  return importsIn(texts.get(file) ?? '').map(({ specifier, isType }) => {
    const isOwn = specifier.startsWith('.')
    const to = isOwn ? posix.join(dirname(file), specifier) : packageOf(specifier)
    return { from: file, to, isType, isOwn }
  })
}

function codeOf(file: string, withoutStrings = false): string {
  return withoutComments(texts.get(file) ?? '', withoutStrings)
}

/** The exported objects of a shape in the files of a folder. */
async function declarations<Shape>(folder: string, fits: (value: Partial<Shape>) => boolean) {
  const candidates = files.filter((file) => file.startsWith(`${folder}/`) && !file.endsWith('/index.ts'))
  const found: { file: string; value: Shape }[] = []
  for (const file of candidates) {
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
