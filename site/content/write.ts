/** Writes the pages for VitePress, and the files that the site has unchanged. */
import { copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { llmsFullText, llmsText } from './llms.ts'
import { type Content, filePath, type Page } from './pages.ts'

/** Path of the site on the service. */
export const base = '/guide/'

const favicon = 'console/public/favicon.svg'
const heroImages = ['docs/pictures/console-editor.webp', 'docs/pictures/console-editor-dark.webp'] as const

/** Files of the repository that the site uses in addition to its pages and the files that they link to. */
export const ownFiles: readonly string[] = ['README.md', 'package.json', favicon, ...heroImages]

/** `folder` gets `pages/` and `public/`. */
export function writeContent(root: string, content: Content, folder: string): void {
  rmSync(folder, { recursive: true, force: true })
  const write = (path: string, text: string) => {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), text)
  }
  const project = projectOf(root)
  for (const page of content.pages.values()) {
    write(join('pages', page.path), page.path === 'index.md' ? homePage(root, page, project) : page.text)
    write(join('public', page.path), page.text)
  }
  const heroes = heroImages.map((source) => [filePath(root, source), source] as const)
  for (const [path, source] of [...content.files, ...heroes, ['favicon.svg', favicon] as const]) {
    mkdirSync(dirname(join(folder, 'public', path)), { recursive: true })
    copyFileSync(join(root, source), join(folder, 'public', path))
  }
  write('public/llms.txt', llmsText(content, project, base))
  write('public/llms-full.txt', llmsFullText(content))
}

interface Project {
  name: string
  slogan: string
  summary: string
}

/** The first lines of the README: the name, and a slogan in bold with a sentence. */
export function projectOf(root: string): Project {
  const [, name, slogan, summary] =
    /^# (.+)\n+\*\*(.+?)\*\* (.+)$/m.exec(readFileSync(join(root, 'README.md'), 'utf8')) ?? []
  if (name === undefined || slogan === undefined || summary === undefined)
    throw new Error('README.md must start with "# Name" and "**Slogan.** Summary."')
  return { name, slogan, summary }
}

/** The list of all pages below a hero with the slogan. */
function homePage(root: string, { text }: Page, { name, slogan, summary }: Project): string {
  const [light, dark] = heroImages.map((source) => `/${filePath(root, source)}`)
  const hero = {
    layout: 'home',
    title: name,
    titleTemplate: slogan.replace(/\.$/, ''),
    hero: {
      name,
      text: slogan.replace(/\.$/, ''),
      tagline: summary,
      image: { light, dark, alt: 'The editor of the console: a graph of nodes with their images' },
      actions: [
        { theme: 'brand', text: 'Quickstart', link: '/quickstart' },
        { theme: 'alt', text: 'Console tutorial', link: '/console-tutorial' },
        { theme: 'alt', text: 'Operations', link: '/operations/' },
      ],
    },
  }
  return `---\n${JSON.stringify(hero)}\n---\n${text.replace(/^# .*\n/, '')}`
}
