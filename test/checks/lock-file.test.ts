/** The lock file has hashes with which `npm ci` checks packages. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'

interface Entry {
  version?: string
  link?: boolean
  integrity?: string
}

const lock: { packages: Record<string, Entry> } = JSON.parse(
  readFileSync(fileURLToPath(new URL('../../package-lock.json', import.meta.url)), 'utf8'),
)

/**
 * Optional packages for other platforms without hashes, because the registry that the lock file was written with doesn't
 * have them. `node scripts/lock-integrity.ts` adds the hashes if it does. This list only gets shorter.
 */
const withoutHash: Record<string, string[]> = {
  '@biomejs/cli-': [
    'android-arm64',
    'android-x64',
    'darwin-arm64',
    'darwin-x64',
    'linux-arm64-musl',
    'linux-x64-musl',
    'win32-arm64',
    'win32-x64',
  ],
  '@napi-rs/canvas-': [
    'android-arm64',
    'darwin-arm64',
    'darwin-x64',
    'linux-arm-gnueabihf',
    'linux-arm64-musl',
    'linux-riscv64-gnu',
    'linux-x64-musl',
    'win32-arm64-msvc',
    'win32-x64-msvc',
  ],
  'node-': ['bin-darwin-arm64', 'darwin-x64'],
}

test('every package of the lock file has a hash, except for known ones', () => {
  const missing = Object.entries(lock.packages)
    .filter(
      ([path, { link, integrity }]) => path.includes('node_modules/') && !link && !integrity?.startsWith('sha512-'),
    )
    .map(([path]) => path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length))
  const known = Object.entries(withoutHash).flatMap(([name, ends]) => ends.map((end) => `${name}${end}`))
  assert.deepEqual(missing.toSorted(), known.toSorted())
})
