/** The example workflows that the first start of a service loads, with their images. Loaded when needed. */
import { parse } from 'yaml'
import type { WorkflowDocument } from '../../api/workflow-document.ts'

const documents = import.meta.glob<string>('../../../../examples/workflows/*.yaml', {
  eager: true,
  query: '?raw',
  import: 'default',
})
/** Images by URL; of a workflow that is executed for several sizes, the one of 960 pixels. */
const images = import.meta.glob<string>(
  ['../../../../docs/pictures/*.webp', '!../../../../docs/pictures/{console,console-*,test-key,tutorial-*}.webp'],
  { eager: true, query: '?url', import: 'default' },
)

interface ShippedExample {
  /** The name of its file. */
  name: string
  document: WorkflowDocument
  /** The URL of its image. */
  url: string
}

export const examples: readonly ShippedExample[] = Object.entries(documents).flatMap(([file, text]) => {
  const name = file.replace(/^.*\/(.*)\.yaml$/, '$1')
  const folder = '../../../../docs/pictures'
  const url = images[`${folder}/${name}.webp`] ?? images[`${folder}/${name}-960.webp`]
  // Its slug is for the command that imports it: a copy has none.
  const { slug: _, ...document } = parse(text) as WorkflowDocument & { slug?: string }
  return url === undefined ? [] : [{ name, document, url }]
})

/** The URL of the image of an unchanged example: a workflow with its name and its nodes. Undefined for any other workflow. */
export function exampleImage({ name, nodes }: WorkflowDocument): string | undefined {
  const ids = Object.keys(nodes).sort().join(' ')
  return examples.find(({ document }) => document.name === name && Object.keys(document.nodes).sort().join(' ') === ids)
    ?.url
}
