/**
 * Texts with templates, made readable for a parser before the templates are rendered: each output becomes a placeholder, and each
 * tag becomes space of the same length, so that lines and columns stay the same.
 */

/** A letter of the private area, which is part of a name in CSS and of text in HTML. */
export const placeholder = '\ue000'

/**
 * The text without templates; with branches of `if`, `unless` or `case` twice: with the first branches, and with the last ones.
 * A text without templates stays the same.
 */
export function maskTemplates(source: string): string[] {
  const tokens = [...source.matchAll(/\{\{(?:(?!\}\}).)*(?:\}\}|$)|\{%(?:(?!%\}).)*(?:%\}|$)/gs)].map((match) => ({
    text: match[0],
    start: match.index,
    end: match.index + match[0].length,
    name: /^\{%-?\s*(\w+)/.exec(match[0])?.[1],
  }))
  if (tokens.length === 0) return [source]
  const hasBranches = tokens.some(({ name }) => name !== undefined && separators.has(name))
  return (hasBranches ? ['first', 'last'] : ['first']).map((kept) => masked(source, tokens, kept as 'first' | 'last'))
}

interface Token {
  text: string
  start: number
  end: number
  /** Undefined for an output. */
  name: string | undefined
}

const branching = new Set(['if', 'unless', 'case'])
const separators = new Set(['else', 'elsif', 'when'])
const skipped = new Map([
  ['comment', 'endcomment'],
  ['doc', 'enddoc'],
  ['capture', 'endcapture'],
])

function masked(source: string, tokens: readonly Token[], kept: 'first' | 'last'): string {
  const removed: [number, number][] = []
  const open: { name: string; from: number; branches: [number, number][] }[] = []
  let until: string | undefined
  let skippedFrom = 0
  let result = ''
  let at = 0
  for (const { text, start, end, name } of tokens) {
    result += source.slice(at, start) + (name === undefined ? outputOf(text) : blank(text))
    at = end
    if (until !== undefined) {
      if (name === until) {
        removed.push([skippedFrom, start])
        until = undefined
      }
      continue
    }
    const top = open.at(-1)
    if (name !== undefined && skipped.has(name)) {
      until = skipped.get(name)
      skippedFrom = end
    } else if (name !== undefined && branching.has(name)) open.push({ name, from: end, branches: [] })
    else if (top && name !== undefined && (separators.has(name) || name === `end${top.name}`)) {
      // The text before the first `when` is not a branch.
      if (top.name !== 'case' || top.branches.length > 0 || name !== 'when') top.branches.push([top.from, start])
      else top.branches.push([start, start])
      top.from = end
      if (name !== `end${top.name}`) continue
      open.pop()
      const branches = top.name === 'case' ? top.branches.slice(1) : top.branches
      const chosen = kept === 'first' ? branches[0] : branches.at(-1)
      removed.push(...branches.filter((branch) => branch !== chosen))
    }
  }
  result += source.slice(at)
  for (const [from, to] of removed) result = result.slice(0, from) + blank(result.slice(from, to)) + result.slice(to)
  // A percent sign can't follow a name in CSS.
  return result.replaceAll(`${placeholder}%`, placeholder.repeat(2))
}

function outputOf(text: string): string {
  return text.replaceAll(/[^\n]/g, placeholder)
}

function blank(text: string): string {
  return text.replaceAll(/[^\n]/g, ' ')
}
