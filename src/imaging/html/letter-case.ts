/** Changes the case of texts: the renderer takes an apostrophe for the end of a word, and knows no rules of languages. */
import type { MeasuredNode } from '@takumi-rs/core'
import { type CasedText, type Transform, withCase } from '../vector/prepare-text.ts'
import type { DrawnText } from './tree.ts'

/** Text in the place of another one, whose case in the layout shows the transform: the renderer resolves the style sheets. */
const probe = (index: number) => ` aBc${index}.`
const probed = /(abc)(\d+)\./gi
const transformOf: Record<string, Transform> = { aBc: 'none', ABC: 'uppercase', abc: 'lowercase', Abc: 'capitalize' }

/** Layouts show small capitals as capitals. */
const withoutSmallCapitals = '*{font-variant-caps:normal!important}'

/** `measure`: lays out the tree of the texts as it is at that time, with more CSS. */
export async function changeCase(
  texts: readonly DrawnText[],
  measure: (css: string) => Promise<MeasuredNode>,
): Promise<void> {
  const originals = texts.map(({ node }) => node.text)
  for (const [index, { node, isBreak }] of texts.entries()) if (!isBreak) node.text = probe(index)
  const blocks = blocksOf(await measure(withoutSmallCapitals))
  for (const [index, { node }] of texts.entries()) node.text = originals[index] ?? ''
  for (const found of blocks) {
    const [first = 0, last = -1] = [Math.min(...found.keys()), Math.max(...found.keys())]
    const line = texts.slice(first, last + 1)
    const cased = withCase(
      line.map(({ node, language }, at): CasedText => {
        return { text: node.text, transform: found.get(first + at) ?? 'none', language }
      }),
    )
    for (const [at, { node }] of line.entries()) {
      const transform = found.get(first + at) ?? 'none'
      if (transform === 'none') continue
      node.text = cased[at] ?? ''
      node.style = { ...node.style, textTransform: 'none' }
    }
  }
}

/** The transforms of the texts of each block, by their index. */
function blocksOf(root: MeasuredNode): Map<number, Transform>[] {
  const blocks: Map<number, Transform>[] = []
  const waiting = [root]
  for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
    waiting.push(...node.children)
    const text = node.runs.map((run) => run.text).join('')
    const found = [...text.matchAll(probed)].map(
      ([, letters = '', index]) => [Number(index), transformOf[letters] ?? 'none'] as const,
    )
    if (found.some(([, transform]) => transform !== 'none')) blocks.push(new Map(found))
  }
  return blocks
}
