/**
 * The last step of `npm ci`: builds the console, if the packages that build it are installed. `npm ci --omit=dev` leaves them out.
 * Plain JavaScript, because without them there may be no Node that runs TypeScript either.
 */
import { createRequire } from 'node:module'

const { resolve } = createRequire(new URL('../console/package.json', import.meta.url))
let isInstalled = true
try {
  resolve('vite')
} catch {
  isInstalled = false
}
if (isInstalled) await import('./build-console.ts')
