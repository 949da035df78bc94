import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'

const require = createRequire(import.meta.url)
const { dependencies } = JSON.parse(readFileSync(require.resolve('../../../package.json'), 'utf8')) as {
  dependencies: Record<string, string>
}

/** Packages that affect the pixels, with their versions. */
export const htmlPackages = ['@takumi-rs/core', 'css-tree', 'parse5'].map((name) => `${name} ${dependencies[name]}`)
