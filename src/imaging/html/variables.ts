/** The size of values after `var()` is replaced: variables that contain others twice grow exponentially. */
import { type CssNode, type Declaration, generate, walk } from 'css-tree/dist/csstree.esm'
import { limits } from '../../limits.ts'

/** The first declaration whose value is too large, or contains itself. */
export function expansionProblem(tree: CssNode): { node: Declaration; message: string } | undefined {
  const declarations: Declaration[] = []
  walk(tree, (node) => {
    if (node.type === 'Declaration') declarations.push(node)
  })
  const uses = new Map<string, { size: number; names: string[] }>()
  for (const node of declarations) {
    if (!node.property.startsWith('--')) continue
    const { size, names } = partsOf(node)
    const known = uses.get(node.property)
    // A variable can be set by several rules: the largest value counts.
    uses.set(node.property, { size: Math.max(size, known?.size ?? 0), names: [...(known?.names ?? []), ...names] })
  }
  if (uses.size === 0) return undefined
  const sizes = new Map<string, number>()
  const sizeOf = (name: string, open: readonly string[]): number => {
    const use = uses.get(name)
    const known = sizes.get(name)
    if (use === undefined || known !== undefined) return known ?? 0
    if (open.includes(name) || open.length > depthMax) return Number.POSITIVE_INFINITY
    const size = use.names.reduce((sum, each) => sum + sizeOf(each, [...open, name]), use.size)
    sizes.set(name, size)
    return size
  }
  for (const node of declarations) {
    const { size, names } = partsOf(node)
    const total = names.reduce((sum, name) => sum + sizeOf(name, []), size)
    if (total > limits.cssValueCharsMax)
      return {
        node,
        message: `the value of ${node.property.slice(0, 60)} is too long, or contains itself, after var() is replaced; the maximum is ${limits.cssValueCharsMax} characters.`,
      }
  }
  return undefined
}

const depthMax = 50

function partsOf(node: Declaration): { size: number; names: string[] } {
  const text = node.value.type === 'Raw' ? node.value.value : generate(node.value)
  return { size: text.length, names: [...text.matchAll(/var\(\s*(--[^\s,)]+)/gi)].map(([, name = '']) => name) }
}
