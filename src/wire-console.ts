/** The part of the composition that serves the console. */
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Logger } from 'pino'
import type { Config } from './config.ts'
import { type ConsoleBuild, createConsoleBuild } from './console/build.ts'
import { createConsoleSite, type Site } from './http/console/site.ts'

const root = dirname(dirname(fileURLToPath(import.meta.url)))

/** Undefined where it is switched off. `imageUrls`: how URLs of images may begin. */
export function wireConsole(
  config: Pick<Config, 'console'>,
  log: Logger,
  imageUrls: () => string[],
): { build: ConsoleBuild; site: Site } | undefined {
  if (!config.console) return undefined
  const build = createConsoleBuild({ root, log })
  const site = createConsoleSite({
    folder: join(root, 'console', 'dist'),
    state: build.state,
    imageOrigins: () => imageUrls().map((url) => new URL(url).origin),
  })
  return { build, site }
}
