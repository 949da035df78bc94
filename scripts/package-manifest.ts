/**
 * Usage: node scripts/package-manifest.ts pack|restore. npm runs both around `npm pack` (prepack, postpack). `pack` writes the package.json of the
 * npm package: without the packages that are in the bundle, and without what only a clone needs. `restore` brings back the one of the clone.
 */
import { cpSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { external } from './build-bundle.ts'

export interface Manifest {
  version: string
  dependencies: Record<string, string>
  optionalDependencies: Record<string, string>
  [field: string]: unknown
}

export function packageManifest(clone: Manifest): Manifest {
  const {
    allowScripts: _allowScripts,
    devDependencies: _devDependencies,
    overrides: _overrides,
    scarfSettings: _scarfSettings,
    scripts: _scripts,
    workspaces: _workspaces,
    ...manifest
  } = clone
  return {
    ...manifest,
    dependencies: Object.fromEntries(Object.entries(clone.dependencies).filter(([name]) => external.test(name))),
  }
}

if (import.meta.main) {
  const root = fileURLToPath(new URL('..', import.meta.url))
  const file = join(root, 'package.json')
  // If npm is killed in between, this file or Git has the package.json of the clone.
  const original = join(root, 'node_modules', '.clone-package.json')
  const [, , action] = process.argv
  if (action === 'pack') {
    cpSync(file, original)
    const manifest = packageManifest(JSON.parse(readFileSync(file, 'utf8')))
    writeFileSync(file, `${JSON.stringify(manifest, null, 2)}\n`)
  } else renameSync(original, file)
}
