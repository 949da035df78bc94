import { Document, isPair, isScalar, visit } from 'yaml'

const flowColumnsMax = 96

/** Readable YAML: small values on one line, large ones on several. */
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
  // Spaces inside braces and none inside brackets, the format of the project.
  return document
    .toString({ lineWidth: 116 })
    .replaceAll(/\[ (?=\S)/g, '[')
    .replaceAll(/(?<=\S) \]/g, ']')
}

/** Nearly all characters from Hangul on take two columns. */
function columns(text: string): number {
  return Array.from(text).reduce((sum, char) => sum + (char >= '\u1100' ? 2 : 1), 0)
}
