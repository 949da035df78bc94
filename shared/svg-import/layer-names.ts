/** Names of layers, parameters and nodes. */
import { parameterNamePattern, reservedParameterNames } from '../names.ts'
import { hasSeveralLeaves } from './layers.ts'
import type { SvgElement } from './read-svg.ts'
import type { Rules } from './styles.ts'

/** Returns each name once: `title`, `title-2`, `title-3`. */
export function uniqueNames(): (stem: string) => string {
  const used = new Set<string>()
  const counts = new Map<string, number>()
  return (stem) => {
    let result = stem
    let count = counts.get(stem) ?? 1
    while (used.has(result)) result = `${stem}-${++count}`
    counts.set(stem, count)
    used.add(result)
    return result
  }
}

/** Names that editors generate. */
const generated =
  /^(svg|text|tspan|rect|path|g|image|use|circle|ellipse|layer|group|vector|frame|clip|paint|pattern|mask|filter|_?x?\d)[\s_-]*\d*([_-]\d+)*$/i

/** The name of the layer: of the element, or of a group that has only this element. */
export function nameOf(element: SvgElement, rules: Rules): string | undefined {
  for (let ancestor: SvgElement | undefined = element; ancestor?.parent !== undefined; ancestor = ancestor.parent) {
    if (ancestor !== element && hasSeveralLeaves(ancestor, rules)) return undefined
    const {
      'data-param': explicit,
      'data-name': named,
      'inkscape:label': label,
      'serif:id': serif,
      id,
    } = ancestor.attributes
    const decoded = id?.replaceAll(/_x([0-9A-Fa-f]{2})_/g, (_, hex: string) =>
      String.fromCharCode(Number.parseInt(hex, 16)),
    )
    const found =
      explicit ?? [label, serif, named, decoded].find((name) => name !== undefined && !generated.test(name.trim()))
    if (found !== undefined && found.trim() !== '') return found.trim()
  }
  return undefined
}

/** `data-param` of the element, or of a group that has only this element. */
export function explicitNameOf(element: SvgElement, rules: Rules): string | undefined {
  for (let up: SvgElement | undefined = element; up?.parent !== undefined; up = up.parent) {
    if (up !== element && hasSeveralLeaves(up, rules)) return undefined
    if (up.attributes['data-param'] !== undefined) return up.attributes['data-param']
  }
  return undefined
}

/** The label as the name of a parameter. */
export function asName(label: string): string {
  // Only the first characters are used: the patterns need quadratic time for long labels.
  const name = label
    .slice(0, 200)
    .normalize('NFKD')
    .replaceAll(/[^A-Za-z0-9_-]+/g, '-')
    .replaceAll(/^[^A-Za-z]+|-+$/g, '')
    .slice(0, 60)
  const cased = /^[A-Z][a-z]/.test(name) ? name.charAt(0).toLowerCase() + name.slice(1) : name
  if (!new RegExp(parameterNamePattern).test(cased)) return 'layer'
  return reservedParameterNames.has(cased) || cased === 'item' || cased === 'index' ? `${cased}-layer` : cased
}

/** The label as the id of a node and an element. */
export function idOf(label: string): string {
  return asName(label).toLowerCase()
}
