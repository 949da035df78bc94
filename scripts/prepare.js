/**
 * The last step of `npm ci`: builds the console and the documentation, if the packages that build them are installed.
 * `npm ci --omit=dev` leaves them out. Plain JavaScript, because without them there may be no Node that runs TypeScript either.
 */
import { createRequire } from 'node:module'

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
