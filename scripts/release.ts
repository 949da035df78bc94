/**
 * Creates the files of a release from the last commit: `npm run release`, into `release/`. The sources, the npm package of each workspace that
 * isn't private, a software bill of materials (CycloneDX) of the packages that the service consists of, the SHA-256 of all, and the notes, which
 * are the section of the version in CHANGELOG.md. Nothing is published: .github/workflows/release.yml runs this and publishes the files.
 */
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

interface Manifest {
  name: string
  version: string
  private?: boolean
  workspaces?: string[]
}

/** The section of a version, or of the changes that no version has yet. `repository`: its URL, for links to files. */
export function releaseNotes(changelog: string, version: string, repository?: string): string {
  const sections = new Map(
    changelog
      .split(/^## /m)
      .slice(1)
      .map((section) => {
        const [title = '', ...lines] = section.split('\n')
        return [title.trim(), lines.join('\n').trim()]
      }),
  )
  const notes = sections.get(version) ?? sections.get('Unreleased')
  if (notes === undefined) throw new Error(`CHANGELOG.md has neither a section "## ${version}" nor "## Unreleased".`)
  return repository === undefined ? notes : notes.replaceAll(/\]\((?![a-z]+:|#)/g, `](${repository}/blob/v${version}/`)
}

const root = fileURLToPath(new URL('..', import.meta.url))

if (import.meta.main) release()

function release(): void {
  if (run('git', 'status', '--porcelain', '--untracked-files=no') !== '') {
    process.stderr.write(
      'There are changes that are not committed. Commit or stash them: a release is made from a commit.\n',
    )
    process.exit(1)
  }
  const { name, version, workspaces = [] } = manifestOf('.')
  const folder = join(root, 'release')
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder)

  const sources = `${name}-${version}.tar.gz`
  run('git', 'archive', '--format=tar.gz', `--prefix=${name}-${version}/`, '-o', join(folder, sources), 'HEAD')
  const published = ['.', ...workspaces].filter((workspace) => !manifestOf(workspace).private)
  const { GITHUB_SERVER_URL: server, GITHUB_REPOSITORY: path } = process.env
  const repository = server && path ? `${server}/${path}` : undefined
  const packages = published.map((workspace) => pack(workspace, folder, repository))
  const bill = `${name}-${version}.cdx.json`
  writeFileSync(join(folder, bill), billOfMaterials(name))
  writeFileSync(join(folder, 'NOTES.md'), `${releaseNotes(read('CHANGELOG.md'), version, repository)}\n`)
  const files = [sources, ...packages, bill]
  writeFileSync(join(folder, 'SHA256SUMS'), files.map((file) => `${sha256(join(folder, file))}  ${file}\n`).join(''))
  process.stdout.write(`${[...files, 'SHA256SUMS', 'NOTES.md'].map((file) => join('release', file)).join('\n')}\n`)
}

/** The name of the file. npm runs the `prepack` of the package, which builds it. */
function pack(workspace: string, folder: string, repository: string | undefined): string {
  const where = workspace === '.' ? [] : ['--workspace', workspace]
  try {
    // npm compares it with the repository that built the package (provenance).
    if (repository !== undefined)
      run(
        'npm',
        'pkg',
        'set',
        ...where,
        'repository.type=git',
        `repository.url=git+${repository}.git`,
        `homepage=${repository}`,
      )
    const printed = run('npm', 'pack', ...where, '--pack-destination', folder)
    return printed.trim().split('\n').at(-1) ?? ''
  } finally {
    run('git', 'checkout', '--', join(workspace, 'package.json'))
  }
}

/** Software bill of materials, from the lock file: it lists packages of other platforms too. */
function billOfMaterials(name: string): string {
  const options = ['--sbom-format=cyclonedx', '--sbom-type=application', '--package-lock-only', '--omit=dev']
  const bill = JSON.parse(run('npm', 'sbom', ...options)) as { metadata: { component: { name: string } } }
  // npm uses the name of the folder for the component.
  bill.metadata.component.name = name
  return `${JSON.stringify(bill, null, 2)}\n`
}

function manifestOf(workspace: string): Manifest {
  return JSON.parse(read(join(workspace, 'package.json')))
}

function run(command: string, ...args: string[]): string {
  return execFileSync(command, args, {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 256 * 1024 * 1024,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
}

function read(name: string): string {
  return readFileSync(join(root, name), 'utf8')
}

function sha256(file: string): string {
  return createHash('sha256').update(readFileSync(file)).digest('hex')
}
