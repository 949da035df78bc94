/** Completion in `{{ ... }}` and `{% ... %}`: names, and filters after a `|`. */
import { fieldsAt, loopNames } from './fields.ts'
import { type Filter, filters } from './filters.ts'
import type { TemplateName } from './names.ts'

export interface Completion {
  label: string
  /** The inserted text. */
  insert: string
  detail: string
  /** Whether completion continues, such as after `nodes.`. */
  continues: boolean
}

export interface Completions {
  /** The replaced range. */
  from: number
  to: number
  options: Completion[]
}

const optionsMax = 50

/** Undefined if the caret is in plain text, or after something that is not a name. */
export function completionsAt(text: string, caret: number, names: readonly TemplateName[]): Completions | undefined {
  const inside = codeBefore(text, caret)
  if (inside === undefined || isInString(inside)) return undefined
  const typed = /[A-Za-z_][\w-]*(?:\.[\w-]*|\[\d*\]?)*$/.exec(inside)?.[0] ?? ''
  const before = inside.slice(0, inside.length - typed.length)
  if (typed === '' && /[\w"'.]\s*$/.test(before) && !/(^|[\s(])(and|or|contains|in|if|elsif|unless)\s+$/.test(before))
    return undefined
  const isFilter = /\|\s*$/.test(before)
  const all = [...loopNames(text.slice(0, caret), names), ...names]
  const options = isFilter ? filterOptions(typed) : nameOptions(typed, all)
  const rest = /^[\w.[\]-]*/.exec(text.slice(caret))?.[0] ?? ''
  return options.length === 0 ? undefined : { from: caret - typed.length, to: caret + rest.length, options }
}

/** Inserts a completion. Returns the text and the caret. */
export function complete(
  text: string,
  { from, to }: Completions,
  { insert }: Completion,
): { text: string; caret: number } {
  return { text: text.slice(0, from) + insert + text.slice(to), caret: from + insert.length }
}

/** Adds the end of a `{{` that was just typed, with the caret in between. Undefined if there is nothing to add. */
export function closeBraces(text: string, caret: number): { text: string; caret: number } | undefined {
  if (!text.slice(0, caret).endsWith('{{') || /^\s*[^{]*\}\}/.test(text.slice(caret))) return undefined
  return { text: `${text.slice(0, caret)}  }}${text.slice(caret)}`, caret: caret + 1 }
}

/** Handles a key that types an end that was added automatically: the caret moves past it. Undefined for other keys. */
export function typeOver(text: string, caret: number, key: string): { text: string; caret: number } | undefined {
  const before = text.slice(0, caret)
  const after = text.slice(caret)
  if (key === ' ') return before.endsWith('{{ ') && after.startsWith(' }}') ? { text, caret } : undefined
  if (key !== '}' || before.lastIndexOf('{{') <= before.lastIndexOf('}}')) return undefined
  if (before.endsWith('}') && after.startsWith('}')) return { text, caret: caret + 1 }
  if (!/^\s*\}\}/.test(after)) return undefined
  const code = `${before.trimEnd()} `
  return { text: code + after.trimStart(), caret: code.length + 1 }
}

function codeBefore(text: string, caret: number): string | undefined {
  const before = text.slice(0, caret)
  const start = Math.max(before.lastIndexOf('{{'), before.lastIndexOf('{%'))
  const end = Math.max(before.lastIndexOf('}}'), before.lastIndexOf('%}'))
  return start < 0 || end > start ? undefined : before.slice(start + 2)
}

function isInString(code: string): boolean {
  return /^[^'"]*(?:'[^']*'|"[^"]*"|[^'"])*?(?:'[^']*|"[^"]*)$/.test(code.replace(/'[^']*'|"[^"]*"/g, ''))
}

function filterOptions(typed: string): Completion[] {
  return filters
    .filter(({ name }) => name.startsWith(typed) && name !== typed)
    .map(({ name, takes, does }: Filter) => ({
      label: takes === '' ? name : `${name}: ${takes}`,
      insert: takes === '' ? name : `${name}: `,
      detail: does,
      continues: false,
    }))
}

/** Completes node values part by part: `nodes`, the node, its value. Matches anywhere in a name. */
function nameOptions(typed: string, names: readonly TemplateName[]): Completion[] {
  const fields = fieldsAt(typed, names)
  if (fields !== undefined)
    return fields.filter(({ name }) => name !== typed).map((field) => ({ ...toOption(field), continues: field.isTree }))
  const parts = typed.split('.')
  if (parts[0] === 'nodes' && parts.length > 1) return nodeOptions(parts, names)
  const otherNames = names.filter(({ name }) => !name.startsWith('nodes.'))
  const nodeNames = typed === '' ? [] : names.filter(({ name }) => name.startsWith('nodes.'))
  const matching = [...otherNames, ...nodeNames].filter(({ name }) => matches(name, typed) && name !== typed)
  const nodes: Completion[] =
    names.length > otherNames.length && 'nodes'.startsWith(typed)
      ? [{ label: 'nodes', insert: 'nodes.', detail: 'outputs of a node', continues: true }]
      : []
  const rank = ({ name }: TemplateName) => (name.startsWith(typed) ? 0 : 1)
  return [...matching.toSorted((a, b) => rank(a) - rank(b)).map(toOption), ...nodes].slice(0, optionsMax)
}

function nodeOptions(parts: string[], names: readonly TemplateName[]): Completion[] {
  const [, node = '', ...rest] = parts
  if (parts.length === 2) {
    const ids = new Set(names.flatMap(({ name }) => (name.startsWith('nodes.') ? (name.split('.')[1] ?? []) : [])))
    return [...ids]
      .filter((id) => matches(id, node))
      .map((id) => ({ label: `nodes.${id}`, insert: `nodes.${id}.`, detail: 'node', continues: true }))
      .slice(0, optionsMax)
  }
  const typed = rest.join('.')
  return names
    .filter(({ name }) => name.startsWith(`nodes.${node}.`))
    .filter(({ name }) => matches(name.split('.').slice(2).join('.'), typed) && name !== parts.join('.'))
    .map(toOption)
}

function toOption({ name, type, description }: TemplateName): Completion {
  return { label: name, insert: name, detail: description === '' ? type : `${type} · ${description}`, continues: false }
}

function matches(name: string, typed: string): boolean {
  return name.toLowerCase().includes(typed.toLowerCase())
}
