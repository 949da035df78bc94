/** The programs of the guide and of the README of the client work as they are written. */
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { copyFileSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { createClient, ok } from '../harness/client.ts'
import { repository } from '../harness/process.ts'
import { type Service, startWithoutExamples } from '../harness/service.ts'
import type { Image } from '../harness/types.ts'
import { type InstalledClient, installClient } from './package.ts'

const run = promisify(execFile)
const photo = join(repository, 'examples/pictures/astronaut.jpg')

const blocksOf = (path: string, language: string): string[] =>
  [
    ...readFileSync(join(repository, path), 'utf8').matchAll(new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\`$`, 'gms')),
  ].map(([, text = '']) => text)

const readme = blocksOf('client/README.md', 'ts')
/** Programs with a client; the others are parts of a server. */
const programs = readme.filter((text) => text.includes('new Tintype('))

/** Modules of frameworks, with the part that the snippets use. */
const frameworks = {
  h3: `export const defineEventHandler = (handle: (event: { id: string; query: Record<string, string> }) => unknown) => handle
    export const getRouterParam = (event: { id: string }, _name: string) => event.id
    export const getQuery = (event: { query: Record<string, string> }) => event.query`,
  '@nuxt/image/runtime': `type Provider = { getImage(src: string, options: { modifiers: { width: number } }): { url: string } }
    export const defineProvider = (provider: Provider) => () => provider`,
}

describe('the guide of the client', () => {
  let service: Service
  let installed: InstalledClient
  let environment: Record<string, string>

  before(async () => {
    service = await startWithoutExamples({})
    installed = installClient()
    environment = { TINTYPE_URL: service.origin, TINTYPE_KEY: service.key }
    copyFileSync(photo, join(installed.folder, 'photo.jpg'))
    for (const [i, text] of readme.entries()) installed.write(`readme${i}.ts`, text)
  })
  after(async () => {
    await service.remove()
    installed.remove()
  })

  const start = async (file: string, env: Record<string, string>) =>
    run(process.execPath, [file], { cwd: installed.folder, env: { ...process.env, ...env } })

  test('has the same programs as the README', () => {
    assert.deepEqual(blocksOf('docs/guide/typescript-client.md', 'ts'), readme)
    assert.ok(programs.length >= 8)
  })

  test('has programs that compile with strict TypeScript', () => {
    assert.equal(installed.compile({ lib: ['es2023'], types: ['node'] }), '')
  })

  test('has programs that work, in the order of the page', async () => {
    const outputs: string[] = []
    for (const text of programs) {
      const { stdout } = await start(installed.write('program.ts', text), environment)
      outputs.push(stdout)
    }
    const [setup, first] = outputs
    assert.match(setup ?? '', /^wf_\w+\n$/)
    assert.match(first ?? '', /^http\S+\.png 1200 630 \d+\n$/)
    const all = outputs.join('')
    assert.match(all, /62306 of 62306 bytes\nimg_\w+ http/)
    assert.match(all, /launch completed http/)
    assert.match(all, /parameters\.headlin is not a known parameter/)
    const [signed = ''] = /http\S+\/i\/link-card\.webp\S+/.exec(all) ?? []
    assert.equal((await fetch(signed)).status, 200)
  })

  test('has components of images whose URLs the service accepts', async () => {
    const api = await createClient(service, service.key)
    const key = ok(await api.post<{ id: string; secret: string }>('/signing-keys', { name: 'Site' }), 201)
    const form = new FormData()
    form.append('file', new Blob([readFileSync(photo)]), 'photo.jpg')
    const uploaded = await fetch(`${service.origin}/v1/storage/upload`, {
      method: 'POST',
      headers: { authorization: `Bearer ${service.key}` },
      body: form,
    })
    const { id } = (await uploaded.json()) as Image
    Object.assign(process.env, {
      TINTYPE_URL: service.origin,
      TINTYPE_SIGNING_KEY_ID: key.id,
      TINTYPE_SIGNING_SECRET: key.secret,
    })
    const names = ['tintype', 'next.config', 'image-loader', 'route', 'provider', 'nuxt-route', 'nuxt.config', 'card']
    const blocks = blocksOf('docs/guide/image-components.md', 'ts')
    assert.equal(blocks.length, names.length)
    const load = async (name: string) => {
      const text = (blocks[names.indexOf(name)] ?? '')
        .replaceAll("'./tintype'", "'./tintype.ts'")
        .replaceAll(/'(h3|@nuxt\/image\/runtime)'/g, (_, each) => `'./${each.replaceAll(/\W/g, '-')}.ts'`)
      return import(pathToFileURL(installed.write(`${name}.ts`, text)).href)
    }
    for (const [name, text] of Object.entries(frameworks)) installed.write(`${name.replaceAll(/\W/g, '-')}.ts`, text)
    const widthOf = async (url: string) => {
      const response = await fetch(url, { headers: { accept: 'image/webp' } })
      assert.deepEqual([response.status, response.headers.get('content-type')], [200, 'image/webp'])
      const sharp = (await import('sharp')).default
      return (await sharp(Buffer.from(await response.arrayBuffer())).metadata()).width
    }

    const { imageSources, widths } = await load('tintype')
    const { src, srcset } = await imageSources(id)
    assert.equal(srcset.split(', ').length, widths.length)
    const [smallest = ''] = srcset.split(' ')
    assert.equal(await widthOf(smallest), 320)
    assert.equal(await widthOf(src), 512, 'the image is not enlarged')

    const { default: config } = await load('next.config')
    assert.deepEqual(config.images.deviceSizes, widths)
    const { default: imageLoader } = await load('image-loader')
    const { GET } = await load('route')
    const { default: provider } = await load('provider')
    const { default: handle } = await load('nuxt-route')
    await load('nuxt.config')
    const path = imageLoader({ src: id, width: 320 })
    assert.equal(provider().getImage(id, { modifiers: { width: 320 } }).url, path)
    const redirects: Response[] = [
      await GET(new Request(`http://site.example${path}`), { params: Promise.resolve({ id }) }),
      await handle({ id, query: { w: '320' } }),
    ]
    for (const { status, headers } of redirects) {
      assert.equal(status, 307)
      assert.equal(await widthOf(headers.get('location') ?? ''), 320)
    }
    const refused = [
      await GET(new Request('http://site.example/images/x?w=333'), { params: Promise.resolve({ id }) }),
      await GET(new Request('http://site.example/images/x?w=320'), { params: Promise.resolve({ id: '../x' }) }),
    ]
    assert.deepEqual(
      refused.map(({ status }) => status),
      [404, 404],
    )
    const { cardUrl } = await load('card')
    assert.match(await cardUrl('Hello'), /\/i\/link-card@live\.png\?exp=\d+&headline=Hello&kid=skey_\w+&sig=/)
  })
})
