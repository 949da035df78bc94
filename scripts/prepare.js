/**
 * The last step of `npm ci`: removes files of packages that nothing loads, builds the console and, in an installation for development, makes its
 * API types. The documentation is built by `npm run build`, or when somebody reads it. Plain JavaScript, because an older Node may run it if there
 * is no Node 24 for the platform.
 */
import { createRequire } from 'node:module'

if (Number(process.versions.node.split('.')[0]) < 24) {
  process.stderr.write(
    `Tintype needs Node 24, and npm has not installed its package for ${process.platform} (${process.arch}). Run "npm ci" without --omit=optional. If there is no package for this platform, install Node 24.\n`,
  )
  process.exit(1)
}
await import('./trim-packages.js')
await import('./build-console.ts')
if (isInstalled('openapi-typescript')) await import('./console-types.ts')

function isInstalled(name) {
  try {
    createRequire(import.meta.url).resolve(name)
    return true
  } catch {
    return false
  }
}
