/** The installation: `npm ci` prints no warning about this project and downloads nothing but packages. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { repository } from '../harness/process.ts'

const read = (name: string) => readFileSync(join(repository, name), 'utf8')

test('every line of .npmrc is a setting that npm knows, so that no npm command warns', () => {
  const names = read('.npmrc')
    .split('\n')
    .filter((line) => line && !line.startsWith('#'))
    .map((line) => line.split('=')[0])
  assert.deepEqual(names.sort(), ['audit', 'fund', 'legacy-peer-deps', 'loglevel', 'save-exact'])
})

// The script of onnxruntime-node downloads 200 MB for CUDA; that of cbor-extract compiles, if no prebuilt binary fits. Newer npm obeys `allowScripts`; older npm runs what the lockfile
// marks. If "npm install" has added the mark again, remove it from package-lock.json.
test('only packages without downloads have an install script that npm runs', () => {
  const { packages } = JSON.parse(read('package-lock.json')) as {
    packages: Record<string, { hasInstallScript?: boolean }>
  }
  const marked = Object.keys(packages).filter((name) => packages[name]?.hasInstallScript)
  assert.deepEqual(marked, ['node_modules/@scarf/scarf', 'node_modules/node'])
  const { allowScripts, scarfSettings } = JSON.parse(read('package.json'))
  assert.deepEqual(allowScripts, {
    node: true,
    'onnxruntime-node': false,
    '@scarf/scarf': false,
    'cbor-extract': false,
  })
  assert.deepEqual(scarfSettings, { enabled: false })
})
