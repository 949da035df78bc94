/** Workflow documents for the tests, in the format of workflow-document.md. */

export interface Document {
  name: string
  description?: string
  parameters?: Record<string, unknown>[]
  nodes: Record<string, Record<string, unknown>>
  output: Record<string, unknown>
  layout?: unknown
  openai?: object
}

/** The fastest workflow: a canvas, 8 x 6, as PNG. */
export function canvas(params: Record<string, unknown> = {}, output: Record<string, unknown> = {}): Document {
  return {
    name: 'A canvas',
    nodes: { sheet: { type: 'canvas', params: { width: 8, height: 6, color: '#ff0000', ...params } } },
    output: { node: 'sheet', format: 'png', ...output },
  }
}

/** Loads the image of the parameter `source` and scales it to the parameter `width`. */
export function scale(): Document {
  return {
    name: 'Scale',
    description: 'Loads an image and scales it.',
    parameters: [
      { name: 'source', type: 'string', required: true, description: 'An image id or a URL.' },
      { name: 'width', type: 'number', default: 20, minimum: 1, maximum: 400 },
    ],
    nodes: {
      load: { type: 'image', params: { source: '{{ source }}' } },
      small: { type: 'resize', inputs: { image: 'load' }, params: { width: '{{ width }}' } },
    },
    output: { node: 'small', format: 'png' },
  }
}

/** A canvas whose output name is a template, so that tests can read the rendered value over HTTP. */
export function naming(template: string, parameters: Record<string, unknown>[] = []): Document {
  return { ...canvas({}, { name: template }), name: 'Naming', parameters }
}
