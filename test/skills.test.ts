/** The skills for coding agents: their form, links, documents and commands. */
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { after, before, test } from 'node:test'
import { promisify } from 'node:util'
import { parse } from 'yaml'
import { repository } from './harness/process.ts'
import { type Service, startWithoutExamples } from './harness/service.ts'

const skills = join(repository, '.agents/skills')
const names = readdirSync(skills)
/** A folder in place of the clone, for files that the commands write. */
const clone = mkdtempSync(join(tmpdir(), 'tintype-skills-'))

let service: Service

before(async () => {
  service = await startWithoutExamples()
  for (const name of ['bin', 'docs', 'src', 'shared', 'examples', 'node_modules', 'package.json'])
    symlinkSync(join(repository, name), join(clone, name))
})
after(async () => {
  await service.remove()
  rmSync(clone, { recursive: true, force: true })
})

const read = (name: string) => readFileSync(join(skills, name, 'SKILL.md'), 'utf8')

test('AGENTS.md names every skill, and its links exist', () => {
  const text = readFileSync(join(repository, 'AGENTS.md'), 'utf8')
  for (const name of names) assert.ok(text.includes(`(.agents/skills/${name}/SKILL.md)`), name)
  assertLinks(text, repository)
})

for (const name of names) {
  test(`the skill ${name} has the form of the specification`, () => {
    const [, header = '', body = ''] = /^---\n([\s\S]*?)\n---\n([\s\S]*)$/.exec(read(name)) ?? []
    const fields = parse(header) as Record<string, string>
    assert.deepEqual(
      Object.keys(fields).filter((field) => !['name', 'description', 'license', 'compatibility'].includes(field)),
      [],
    )
    assert.equal(fields.name, name)
    assert.match(name, /^[a-z0-9]+(-[a-z0-9]+)*$/)
    assert.ok((fields.description ?? '').length > 50 && (fields.description ?? '').length <= 1_024)
    assert.ok(body.split('\n').length < 500)
    assertLinks(body, join(skills, name))
  })

  test(`the documents and the commands of the skill ${name} work`, { timeout: 300_000 }, async () => {
    const blocks = read(name).matchAll(/(?:Save this as `([^`]+)`:\n\n)?```(\w+)\n([\s\S]*?)```/g)
    let commands = 0
    for (const [, file, language, text = ''] of blocks) {
      if (file !== undefined) {
        mkdirSync(dirname(join(clone, file)), { recursive: true })
        writeFileSync(join(clone, file), text)
      }
      if (language !== 'sh') continue
      await run(text)
      commands += 1
    }
    assert.ok(commands >= 5)
    const golden = join(clone, 'my-workflows/golden/event-card')
    assert.deepEqual(readdirSync(golden).sort(), ['long.png', 'usual.png'])
  })
}

test('the command of a skill reports all problems of a document', async () => {
  const folder = join(clone, 'wrong')
  mkdirSync(folder)
  const text = readFileSync(join(clone, 'my-workflows/event-card.yaml'), 'utf8')
  writeFileSync(
    join(folder, 'card.yaml'),
    text.replace('type: canvas', 'type: canvass').replace('weight: 800', 'weigth: 800'),
  )
  await assert.rejects(run('npx tintype test wrong'), ({ stdout, stderr }: { stdout: string; stderr: string }) => {
    assert.match(stdout + stderr, /canvass[\s\S]*weigth|weigth[\s\S]*canvass/)
    return true
  })
})

async function run(text: string): Promise<void> {
  const script = text.replaceAll('npx tintype', `${process.execPath} ${join(repository, 'bin/tintype.js')}`)
  const env = { ...process.env, TINTYPE_URL: service.origin, TINTYPE_KEY: service.key }
  await promisify(execFile)('sh', ['-ec', script], { cwd: clone, env })
}

function assertLinks(text: string, folder: string): void {
  const links = Array.from(text.matchAll(/\]\((?!https?:)([^)#]+)/g), ([, link = '']) => link)
  assert.ok(links.length > 0)
  for (const link of links) assert.ok(existsSync(join(folder, link)), link)
}
