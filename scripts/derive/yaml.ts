import { Document, isPair, isScalar, visit } from 'yaml'

const flowColumnsMax = 96

/** YAML as people write it: small things on one line, the large ones on lines of their own. */
export function toYaml(value: unknown): string {
  const document = new Document(value)
  visit(document, {
    Collection(_key, node, [...path]) {
      const parent = path.at(-1)
      const isRoot = path.length < 2
      const holdsNodes = isPair(parent) && isScalar(parent.key) && parent.key.value === 'nodes'
      const text = JSON.stringify(node)
      if (!isRoot && !holdsNodes && columns(text) <= flowColumnsMax && !text.includes('\\n')) node.flow = true
    },
  })
  // Room inside braces and none inside brackets, as the formatter of the project has it.
  return document
    .toString({ lineWidth: 116 })
    .replaceAll(/\[ (?=\S)/g, '[')
    .replaceAll(/(?<=\S) \]/g, ']')
}

/** Characters from Hangul on take two columns, nearly all of them. */
function columns(text: string): number {
  return Array.from(text).reduce((sum, char) => sum + (char >= '\u1100' ? 2 : 1), 0)
}
