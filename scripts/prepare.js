/**
 * The last step of `npm ci`: makes the console's API types, and builds the console and the documentation, each if its packages are
 * installed. `npm ci --omit=dev` leaves them out. Plain JavaScript, because without them there may be no Node that runs TypeScript either.
 */
import { createRequire } from 'node:module'

if (isInstalled('console', 'openapi-typescript')) await import('./console-types.ts')
for (const [workspace, tool] of [
  ['console', 'vite'],
  ['site', 'vitepress'],
])
  if (isInstalled(workspace, tool)) await import(`./build-${workspace}.ts`)

function isInstalled(workspace, tool) {
  try {
    createRequire(new URL(`../${workspace}/package.json`, import.meta.url)).resolve(tool)
    return true
  } catch {
    return false
  }
}
