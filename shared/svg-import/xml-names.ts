/** Names of elements and attributes without the prefixes that a file chose for its namespaces. */

/** The URI of each prefix; `xmlns` declares the one of names without a prefix. Scopes inherit from their ancestors. */
export type Scope = Record<string, string>

/** Namespace -> prefix of the names in this code. */
const prefixes = new Map([
  ['http://www.w3.org/2000/svg', ''],
  ['http://www.w3.org/1999/xlink', 'xlink:'],
  ['http://www.w3.org/XML/1998/namespace', 'xml:'],
  ['http://www.inkscape.org/namespaces/inkscape', 'inkscape:'],
  ['http://www.serif.com/', 'serif:'],
])

/** Files without declarations use these prefixes too, and HTML parsers accept that. */
export const rootScope: Scope = Object.assign(Object.create(null), {
  svg: 'http://www.w3.org/2000/svg',
  xlink: 'http://www.w3.org/1999/xlink',
  xml: 'http://www.w3.org/XML/1998/namespace',
})

/** The scope of an element with these attributes. */
export function scopeIn(outer: Scope, attributes: Record<string, string>): Scope {
  const declared = Object.entries(attributes).filter(([name]) => /^xmlns(:|$)/.test(name))
  if (declared.length === 0) return outer
  const scope: Scope = Object.create(outer)
  for (const [name, uri] of declared) scope[name.replace(/^xmlns:/, '')] = uri
  return scope
}

/** `text` for `svg:text`, and `other:text` in a namespace that this code doesn't know. */
export function elementName(name: string, scope: Scope): string {
  const [, prefix, local = name] = /^([^:]+):(.*)$/.exec(name) ?? []
  const uri = scope[prefix ?? 'xmlns']
  if (uri === undefined || uri === '') return name
  return `${prefixes.get(uri) ?? 'other:'}${local}`
}

/** The attributes with the prefixes of this code, and without declarations. */
export function attributesIn(attributes: Record<string, string>, scope: Scope): Record<string, string> {
  return Object.fromEntries(
    Object.entries(attributes).flatMap(([name, value]): [string, string][] => {
      if (!name.includes(':')) return name === 'xmlns' ? [] : [[name, value]]
      const [, prefix = '', local = ''] = /^([^:]+):(.*)$/.exec(name) ?? []
      if (prefix === 'xmlns') return []
      const uri = scope[prefix]
      return [[`${uri === undefined ? `${prefix}:` : (prefixes.get(uri) ?? 'other:')}${local}`, value]]
    }),
  )
}
