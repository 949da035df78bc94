/** Families in CSS: those that the renderer has no name for are replaced, and the others are noted. */
import { type Declaration, walk } from 'css-tree/dist/csstree.esm'
import { list } from '../../../shared/text.ts'
import { families, familyNamed } from '../vector/families.ts'
import type { Usage } from './usage.ts'

const generics = new Map([
  ['sans-serif', 'Inter'],
  ['system-ui', 'Inter'],
  ['ui-sans-serif', 'Inter'],
  ['ui-rounded', 'Inter'],
  ['cursive', 'Lora'],
  ['fantasy', 'Anton'],
  ['serif', 'Lora'],
  ['ui-serif', 'Lora'],
  ['monospace', 'JetBrains Mono'],
  ['ui-monospace', 'JetBrains Mono'],
])

/** The value of `font-family`, or undefined if it stays the same. */
export function preparedFamilies(
  node: Declaration,
  value: string,
  accountFamilies: ReadonlySet<string>,
  usage: Usage,
): string | undefined {
  if (/var\(/i.test(value)) return familiesInVariables(value, accountFamilies, usage)
  if (/^\s*(inherit|initial|unset)\s*$/i.test(value)) return undefined
  const names = familiesIn(node)
  const known = names.flatMap((name) => {
    const family = familyNamed(name) ?? generics.get(name.toLowerCase())
    return family ?? (accountFamilies.has(name.toLowerCase()) ? name : [])
  })
  for (const name of known) usage.families.add(name)
  if (known.length > 0) return known.map((name) => JSON.stringify(name)).join(', ')
  const { line, column } = node.loc?.start ?? { line: 1, column: 1 }
  const message = `none of the fonts ${list(names.map((name) => name.slice(0, 100)))} is available. Upload the font to the account, or add an included font (${families.join(', ')}) or a generic family such as sans-serif.`
  usage.problems.push({ line, column, message })
  return undefined
}

/** A family without quotation marks can have several words. */
function familiesIn(node: Declaration): string[] {
  const names = ['']
  walk(node.value, (part) => {
    const at = names.length - 1
    if (part.type === 'Operator' && part.value === ',') names.push('')
    else if (part.type === 'String') names[at] = part.value
    else if (part.type === 'Identifier') names[at] = `${names[at]} ${part.name}`.trim()
  })
  return names
}

/**
 * The value of a variable, or of `font-family` with variables: it can be a part of a list, and for another property. Undefined if it
 * stays the same.
 */
export function familiesInVariables(
  value: string,
  accountFamilies: ReadonlySet<string>,
  usage: Usage,
): string | undefined {
  const replaced = value.replaceAll(/"[^"]*"|'[^']*'|[^,()"']+/g, (token) => {
    const name = token.trim().replace(/^(["'])(.*)\1$/s, '$2')
    const generic = name === token.trim() ? generics.get(name.toLowerCase()) : undefined
    const known = familyNamed(name) ?? generic ?? (accountFamilies.has(name.toLowerCase()) ? name : undefined)
    if (known !== undefined) usage.families.add(known)
    return generic === undefined ? token : token.replace(name, JSON.stringify(generic))
  })
  return replaced === value ? undefined : replaced
}
