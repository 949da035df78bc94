/** Entities of a document type declaration, as Illustrator writes them for its namespaces. */
import { SvgProblem, svgImportLimits } from './svg-problem.ts'

/** The value of each entity. Throws `SvgProblem` if an entity refers to another one or a file, or if its uses are too long. */
export function entitiesIn(doctype: string, text: string): Map<string, string> {
  const entities = new Map<string, string>()
  for (const [, name = '', double, single] of doctype.matchAll(
    /<!ENTITY\s+([^\s"'<>%;&]+)\s+(?:"([^"]*)"|'([^']*)'|[^>]*)/g,
  )) {
    const value = double ?? single
    if (value === undefined || /[&%<]/.test(value))
      throw new SvgProblem(
        `The SVG declares the entity ${JSON.stringify(name.slice(0, 40))} as ${value === undefined ? 'a file' : 'markup or other entities'}, which is not supported. Export it as plain SVG.`,
      )
    if (!entities.has(name)) entities.set(name, value)
  }
  if (/<!ENTITY\s+%/.test(doctype))
    throw new SvgProblem('The SVG declares parameter entities, which are not supported. Export it as plain SVG.')
  let length = text.length
  if (entities.size > 0)
    for (const [, name = ''] of text.matchAll(/&([^\s;&<#]{1,100});/g)) length += entities.get(name)?.length ?? 0
  if (length > svgImportLimits.charsMax)
    throw new SvgProblem(
      `The SVG has more than ${svgImportLimits.charsMax} characters with the values of its entities, the maximum. Export it as plain SVG.`,
    )
  return entities
}
