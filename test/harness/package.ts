/** The npm package as `npm pack` makes it, from a copy: `npm pack` changes package.json for a moment, and other tests read it. */
import { execFileSync } from 'node:child_process'
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { buildBundle } from '../../scripts/build-bundle.ts'
import { type Manifest, packageManifest } from '../../scripts/package-manifest.ts'

const repository = path.resolve(import.meta.dirname, '../..')

/** Returns the path of the `.tgz` in `folder`. */
export async function packPackage(folder: string): Promise<string> {
  for (const workspace of ['console', 'site'])
    execFileSync(process.execPath, [path.join(repository, 'scripts', `build-${workspace}.ts`)], { stdio: 'pipe' })
  const clone = JSON.parse(readFileSync(path.join(repository, 'package.json'), 'utf8')) as Manifest & {
    name: string
    files: string[]
  }
  const copy = mkdtempSync(path.join(os.tmpdir(), 'tintype-package-'))
  try {
    for (const name of [...clone.files, 'README.md', 'LICENSE'].filter((name) => name !== 'dist'))
      cpSync(path.join(repository, name), path.join(copy, name), { recursive: true })
    await buildBundle(path.join(copy, 'dist'))
    writeFileSync(path.join(copy, 'package.json'), JSON.stringify(packageManifest(clone)))
    execFileSync('npm', ['pack', '--pack-destination', folder], { cwd: copy, stdio: 'pipe' })
  } finally {
    rmSync(copy, { recursive: true })
  }
  return path.join(folder, `${clone.name}-${clone.version}.tgz`)
}
