/** Composition of the console. */
import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Config } from '../config/config.ts'
import { createConsoleSite, type Site } from '../http/static/site.ts'

const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))))
const folder = join(root, 'console', 'dist')

/** Why the console can't be served, as a sentence with the command that repairs it. Undefined if it can, or is disabled. */
export function missingConsole(config: Pick<Config, 'console'>): string | undefined {
  if (!config.console || existsSync(join(folder, 'index.html'))) return undefined
  return `The console is not built: run "npm run build" in ${root}, or set CONSOLE=false to start without it.`
}

/** Undefined if the console is disabled. `imageUrls`: possible starts of image URLs. */
export function createConsole(config: Pick<Config, 'console'>, imageUrls: () => string[]): Site | undefined {
  if (!config.console) return undefined
  return createConsoleSite({ folder, imageOrigins: () => imageUrls().map((url) => new URL(url).origin) })
}
