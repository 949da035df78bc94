/** Likely corrections of the text of a template. */
import { similarNames } from '../suggest.ts'
import { filterNames, tagNames } from './language.ts'

/** The parts between braces, in which names are read. */
const code = /\{\{[\s\S]*?\}\}|\{%[\s\S]*?%\}/g

/** The text with another name, as `nodes.photo` or `headline`. Texts around the code stay. */
export function withName(text: string, name: string, replacement: string): string {
  const whole = new RegExp(`(?<![\\w.'"-])${escaped(name)}(?![\\w-])`, 'g')
  return text.replaceAll(code, (part) => part.replaceAll(whole, () => replacement))
}

/** Tried in turn for a text that doesn't parse. `problem`: the message. */
export function corrections(text: string, problem: string): string[] {
  const [, kind, name] = /^uses the (filter|tag) "(\w+)"/.exec(problem) ?? []
  if (name !== undefined) {
    const known =
      kind === 'filter' ? filterNames() : tagNames().flatMap((tag) => [tag, `end${tag}`, 'else', 'elsif', 'when'])
    const word = new RegExp(kind === 'filter' ? `(\\|\\s*)${name}\\b` : `(\\{%-?\\s*)${name}\\b`)
    const similar = similarNames(name, new Set(known))
    return similar.map((each) => text.replace(word, (_, start: string) => `${start}${each}`))
  }
  const openBlocks = [...text.matchAll(/\{%-?\s*(if|unless|case|for|capture)\b/g)].map(([, tag]) => `{% end${tag} %}`)
  return [
    // A missing brace or percent sign.
    text.replaceAll(/\{\{([^{}]*)\}(?!\})/g, '{{$1}}'),
    text.replaceAll(/\{%([^{}%]*)(?:%|\})(?!\})/g, '{%$1%}'),
    text.replace(/\{\{([^{}]*)$/, (_, inside: string) => `{{${inside.trimEnd()} }}`),
    text.replace(/\{%([^{}%]*)$/, (_, inside: string) => `{%${inside.trimEnd()} %}`),
    // A pipe too many, or a quotation mark too few.
    text.replaceAll(/\|\s*(?=\||\}\})/g, ''),
    text.replaceAll(/(['"])([^'"{}]*?)\s*(?=\}\}|%\})/g, '$1$2$1 '),
    ...openBlocks.map((end) => `${text}${end}`),
    `${text}${openBlocks.toReversed().join('')}`,
  ].filter((each) => each !== text)
}

function escaped(name: string): string {
  return name.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')
}
