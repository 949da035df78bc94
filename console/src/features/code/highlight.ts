/** A minimal syntax highlighter: comments, strings, numbers and keywords of the three languages. */
import type { Language } from './snippets.ts'

export interface Piece {
  text: string
  kind: 'plain' | 'comment' | 'string' | 'number' | 'word'
}

const words = {
  curl: /\b(?:curl|jq|while|do|done|case|esac|break|sleep|echo|in)\b/,
  typescript: /\b(?:const|let|for|of|if|await|async|function|return|throw|new|break)\b/,
  python: /\b(?:import|with|as|for|in|if|elif|else|while|raise|break|True|f(?="))\b/,
}
const comments = { curl: /(?:^|(?<=\s))#.*$/, typescript: /\/\/.*$/, python: /#.*$/ }
const strings = /"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'|`(?:\\.|[^`\\])*`/

export function pieces(text: string, language: Language): Piece[] {
  const kinds = { comment: comments[language], string: strings, word: words[language], number: /\b\d+(?:\.\d+)?\b/ }
  const pattern = new RegExp(
    Object.entries(kinds)
      .map(([kind, { source }]) => `(?<${kind}>${source})`)
      .join('|'),
    'gm',
  )
  const found: Piece[] = []
  let end = 0
  for (const match of text.matchAll(pattern)) {
    if (match.index > end) found.push({ text: text.slice(end, match.index), kind: 'plain' })
    const [kind = 'plain'] = Object.entries(match.groups ?? {}).find(([, part]) => part !== undefined) ?? []
    found.push({ text: match[0], kind: kind as Piece['kind'] })
    end = match.index + match[0].length
  }
  if (end < text.length) found.push({ text: text.slice(end), kind: 'plain' })
  return found
}
