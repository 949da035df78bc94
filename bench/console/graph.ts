/** A realistic workflow of 200 nodes: nineteen images with the same styling, and a page of all. */

type Node = { type: string; inputs?: Record<string, string | string[]>; params?: Record<string, unknown> }

export const nodeCount = 200
const lines = 19
const linesOfGrid = 5

export function manyNodes(): Record<string, unknown> {
  const nodes: Record<string, Node> = {}
  for (let line = 1; line <= lines; line += 1) Object.assign(nodes, dressed(line))
  const grids: string[] = []
  for (let first = 1; first <= lines; first += linesOfGrid) {
    const many = Array.from({ length: Math.min(linesOfGrid, lines - first + 1) }, (_, i) => `framed-${first + i}`)
    const id = `row-${grids.length + 1}`
    nodes[id] = { type: 'grid', inputs: { images: many }, params: { columns: linesOfGrid, cellWidth: 480, gap: 24 } }
    grids.push(id)
  }
  Object.assign(nodes, {
    rows: { type: 'grid', inputs: { images: grids }, params: { columns: 1, gap: 24, padding: 48 } },
    backdrop: { type: 'canvas', params: { width: 2600, height: 1500, color: '#f7f5f1' } },
    page: { type: 'composite', inputs: { image: 'backdrop', overlay: 'rows' }, params: { position: 'south' } },
    title: {
      type: 'text',
      inputs: { image: 'page' },
      params: { text: '{{ title }}', box: { x: 60, y: 40, width: 2400, height: 120 }, size: 72, weight: 700 },
    },
    sharp: { type: 'sharpen', inputs: { image: 'title' } },
    final: { type: 'resize', inputs: { image: 'sharp' }, params: { width: 1600 } },
  } satisfies Record<string, Node>)
  return {
    name: 'Two hundred nodes',
    parameters: [
      { name: 'title', type: 'string', default: 'Nineteen pictures' },
      { name: 'photo', type: 'string', default: 'https://example.com/photo.jpg' },
    ],
    nodes,
    output: { node: 'final', format: 'webp', quality: 82 },
  }
}

/** Ten nodes: one chain that branches twice and joins again, whose text uses a value of another node. */
function dressed(line: number): Record<string, Node> {
  const id = (name: string) => `${name}-${line}`
  return {
    [id('photo')]: { type: 'image', params: { source: '{{ photo }}' } },
    [id('cover')]: {
      type: 'resize',
      inputs: { image: id('photo') },
      params: { width: 960, height: 640, fit: 'cover', position: 'attention' },
    },
    [id('bright')]: {
      type: 'adjust',
      inputs: { image: id('cover') },
      params: { brightness: 1.05, saturation: 1.1 },
    },
    [id('soft')]: { type: 'blur', inputs: { image: id('cover') }, params: { sigma: 12 } },
    [id('shade')]: { type: 'gradient', params: { width: 960, height: 640, from: '#0000', to: '#000c', angle: 180 } },
    [id('shaded')]: { type: 'composite', inputs: { image: id('bright'), overlay: id('shade') } },
    [id('headline')]: {
      type: 'text',
      inputs: { image: id('shaded') },
      params: {
        text: `{{ title }}, no. ${line}`,
        box: { x: 48, y: 400, width: 860, height: 180 },
        size: 56,
        weight: 700,
        verticalAlign: 'bottom',
        color: 'white',
      },
    },
    [id('mark')]: { type: 'text', params: { text: `{{ nodes.photo-${line}.width }} px`, size: 24, color: '#fffc' } },
    [id('marked')]: {
      type: 'composite',
      inputs: { image: id('headline'), overlay: id('mark') },
      params: { position: 'north-east', margin: 24 },
    },
    [id('framed')]: { type: 'composite', inputs: { image: id('soft'), overlay: id('marked') } },
  }
}
