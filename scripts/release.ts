/**
 * Creates the files of a release from the last commit: `npm run release`, into `release/`. The sources, the npm package, a software bill
 * of materials (CycloneDX) of the packages that `npm ci --omit=dev` installs, and the SHA-256 of all three.
 */
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const { name, version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
  name: string
  version: string
}

if (run('git', 'status', '--porcelain', '--untracked-files=no') !== '') {
  process.stderr.write(
    'There are changes that are not committed. Commit or stash them: a release is made from a commit.\n',
  )
  process.exit(1)
}
const folder = join(root, 'release')
mkdirSync(folder, { recursive: true })

const sources = `${name}-${version}.tar.gz`
run('git', 'archive', '--format=tar.gz', `--prefix=${name}-${version}/`, '-o', join(folder, sources), 'HEAD')
// Runs `prepack`, which builds the console, the documentation and the bundle.
run('npm', 'pack', '--pack-destination', folder)
const packed = `${name}-${version}.tgz`
const bill = `${name}-${version}.cdx.json`
// From the lock file, so that packages of other platforms are listed too.
const sbom = run(
  'npm',
  'sbom',
  '--sbom-format=cyclonedx',
  '--sbom-type=application',
  '--package-lock-only',
  '--omit=dev',
)
// npm uses the name of the folder for the component.
const document = JSON.parse(sbom) as { metadata: { component: { name: string } } }
document.metadata.component.name = name
writeFileSync(join(folder, bill), `${JSON.stringify(document, null, 2)}\n`)
const files = [sources, packed, bill]
const sums = files.map((file) => `${sha256(join(folder, file))}  ${file}\n`)
writeFileSync(join(folder, 'SHA256SUMS'), sums.join(''))
process.stdout.write(`${[...files, 'SHA256SUMS'].map((file) => join('release', file)).join('\n')}\n`)

function run(command: string, ...args: string[]): string {
  return execFileSync(command, args, {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 256 * 1024 * 1024,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
}

function sha256(file: string): string {
  return createHash('sha256').update(readFileSync(file)).digest('hex')
}
