/** The pages that agents read as resources of `/mcp`: sections of the guide, without links. */
import { readFileSync } from 'node:fs'

const guide = new URL('../../docs/guide/', import.meta.url)

/** The page, or these sections of it. The text before the first section has no heading. */
function sectionsOf(page: string, wanted?: readonly string[]): string {
  const text = readFileSync(new URL(`${page}.md`, guide), 'utf8')
  const [intro = '', ...sections] = text.split(/^(?=## )/m)
  if (wanted === undefined) return text
  const found = wanted.map((heading) => {
    const section = heading === '' ? intro : sections.find((each) => each.startsWith(`## ${heading}\n`))
    if (section === undefined) throw new Error(`docs/guide/${page}.md has no section "${heading}"`)
    return section
  })
  return found.join('')
}

/** Removes links, which a resource has no pages for, and the padding of tables, which costs tokens. */
function compact(markdown: string): string {
  return markdown
    .replaceAll(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replaceAll(/^\|.*\|$/gm, (row) => row.replaceAll(/ {2,}\|/g, ' |').replaceAll(/-{4,}/g, '---'))
    .replace(/\nNext: .*\n/, '\n')
}

export function authorsGuide(): string {
  return compact(
    [
      sectionsOf('workflows', ['', 'Structure', 'Parameters']),
      sectionsOf('parameters', ['Fields of a declaration', 'Formats']),
      sectionsOf('conditions-and-lists').replace(/^# .*\n/, ''),
      `## Several outputs\n${sectionsOf('several-outputs', ['']).replace(/^# .*\n/, '')}`,
      `## Workflows as nodes\n${
        sectionsOf('workflows-in-workflows', ['The node'])
          .replace(/^## .*\n/, '')
          .split('\n- ')[0]
      }\n`,
    ].join('\n'),
  )
}

export function templatesGuide(): string {
  return compact(sectionsOf('templates'))
}
