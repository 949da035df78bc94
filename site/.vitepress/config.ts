import { createHash } from 'node:crypto'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { transformerStyleToClass } from '@shikijs/transformers'
import { slug } from 'github-slugger'
import { type DefaultTheme, defineConfig, type MarkdownRenderer } from 'vitepress'
import { summaryOf } from '../content/llms.ts'
import { guideSections, type Section, tableSections } from '../content/navigation.ts'
import { readContent } from '../content/pages.ts'
import { base, projectOf, writeContent } from '../content/write.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string }
const project = projectOf(root)
const content = readContent(root)
const folder = fileURLToPath(new URL('../dist.pages', import.meta.url))
writeContent(root, content, folder)

/** The theme of code blocks writes inline styles, which the policy of the service forbids: classes and a style sheet instead. */
const codeColors = transformerStyleToClass({ classPrefix: 'code-' })

// biome-ignore lint/style/noDefaultExport: VitePress requires it.
export default defineConfig({
  base,
  srcDir: 'dist.pages/pages',
  cleanUrls: true,
  ignoreDeadLinks: 'localhostLinks',
  lang: 'en',
  // To disable transitions, it would add a style element, which the policy of the service forbids.
  appearance: { disableTransition: false },
  title: project.name,
  description: `${project.slogan} ${project.summary}`,
  head: [['link', { rel: 'icon', type: 'image/svg+xml', href: `${base}favicon.svg` }]],
  vite: { publicDir: join(folder, 'public'), build: { assetsInlineLimit: 0, chunkSizeWarningLimit: 2_000 } },
  markdown: {
    html: false,
    attrs: false,
    anchor: { slugify: slug },
    image: { lazyLoad: true },
    codeTransformers: [codeColors],
    config: adaptRenderer,
  },
  themeConfig: {
    logo: '/favicon.svg',
    search: { provider: 'local', options: { detailedView: true } },
    outline: [2, 3],
    notFound: {
      quote:
        'This page does not exist in this version of the documentation. Search for it, or start at the list of pages.',
      linkLabel: 'Go to the list of pages',
      linkText: 'All pages',
    },
    nav: [
      { text: 'Guide', link: '/quickstart', activeMatch: '^/(?!api|operations|project/changelog|$)' },
      { text: 'Operations', link: '/operations/', activeMatch: '^/operations/' },
      { text: 'API', link: '/api', activeMatch: '^/api' },
      { text: `v${version}`, link: '/project/changelog', activeMatch: '^/project/changelog' },
    ],
    sidebar: {
      '/': sidebar(guideSections(content)),
      '/operations/': sidebar([indexSection('operations/index.md'), ...tableSections(content, 'operations/index.md')]),
      '/decisions/': sidebar([indexSection('decisions/index.md'), ...tableSections(content, 'decisions/index.md')]),
    },
  },
  transformPageData: ({ relativePath }) => {
    const page = content.pages.get(relativePath)
    const description = page === undefined || relativePath === 'index.md' ? '' : summaryOf(page)
    return description === '' ? {} : { description }
  },
  transformHtml: (html, _file, { siteConfig }) => withoutInlineCode(html, siteConfig.outDir),
})

function sidebar(sections: Section[]): DefaultTheme.SidebarItem[] {
  return sections.map(({ title, entries }) => ({
    text: title,
    collapsed: false,
    items: entries.map(({ title, page }) => ({ text: escapeMarkup(title), link: linkTo(page.path) })),
  }))
}

/** VitePress shows the texts of links as HTML, but a title is text. */
function escapeMarkup(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
}

/** Links from the pages of a folder to its index and to the home page. */
function indexSection(index: string): Section {
  const pages = ['index.md', index].map((path) => content.pages.get(path))
  return { title: 'Overview', entries: pages.flatMap((page) => (page ? [{ title: page.title, page }] : [])) }
}

function linkTo(path: string): string {
  return `/${path.replace(/(index)?\.md$/, '')}`
}

function adaptRenderer({ renderer }: MarkdownRenderer): void {
  // Braces in a page are a template of Liquid. Without the entity, Vue would evaluate them.
  const render = renderer.render.bind(renderer)
  renderer.render = (...args) => render(...args).replaceAll('{{', '&#123;&#123;')
  const { image, link_open: linkOpen } = renderer.rules
  // From the root of the site, the image is one of the public files, and VitePress finds its size.
  renderer.rules.image = (tokens, index, options, env, self) => {
    const token = tokens[index]
    token?.attrSet('src', (token.attrGet('src') ?? '').replace(/^(\.\.\/)*assets\//, '/assets/'))
    return image?.(tokens, index, options, env, self) ?? ''
  }
  renderer.rules.link_open = (tokens, index, options, env, self) => {
    const token = tokens[index]
    const href = token?.attrGet('href') ?? ''
    const isPage = token?.attrGet('class') === 'header-anchor' || /^(#|[a-z]+:)|\.md(#|$)/.test(href)
    if (isPage && linkOpen) return linkOpen(tokens, index, options, env, self)
    // A published file or a path of the service, such as /docs: the router of the site doesn't know it.
    token?.attrSet('target', '_self')
    return self.renderToken(tokens, index, options)
  }
}

/**
 * The policy of the service allows no inline scripts and styles. The scripts in the head are the same on all pages, and the
 * style sheet of the theme has the two styles that VitePress sets.
 */
function withoutInlineCode(html: string, outDir: string): string {
  const styles = `<link rel="stylesheet" href="${fileOf(codeColors.getCSS(), 'css', outDir)}">`
  return html
    .replaceAll(/ style="(--vp-vh: ?0px|position: ?relative);?"/g, '')
    .replaceAll(/<script( id="[\w-]+")>([\s\S]+?)<\/script>/g, (_all, id: string, script: string) => {
      return `<script${id} src="${fileOf(script, 'js', outDir)}"></script>`
    })
    .replace('</head>', `${styles}</head>`)
}

function fileOf(text: string, type: 'css' | 'js', outDir: string): string {
  const name = `assets/inline.${createHash('sha256').update(text).digest('hex').slice(0, 8)}.${type}`
  mkdirSync(join(outDir, 'assets'), { recursive: true })
  writeFileSync(join(outDir, name), text)
  return base + name
}
