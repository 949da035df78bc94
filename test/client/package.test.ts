/** The package of the client: its files, its size, and no need for anything but `fetch`. */
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { rolldown } from 'rolldown'
import { repository } from '../harness/process.ts'
import { type InstalledClient, installClient } from './package.ts'

describe('the package of the client', () => {
  let installed: InstalledClient
  before(() => {
    installed = installClient()
  })
  after(() => installed.remove())

  test('has at most 15 kB in a page, and a bundler for browsers needs no module of Node', async () => {
    const warnings: string[] = []
    const bundle = await rolldown({
      input: join(installed.client, 'dist/index.js'),
      platform: 'browser',
      onLog: (_level, { message }) => warnings.push(message),
    })
    const { output } = await bundle.generate({ minify: true })
    assert.equal(output.length, 1)
    const { code, imports } = output[0]
    assert.deepEqual([warnings, imports], [[], []])
    const size = gzipSync(code).length
    assert.ok(size < 15_000, `${size} bytes`)
    const [, documented = ''] = /has (\d+) kB/.exec(readFileSync(join(repository, 'client/README.md'), 'utf8')) ?? []
    assert.equal(Math.ceil(size / 1000), Number(documented), 'the README has the size')
  })

  test('has its code, types, README and license, and no dependencies', () => {
    const {
      dependencies,
      peerDependencies,
      version,
      license,
      private: isPrivate,
    } = JSON.parse(readFileSync(join(installed.client, 'package.json'), 'utf8'))
    const { version: ofService } = JSON.parse(readFileSync(join(repository, 'package.json'), 'utf8'))
    assert.deepEqual([dependencies, peerDependencies, isPrivate, license], [undefined, undefined, undefined, 'MIT'])
    assert.equal(version, ofService)
    for (const file of ['README.md', 'LICENSE'])
      execFileSync('cp', [join(repository, 'client', file), join(installed.client, file)])
    const packed = execFileSync('npm', ['pack', '--dry-run', '--json', '--ignore-scripts'], {
      cwd: installed.client,
      encoding: 'utf8',
    })
    const [{ files }] = JSON.parse(packed) as [{ files: { path: string }[] }]
    const paths = files.map(({ path }) => path)
    for (const path of ['README.md', 'LICENSE', 'package.json', 'dist/index.js', 'dist/index.d.ts', 'dist/schema.d.ts'])
      assert.ok(paths.includes(path), path)
    assert.deepEqual(
      paths.filter((path) => !/^(dist\/[\w-]+(\.d)?\.[jt]s|README\.md|LICENSE|package\.json)$/.test(path)),
      [],
    )
  })
})
