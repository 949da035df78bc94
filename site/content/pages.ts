/**
 * The pages of the site, from the Markdown files of the repository. Every page of `docs/` is on the site, and so is everything
 * that a page links to: Markdown and folders become pages, images are shown, and other files are published as they are.
 */
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { basename, extname, join, posix } from 'node:path'
import { apiPage } from './api.ts'
import { rewriteLinks } from './links.ts'

export interface Page {
  /** Path on the site, such as `operations/resize.md`. The HTML page has it without `.md`. */
  path: string
  /** Path in the repository. */
  source: string
  title: string
  /** Markdown with links relative to `path`. */
  text: string
}

export interface Content {
  /** Pages by path. The first is the home page. */
  pages: ReadonlyMap<string, Page>
  /** Other published files: path on the site to path in the repository. */
  files: ReadonlyMap<string, string>
}

const images = new Set(['.avif', '.jpeg', '.jpg', '.png', '.svg', '.webp'])

/** Files on the page of a folder. An allow list, because a folder such as `deploy` can contain secrets of an operator. */
const listedFiles = /^(?!secret\.yaml).*\.(yaml|service)$|^Caddyfile$|^example\.env$/

/** A link into these folders becomes text, because a reader of the site may not have the sources. */
const sourceFolders = /^(src|test|scripts)\//

const openApi = 'docs/openapi.json'

/**
 * Throws an error with the page and the link if a link leads nowhere. `root`: the repository. `linked`: sources of files, also of those
 * that are published once because they are equal.
 */
export function readContent(root: string): Content & { linked: ReadonlySet<string> } {
  const pages = new Map<string, Page>()
  const files = new Map<string, string>()
  const linked = new Set<string>()
  const queue = ['docs/README.md', ...markdownIn(root, 'docs')]
  for (const source of queue) {
    const path = pagePath(source)
    const other = pages.get(path)?.source
    if (other === source) continue
    if (other !== undefined) throw new Error(`${source} and ${other} have the same path on the site: ${path}.`)
    const text = rewriteLinks(pageText(root, source), ({ target, isImage }) => {
      if (/^([a-z]+:|#|\/)/.test(target)) return target
      const [file = '', anchor] = target.split('#')
      const place = posix.join(extname(source) === '' ? source : posix.dirname(source), file)
      // Before the check: a build without these folders has the same pages. test/derived.test.ts checks these links.
      if (sourceFolders.test(place) && !isImage) return undefined
      const found = linkedSource(root, place)
      if (found === undefined) throw new Error(`${source} links to ${target}, which doesn't exist.`)
      const isFile = !isPage(root, found)
      const to = isFile ? filePath(root, found) : pagePath(found)
      if (isFile) {
        files.set(to, found)
        linked.add(found)
      } else queue.push(found)
      return posix.relative(posix.dirname(path), to) + (anchor === undefined ? '' : `#${anchor}`)
    })
    pages.set(path, { path, source, title: titleOf(text), text })
  }
  return { pages, files, linked }
}

/** The page of a folder is its README, or a list of its files. */
function linkedSource(root: string, path: string): string | undefined {
  const source = path.replace(/\/$/, '')
  if (source.startsWith('..') || !existsSync(join(root, source))) return undefined
  const readme = posix.join(source, 'README.md')
  return existsSync(join(root, readme)) ? readme : source
}

function isPage(root: string, source: string): boolean {
  return source.endsWith('.md') || source === openApi || statSync(join(root, source)).isDirectory()
}

/** Path on the site. The folder `docs/guide` is the root of the site, and files outside of `docs` are below `project/`. */
function pagePath(source: string): string {
  if (source === openApi) return 'api.md'
  const path = source.startsWith('docs/') ? source.replace(/^docs\/(guide\/)?/, '') : `project/${source}`
  if (!path.endsWith('.md')) return `${path}/index.md`
  return posix.join(posix.dirname(path), posix.basename(path).toLowerCase().replace('readme.md', 'index.md'))
}

/** The name of an image contains its hash, so its response never changes. */
export function filePath(root: string, source: string): string {
  const ending = extname(source)
  if (!images.has(ending)) return `project/${source}`
  const hash = createHash('sha256')
    .update(readFileSync(join(root, source)))
    .digest('hex')
  return `assets/images/${basename(source, ending)}.${hash.slice(0, 8)}${ending}`
}

function pageText(root: string, source: string): string {
  if (source === openApi) return apiPage(readFileSync(join(root, source), 'utf8'))
  if (source.endsWith('.md')) return readFileSync(join(root, source), 'utf8').replaceAll(/^<!--[^>]*-->\n+/gm, '')
  const entries = readdirSync(join(root, source), { withFileTypes: true })
  const names = entries
    .filter((entry) => (entry.isDirectory() ? hasListed(join(root, source, entry.name)) : listedFiles.test(entry.name)))
    .map(({ name }) => name)
  const list = names.sort().map((name) => `- [${name}](${name})`)
  return `# ${source}\n\nFiles of the folder \`${source}\` of the project.\n\n${list.join('\n')}\n`
}

function hasListed(folder: string): boolean {
  return readdirSync(folder).some((name) => listedFiles.test(name))
}

function titleOf(text: string): string {
  return /^# (.+)$/m.exec(text)?.[1]?.replaceAll('`', '') ?? ''
}

function markdownIn(root: string, folder: string): string[] {
  return readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .map((name) => posix.join(folder, name.replaceAll('\\', '/')))
    .sort()
}
