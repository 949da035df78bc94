/** Files for language models, in the format of https://llmstxt.org. */
import { guideSections } from './navigation.ts'
import type { Content, Page } from './pages.ts'

interface Project {
  name: string
  /** One sentence. */
  summary: string
}

/** Links with a summary of each page of the guide and the reference. `base`: path of the site, such as `/guide/`. */
export function llmsText(content: Content, { name, summary }: Project, base: string): string {
  const sections = guideSections(content).map(({ title, entries }) => {
    const lines = entries.map(({ page }) => {
      const summary = summaryOf(page)
      return `- [${page.title}](${base}${page.path})${summary === '' ? '' : `: ${summary}`}`
    })
    return `## ${title}\n\n${lines.join('\n')}\n`
  })
  return `# ${name}

> ${summary}

Each page of the documentation is also available as Markdown: add \`.md\` to its path. [All pages in one file](${base}llms-full.txt).

For agents: the service is an MCP server at \`/mcp\`, with tools that find operations and that validate, draft and run workflows. Prefer it to writing requests. [How to connect](${base}agents.md). A clone of the repository has a skill for coding agents that write workflow files: [how to use it](${base}agents.md#write-workflows-in-a-clone).

${sections.join('\n')}`
}

/** The text of all pages, without decisions and files of the project. */
export function llmsFullText({ pages }: Content): string {
  return Array.from(pages.values())
    .filter(({ path }) => !/^(index\.md|decisions\/|project\/)/.test(path))
    .map(({ text }) => text)
    .join('\n')
}

/** The first sentence of the first paragraph, as plain text. Empty if the page has only tables and lists. */
export function summaryOf({ text }: Page): string {
  const paragraph = text.split(/\n{2,}/).find((block) => !/^(#|\||```|- |!\[)/.test(block)) ?? ''
  const plain = paragraph
    .replaceAll(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replaceAll(/[`*]/g, '')
    .replaceAll(/\s+/g, ' ')
  return /^.*?[.:](?=\s|$)/.exec(plain)?.[0].replace(/:$/, '.') ?? plain
}
