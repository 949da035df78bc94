/** Composition of the documentation. */
import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Logger } from 'pino'
import type { Config } from '../config/config.ts'
import { createDocsSite } from '../http/static/docs.ts'
import type { Site } from '../http/static/site.ts'
import { canBuildDocs, createDocsBuild } from './docs-build.ts'

const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))))
const folder = join(root, 'site', 'dist')

export function areDocsBuilt(): boolean {
  return existsSync(join(folder, 'index.html'))
}

/** Why the documentation can't be served, with the command that repairs it. The service works without it. */
export function missingDocs(config: Pick<Config, 'docs'>): string | undefined {
  if (!config.docs || areDocsBuilt() || canBuildDocs(root)) return undefined
  return 'The documentation is not built: run "npm run build", or set DOCS=false.'
}

/** Undefined if the documentation is disabled. */
export function createDocs(config: Pick<Config, 'docs'>, log: Logger): Site | undefined {
  return config.docs ? createDocsSite({ folder, build: createDocsBuild(root, log) }) : undefined
}
