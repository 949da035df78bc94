/** The pages of the documentation site: all of them can be reached, and no link is dead. */
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join, posix } from 'node:path'
import { test } from 'node:test'
import { slug } from 'github-slugger'
import { linksOf, rewriteLinks } from '../../site/content/links.ts'
import { llmsText, summaryOf } from '../../site/content/llms.ts'
import { guideSections, tableSections } from '../../site/content/navigation.ts'
import { readContent } from '../../site/content/pages.ts'
import { repository } from '../harness/process.ts'

const { pages, files } = readContent(repository)

test('every link of a page leads to a page, a published file or the service, and to a heading that exists', () => {
  const dead: string[] = []
  let seen = 0
  for (const { path, source, text } of pages.values()) {
    for (const { target } of linksOf(text)) {
      if (/^[a-z]+:/.test(target)) continue
      seen += 1
      if (/^\/(docs|openapi\.json)(#|$)/.test(target)) continue
      const [file = '', anchor] = target.split('#')
      const to = file === '' ? path : posix.join(posix.dirname(path), file)
      const page = pages.get(to)
      if (page === undefined ? !files.has(to) : anchor !== undefined && !anchorsOf(page.text).has(anchor))
        dead.push(`${source}: ${target}`)
    }
  }
  assert.ok(seen > 1000, `saw ${seen}`)
  assert.deepEqual(dead, [])
})

test('the navigation has every page of the guide, every operation and every decision', () => {
  const content = { pages, files }
  const listed = [
    guideSections(content),
    tableSections(content, 'operations/index.md'),
    tableSections(content, 'decisions/index.md'),
  ].flatMap((sections) => sections.flatMap(({ entries }) => entries.map(({ page }) => page.path)))
  const missing = [...pages.keys()].filter((path) => !path.startsWith('project/') && !listed.includes(path))
  assert.deepEqual(missing, ['index.md', 'decisions/dependencies.md'])
})

test('every page has a title, and its summary is its first sentence without Markdown', () => {
  for (const page of pages.values()) assert.notEqual(page.title, '', page.source)
  const summary = (text: string) => summaryOf({ path: 'a.md', source: 'a.md', title: 'A', text })
  assert.equal(summary('# A\n\n## B\n\nUse `x` for\n[this](b.md). More.\n'), 'Use x for this.')
  assert.equal(summary('# A\n\n- b\n\n| c |\n'), '')
})

test('the console links only to pages that exist', () => {
  const sources = readdirSync(join(repository, 'console/src'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.tsx'))
    .map((name) => readFileSync(join(repository, 'console/src', name), 'utf8'))
  const linked = sources.flatMap((text) => Array.from(text.matchAll(/\bdocs="([^"]+)"/g), ([, page]) => `${page}.md`))
  assert.ok(linked.length >= 6, linked.join())
  assert.deepEqual(
    linked.filter((page) => !pages.has(page)),
    [],
  )
})

test('llms.txt has a name, a summary and sections with links', () => {
  const text = llmsText({ pages, files }, { name: 'Tintype', summary: 'A sentence.' }, '/guide/')
  assert.match(text, /^# Tintype\n\n> A sentence\.\n/)
  assert.match(text, /^- \[Errors, retries and rate limits\]\(\/guide\/errors-and-retries\.md\): \S/m)
  const links = text.split('\n').filter((line) => line.startsWith('- '))
  const short = links.filter((line) => (line.split('): ')[1] ?? '').split(' ').length < 4)
  assert.deepEqual(short, [], 'The first sentence of a page says what it is about.')
})

test('only files of the repository are published', () => {
  const tracked = trackedFiles()
  if (tracked === undefined) return
  assert.deepEqual(
    [...files.values()].filter((path) => !tracked.has(path)),
    [],
  )
})

test('links in code stay, and other links are rewritten, also around an image', () => {
  const rewrite = (text: string) => rewriteLinks(text, ({ target }) => (target === 'gone' ? undefined : `x/${target}`))
  assert.equal(rewrite('[`a`](b.md) and ![c](d.png)'), '[`a`](x/b.md) and ![c](x/d.png)')
  assert.equal(rewrite('[![c](d.png)](b.md)'), '[![c](x/d.png)](x/b.md)')
  assert.equal(rewrite('`[a](b.md)`\n```md\n[a](b.md)\n```\n'), '`[a](b.md)`\n```md\n[a](b.md)\n```\n')
  assert.equal(rewrite('[a](gone), [b](c)'), 'a, [b](x/c)')
})

function anchorsOf(text: string): Set<string> {
  const headings = text.replaceAll(/```[\s\S]*?```/g, '').matchAll(/^#+ (.+)$/gm)
  return new Set(Array.from(headings, ([, heading = '']) => slug(heading.replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1'))))
}

/** Undefined outside of a clone. */
function trackedFiles(): Set<string> | undefined {
  if (!existsSync(join(repository, '.git'))) return undefined
  return new Set(execFileSync('git', ['ls-files'], { cwd: repository, encoding: 'utf8' }).split('\n'))
}
