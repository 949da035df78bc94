/** Paths of image files in a workflow document. Image ids replace them before the document is checked. */
import { isObject } from '../../shared/values.ts'

/**
 * Replaces each path by the id of its image: in defaults of parameters, in values of examples, in the fallback of delivery URLs, and in the
 * `source` of nodes, also inside JSON. A text can have several paths, one on each line.
 */
export async function replaceImagePaths(document: unknown, idOf: (path: string) => Promise<string>): Promise<void> {
  if (!isObject(document)) return
  const holders: [unknown, string][] = [[document.delivery, 'fallback']]
  if (Array.isArray(document.parameters))
    holders.push(...document.parameters.map((parameter): [unknown, string] => [parameter, 'default']))
  if (isObject(document.nodes)) {
    holders.push(
      ...Object.values(document.nodes).map((node): [unknown, string] => [
        isObject(node) ? node.params : undefined,
        'source',
      ]),
    )
  }
  if (Array.isArray(document.examples)) {
    for (const example of document.examples) {
      const values = isObject(example) && isObject(example.parameters) ? example.parameters : {}
      holders.push(...Object.keys(values).map((name): [unknown, string] => [values, name]))
    }
  }
  for (const [holder, key] of holders) {
    if (isObject(holder) && Object.hasOwn(holder, key)) holder[key] = await withIds(holder[key], idOf)
  }
}

/** The value with the id of the image in place of each path, also inside lists and objects. */
async function withIds(value: unknown, idOf: (path: string) => Promise<string>): Promise<unknown> {
  if (Array.isArray(value)) {
    const items: unknown[] = []
    for (const item of value) items.push(await withIds(item, idOf))
    return items
  }
  if (isObject(value)) {
    const fields: [string, unknown][] = []
    for (const [name, field] of Object.entries(value)) fields.push([name, await withIds(field, idOf)])
    return Object.fromEntries(fields)
  }
  if (typeof value !== 'string') return value
  const lines = value.split('\n')
  if (!lines.some(isPath) || !lines.every((line) => line === '' || isPath(line))) return value
  const ids: string[] = []
  for (const line of lines) ids.push(isPath(line) ? await idOf(line) : line)
  return ids.join('\n')
}

export function isPath(line: string): boolean {
  return /^\.\.?\//.test(line)
}
