/** Navigation, from the lists of links on the index pages. */
import { posix } from 'node:path'
import { linksOf } from './links.ts'
import type { Content, Page } from './pages.ts'

export interface Section {
  title: string
  entries: { title: string; page: Page }[]
}

/** Sections with the links of `docs/README.md`. */
export function guideSections(content: Content): Section[] {
  return sectionsOf(content, 'index.md', ({ text }) => text.charAt(0).toUpperCase() + text.slice(1))
}

/** Sections with the pages that the table of an index page lists, by their titles. */
export function tableSections(content: Content, index: string): Section[] {
  return sectionsOf(content, index, ({ page }) => page.title, /^\| \[/)
}

function sectionsOf(
  { pages }: Content,
  index: string,
  titleOf: (entry: { text: string; page: Page }) => string,
  lines = /./,
): Section[] {
  const { title, text } = pages.get(index) as Page
  const [intro = '', ...sections] = text.split(/^## /m)
  return [`${title}\n${intro}`, ...sections]
    .map((section) => {
      const [heading = '', ...rest] = section.split('\n')
      const markdown = rest.filter((line) => lines.test(line)).join('\n')
      const entries = linksOf(markdown).flatMap((link) => {
        const page = pages.get(posix.join(posix.dirname(index), link.target))
        return page === undefined ? [] : [{ title: titleOf({ text: link.text, page }), page }]
      })
      return { title: heading, entries }
    })
    .filter(({ entries }) => entries.length > 0)
}
