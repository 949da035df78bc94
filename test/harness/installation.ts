/** An installation with the bundle instead of the sources, like the npm package and the container, in a temporary folder. */
import { cpSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { after } from 'node:test'
import { buildBundle } from '../../scripts/build-bundle.ts'

const repository = path.resolve(import.meta.dirname, '../..')

/** Returns its folder. Services and commands of the harness that is imported later run in it. It is removed after the tests of the file. */
export async function installBundle(): Promise<string> {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'tintype-bundle-'))
  after(() => rmSync(folder, { recursive: true, force: true }))
  for (const name of ['bin', 'examples', 'package.json'])
    cpSync(path.join(repository, name), path.join(folder, name), { recursive: true })
  symlinkSync(path.join(repository, 'node_modules'), path.join(folder, 'node_modules'))
  await buildBundle(path.join(folder, 'dist'))
  process.env.TEST_PROGRAM = path.join(folder, 'bin/tintype.js')
  return folder
}
