/** Pages and examples for agents that write workflows. They belong to the release, so they contain no text of users. */
import { readFileSync } from 'node:fs'
import { ResourceNotFoundError } from '@modelcontextprotocol/server'

interface Resource {
  uri: string
  name: string
  title: string
  description: string
  mimeType: string
  read(): string
}

const file = (url: URL) => () => readFileSync(url, 'utf8')

const guides: Resource[] = [
  {
    uri: 'tintype://guide/authors',
    name: 'authors',
    title: 'Workflow documents',
    description: 'The rules of workflow documents on one page. Read it before you write one.',
    mimeType: 'text/markdown',
    read: file(new URL('./authors.md', import.meta.url)),
  },
  {
    uri: 'tintype://guide/templates',
    name: 'templates',
    title: 'Templates',
    description:
      'The language of templates, such as {{ headline | truncate: 80 }}, for params that depend on parameters.',
    mimeType: 'text/markdown',
    read: file(new URL('./templates.md', import.meta.url)),
  },
]

/** Examples of the release, and what they show. */
const shown: [name: string, shows: string, url: URL][] = [
  [
    'link-preview-card',
    'A card of 1200 x 630: a photo that is cropped to what matters, a shade for contrast, and a headline that shrinks to fit.',
    new URL('../../examples/workflows/link-preview-card.yaml', import.meta.url),
  ],
  [
    'product-square',
    'Product photos of one size: the product is centred on one background, whatever the photo is.',
    new URL('../../examples/workflows/product-square.yaml', import.meta.url),
  ],
  [
    'price-table',
    'A table of any length: a parameter with a JSON schema, and HTML that loops over its rows.',
    new URL('../../examples/workflows/price-table.yaml', import.meta.url),
  ],
  [
    'contact-sheet',
    'A list of images: a node that runs once for each of them (each), and a grid of the results.',
    new URL('../../examples/workflows/contact-sheet.yaml', import.meta.url),
  ],
  [
    'responsive-image',
    'Several outputs of one run: files in several widths and formats for srcset.',
    new URL('../../examples/workflows/responsive-image.yaml', import.meta.url),
  ],
]

const resources: Resource[] = [
  ...guides,
  ...shown.map(([name, shows, url]) => ({
    uri: `tintype://examples/${name}`,
    name,
    title: `Example: ${name}`,
    description: shows,
    mimeType: 'application/yaml',
    read: () => `# ${shows}\n${file(url)()}`,
  })),
]

export const pages = resources.map(({ name }) => name)

/** The text of one of `pages`. */
export function pageOf(name: string): string {
  return resources.find((each) => each.name === name)?.read() ?? ''
}

export function listResources() {
  return { resources: resources.map(({ read: _, ...about }) => about) }
}

export function readResource(uri: string) {
  const found = resources.find((each) => each.uri === uri)
  if (found === undefined) throw new ResourceNotFoundError(uri)
  return { contents: [{ uri, mimeType: found.mimeType, text: found.read() }] }
}
