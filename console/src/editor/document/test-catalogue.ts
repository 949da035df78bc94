/** A few operations, for tests. */
import type { Catalogue } from '../../api/operations.ts'
import type { Operation } from '../../api/types.ts'

function operation(id: string, sockets: string, hasImage = true): [string, Operation] {
  const inputs = sockets
    .split(' ')
    .filter(Boolean)
    .map((name) => ({
      name: name.replace(/[?*]/g, ''),
      description: '',
      required: !name.includes('?'),
      many: name.includes('*'),
    }))
  const outputs = { image: hasImage ? 'The image.' : null, values: { text: {} } }
  return [
    id,
    { id, title: id, summary: '', group: 'source', inputs, outputs, params: {}, examples: [] } as unknown as Operation,
  ]
}

export const testCatalogue: Catalogue = new Map([
  operation('make', ''),
  operation('blur', 'image'),
  operation('lay', 'image overlay mask?'),
  operation('grid', 'images*'),
  operation('write', '', false),
  operation('read', 'image', false),
])
