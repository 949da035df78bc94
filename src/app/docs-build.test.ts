import assert from 'node:assert/strict'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { until } from '../../test/harness/wait.ts'
import { canBuildDocs, createDocsBuild } from './docs-build.ts'

const log = { info: () => {}, error: () => {} }

/** An installation with the given script as its build. */
function installation(t: TestContext, script: string, others: Record<string, string> = {}): string {
  const root = mkdtempSync(join(tmpdir(), 'tintype-'))
  t.after(() => rmSync(root, { recursive: true }))
  const files = { 'package.json': '{ "type": "module" }', 'site/package.json': '{}', 'scripts/build-site.ts': script }
  for (const [name, text] of Object.entries({ ...files, ...others })) {
    mkdirSync(dirname(join(root, name)), { recursive: true })
    writeFileSync(join(root, name), text)
  }
  return root
}

const vitepress = { 'node_modules/vitepress/index.js': '' }

test('many requests start one build, in a process with a low priority and without the environment', async (t) => {
  const script = `import { appendFileSync, existsSync } from 'node:fs'
import { getPriority } from 'node:os'
import { setImmediate } from 'node:timers/promises'
while (getPriority() === 0 || !existsSync('go')) await setImmediate()
appendFileSync('built', \`\${getPriority()} \${Object.keys(process.env)}\\n\`)`
  const root = installation(t, script, vitepress)
  const build = createDocsBuild(root, log)
  assert.deepEqual([build(), build(), build()], ['running', 'running', 'running'])
  writeFileSync(join(root, 'go'), '')
  const built = join(root, 'built')
  const text = await until('the build', () => (existsSync(built) && readFileSync(built, 'utf8')) || undefined)
  assert.equal(text, '19 \n')
})

test('a failed build is not repeated', async (t) => {
  const root = installation(
    t,
    `import { appendFileSync } from 'node:fs'\nappendFileSync('runs', 'x')\nprocess.exit(1)`,
    vitepress,
  )
  const build = createDocsBuild(root, log)
  await until('the failure', () => build() === 'failed' || undefined)
  assert.equal(build(), 'failed')
  assert.equal(readFileSync(join(root, 'runs'), 'utf8'), 'x')
})

test('without the packages or the sources of the build nothing is started', (t) => {
  const script = `import { writeFileSync } from 'node:fs'\nwriteFileSync('built', '')`
  const root = installation(t, script)
  assert.equal(canBuildDocs(root), false)
  assert.equal(createDocsBuild(root, log)(), 'not installed')
  const packaged = installation(t, script, vitepress)
  rmSync(join(packaged, 'scripts'), { recursive: true })
  assert.equal(createDocsBuild(packaged, log)(), 'not installed')
})
