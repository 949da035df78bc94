/** The Helm chart: rendered by Helm, checked with the types of Kubernetes, and compared with the code. */
import assert from 'node:assert/strict'
import { execFile, execFileSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { BlockList, isIPv6 } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { promisify } from 'node:util'
import { parseAllDocuments } from 'yaml'
import { readConfig, settings } from '../src/config/config.ts'
import { routes } from '../src/http/routes/index.ts'
import { limits } from '../src/limits.ts'
import { repository } from './harness/process.ts'

interface Container {
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
interface Probe {
  httpGet: { path: string; port: string }
}
interface Manifest {
  apiVersion: string
  kind: string
  metadata: { name: string; annotations?: Record<string, string> }
  data: Record<string, string>
  stringData: Record<string, string>
  spec: {
    replicas?: number
    template: {
      metadata: { labels: Record<string, string>; annotations: Record<string, string> }
      spec: {
        containers: [Container]
        terminationGracePeriodSeconds: number
        securityContext: Record<string, unknown>
        volumes: { name: string }[]
      }
    }
    selector: Record<string, string> & { matchLabels?: Record<string, string> }
    scaleTargetRef: { name: string }
    rules: { host: string; http: { paths: { backend: { service: { name: string } } }[] } }[]
    podSelector: { matchLabels: Record<string, string> }
    egress: { to: { ipBlock?: { cidr: string; except?: string[] } }[]; ports: { port: number }[] }[]
  }
}

const chart = join(repository, 'deploy/helm/tintype')
const example = join(repository, 'deploy/helm/example-values.yaml')
const tools = join(repository, 'test/deploy-tools/node_modules')
const helm = join(tools, '.bin/helm')
const skip = existsSync(helm) ? false : 'Helm is not installed: run scripts/install-test-tools.sh'

/** Variables of other programs that the processes may have. */
const foreignVariables = ['AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY']

describe('the Helm chart', { skip }, () => {
  const render = (...options: string[]) =>
    documents(run('template', 'tintype', chart, '--namespace', 'tintype', '--values', example, ...options))
  const manifests = skip ? [] : render()
  const secret = documents(readFileSync(join(repository, 'deploy/helm/example-secret.yaml'), 'utf8'))[0] as Manifest
  const ofKind = (kind: string, all = manifests) => all.filter((each) => each.kind === kind)
  const containers = () => ofKind('Deployment').map(({ spec }) => spec.template.spec.containers[0])
  const environmentOf = ({ env = [] }: Container) => ({
    ...ofKind('ConfigMap')[0]?.data,
    ...secret.stringData,
    ...Object.fromEntries(env.map(({ name, value }) => [name, value])),
  })

  test('has no problem that Helm finds', () => {
    assert.match(run('lint', '--strict', chart, '--values', example), /0 chart\(s\) failed/)
  })

  test('makes resources that have the types of Kubernetes, with every optional part too', async () => {
    const all = join(mkdtempSync(join(tmpdir(), 'tintype-')), 'values.yaml')
    writeFileSync(all, JSON.stringify(everything))
    const resources = [...manifests, ...render('--values', all), secret]
    assert.ok(resources.length >= 20, `found ${resources.length}`)
    assert.deepEqual(await problemsOf(resources), '')
    const wrong = structuredClone(manifests[0]) as Manifest
    assert.match(await problemsOf([{ ...wrong, metadata: { nam: 'x' } as never }]), /nam/)
  })

  test('rejects missing and unknown values with the path of each', () => {
    const fails = (...options: string[]) => {
      try {
        run('template', 'tintype', chart, ...options)
      } catch (error) {
        return (error as { stderr: string }).stderr
      }
      return ''
    }
    const missing = fails()
    for (const path of ['/image/repository', '/settings/PUBLIC_URL', '/settings/STORAGE_URL', '/existingSecret'])
      assert.ok(missing.includes(`at '${path}'`), missing)
    assert.match(fails('--values', example, '--set', 'api.replica=3'), /'replica' not allowed/)
    assert.match(fails('--values', example, '--set', 'settings.STORAGE_URL=file:///images'), /\/settings\/STORAGE_URL/)
  })

  test('sets valid settings for every process, which have a shared database and a bucket', () => {
    const names = new Set<string>(Object.values(settings).map(({ name }) => name))
    assert.deepEqual(
      containers().map(({ args }) => args.join(' ')),
      ['serve --no-worker', 'worker'],
    )
    for (const container of containers()) {
      const environment = environmentOf(container)
      assert.deepEqual(
        Object.keys(environment).filter((name) => !names.has(name) && !foreignVariables.includes(name)),
        [],
      )
      const config = readConfig(environment)
      assert.ok(config.databaseUrl && config.storageUrl)
    }
  })

  test('gives processes more time to stop than the grace period of executions, also after a change', () => {
    for (const seconds of [25, 100]) {
      const all = render('--set', `settings.SHUTDOWN_GRACE_SECONDS=${seconds}`)
      for (const { spec } of ofKind('Deployment', all)) {
        const { terminationGracePeriodSeconds, containers } = spec.template.spec
        const pause = Number(containers[0].lifecycle?.preStop.exec.command[1] ?? 0)
        assert.ok(terminationGracePeriodSeconds - pause >= seconds + 5, spec.template.metadata.labels.component)
      }
    }
  })

  test('has an ingress with longer time-outs than the service, which accepts its largest requests', () => {
    const { metadata, spec } = ofKind('Ingress')[0] as Manifest
    const annotation = (name: string) => metadata.annotations?.[`nginx.ingress.kubernetes.io/${name}`] ?? ''
    const config = readConfig(environmentOf(containers()[0] as Container))
    assert.ok(Number(annotation('proxy-read-timeout')) >= config.syncWaitSeconds + 5)
    const bytes = Number(/^(\d+)m$/.exec(annotation('proxy-body-size'))?.[1]) * 1_048_576
    assert.ok(bytes >= Math.max(config.uploadBytesMax + 65_536, limits.batchUploadBytesMax))
    assert.equal(annotation('proxy-request-buffering'), 'on')
    assert.ok(Number(annotation('limit-connections')) > 0)
    assert.equal(spec.rules[0]?.host, new URL(config.publicUrl ?? '').hostname)
    const [service] = ofKind('Service')
    assert.equal(spec.rules[0]?.http.paths[0]?.backend.service.name, service?.metadata.name)
  })

  test('selects existing pods, and scales existing deployments', () => {
    const labels = ofKind('Deployment').map(({ spec }) => spec.template.metadata.labels)
    const selectors = [
      ...ofKind('Service').map(({ spec }) => spec.selector),
      ...['Deployment', 'PodDisruptionBudget'].flatMap((kind) =>
        ofKind(kind).map(({ spec }) => spec.selector.matchLabels ?? {}),
      ),
    ]
    assert.equal(selectors.length, 5)
    for (const selector of selectors)
      assert.equal(labels.filter((each) => isPart(selector, each)).length, 1, JSON.stringify(selector))
    const names = ofKind('Deployment').map(({ metadata }) => metadata.name)
    const scaled = ofKind('HorizontalPodAutoscaler').map(({ spec }) => spec.scaleTargetRef.name)
    assert.deepEqual(scaled.sort(), names.sort())
    const fixed = render('--set', 'worker.autoscaling.enabled=false,worker.replicas=3')
    assert.equal(ofKind('HorizontalPodAutoscaler', fixed).length, 1)
    assert.deepEqual(
      ofKind('Deployment', fixed).map(({ spec }) => spec.replicas),
      [undefined, 3],
    )
  })

  test('restarts the pods after a change of the settings', () => {
    const checksums = (...options: string[]) =>
      ofKind('Deployment', render(...options)).map(
        ({ spec }) => spec.template.metadata.annotations['checksum/settings'],
      )
    assert.notDeepEqual(checksums(), checksums('--set', 'settings.LOG_LEVEL=debug'))
  })

  test('gives containers no unnecessary rights, and probes that use existing endpoints', () => {
    const dockerfile = readFileSync(join(repository, 'Dockerfile'), 'utf8')
    const user = Number(/^USER (\d+):\d+$/m.exec(dockerfile)?.[1])
    const port = Number(/^EXPOSE (\d+)$/m.exec(dockerfile)?.[1])
    const paths = routes.map(({ path }) => path)
    for (const { spec } of ofKind('Deployment')) {
      const { runAsUser, runAsNonRoot } = spec.template.spec.securityContext
      assert.deepEqual([runAsUser, runAsNonRoot], [user, true])
    }
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
      const ports = container.args[0] === 'worker' ? undefined : [{ name: 'http', containerPort: port }]
      assert.deepEqual(container.ports, ports)
    }
  })

  test('lets pods connect to name servers, to the internet and to PostgreSQL, and to nothing else in a private network', () => {
    const { spec } = ofKind('NetworkPolicy')[0] as Manifest
    for (const { spec: pods } of ofKind('Deployment'))
      assert.ok(isPart(spec.podSelector.matchLabels, pods.template.metadata.labels))
    const portsTo = (address: string) =>
      spec.egress
        .filter(({ to }) =>
          to.some(({ ipBlock }) => ipBlock && isIn(address, [ipBlock.cidr]) && !isIn(address, ipBlock.except ?? [])),
        )
        .flatMap(({ ports }) => ports.map(({ port }) => port))
    for (const address of ['169.254.169.254', '127.0.0.1', '100.64.0.1', 'fd00::1', 'fe80::1', '::1'])
      assert.deepEqual(portsTo(address), [], address)
    const { port } = new URL(secret.stringData.DATABASE_URL ?? '')
    for (const address of ['10.1.2.3', '172.31.0.1', '192.168.0.1'])
      assert.deepEqual(portsTo(address), [Number(port)], address)
    for (const address of ['1.1.1.1', '2606:4700::1111']) assert.deepEqual(portsTo(address), [80, 443], address)
  })
})

/** Values of every optional part. */
const everything = {
  imagePullSecrets: [{ name: 'registry' }],
  api: {
    settings: { LOG_LEVEL: 'debug' },
    autoscaling: { enabled: false },
    podAnnotations: { note: 'x' },
    nodeSelector: { disk: 'ssd' },
    tolerations: [{ key: 'images', operator: 'Exists' }],
    affinity: { nodeAffinity: {} },
  },
  service: { annotations: { note: 'x' } },
  networkPolicy: {
    extraEgress: [{ to: [{ ipBlock: { cidr: '10.0.0.9/32' } }], ports: [{ protocol: 'TCP', port: 9000 }] }],
  },
}

/** Errors of the compiler, which knows every property, its type and whether it is required. */
async function problemsOf(resources: Manifest[]): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'tintype-'))
  try {
    symlinkSync(tools, join(folder, 'node_modules'))
    const lines = resources.flatMap((resource, index) => [
      `import type { I${resource.kind} as Type${index} } from 'kubernetes-models/${resource.apiVersion}'`,
      `export const resource${index}: Type${index} = ${JSON.stringify(resource)}`,
    ])
    writeFileSync(join(folder, 'resources.ts'), lines.join('\n'))
    const options = ['--noEmit', '--strict', '--skipLibCheck', '--module', 'nodenext', '--target', 'esnext']
    const tsc = join(repository, 'node_modules/typescript/bin/tsc')
    return await promisify(execFile)(process.execPath, [tsc, ...options, 'resources.ts'], { cwd: folder }).then(
      ({ stdout }) => stdout,
      ({ stdout }) => stdout,
    )
  } finally {
    rmSync(folder, { recursive: true })
  }
}

function run(...args: string[]): string {
  return execFileSync(helm, args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] })
}

function documents(text: string): Manifest[] {
  return parseAllDocuments(text).map((document) => document.toJS() as Manifest)
}

function isPart(part: Record<string, string>, of: Record<string, string>): boolean {
  return Object.keys(part).length > 0 && Object.entries(part).every(([name, value]) => of[name] === value)
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
