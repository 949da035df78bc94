/** The preview of a node at full size has the pixels of an execution: for every node of the shipped examples. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import sharp from 'sharp'
import { type Client, createClient, ok } from '../harness/client.ts'
import type { Document } from '../harness/documents.ts'
import { repetitions } from '../harness/repetitions.ts'
import { startService } from '../harness/service.ts'
import type { Execution, Workflows } from '../harness/types.ts'
import { fetchImage } from '../harness/workflows.ts'

type Example = Document & { examples?: { name: string; parameters?: object }[]; outputs?: object }
type Executed = Execution & { outputs?: { name: string; url: string }[] }
interface Preview {
  image: { data: string }
}
interface Catalogue {
  operations: { id: string; outputs: { image: string | null } }[]
}

async function pixelsOf(bytes: Buffer) {
  const { data, info } = await sharp(bytes).ensureAlpha().raw().toBuffer({ resolveWithObject: true })
  return { width: info.width, height: info.height, data }
}

/** The nodes that return one image, and not a list. */
async function nodesOf(api: Client, document: Example, drawing: ReadonlySet<string>): Promise<string[]> {
  const candidates = Object.entries(document.nodes).flatMap(([id, { type }]) => (drawing.has(String(type)) ? id : []))
  const outputs = Object.fromEntries(candidates.map((node, i) => [`o${i}`, { node, format: 'png' }]))
  const reply = await api.post<{ issues: { path: string }[] }>('/workflows/validate', {
    document: { ...document, outputs },
  })
  const lists = new Set(ok(reply).issues.map(({ path }) => path.split('.')[1]))
  return candidates.filter((_, i) => !lists.has(`o${i}`))
}

test('the preview of each node of an example has the pixels of an execution', async (t) => {
  const service = await startService()
  t.after(() => service.remove())
  const api = await createClient(service, service.key)
  const { operations } = ok(await api.get<Catalogue>('/operations'))
  const drawing = new Set(operations.flatMap(({ id, outputs }) => (outputs.image === null ? [] : id)))
  const { workflows } = ok(await api.get<Workflows>('/workflows?limit=100'))
  let compared = 0
  for (const { id, name } of workflows.slice(0, repetitions(6, workflows.length))) {
    const document = ok(await api.get<Example>(`/workflows/${id}/document`))
    const { parameters = {} } = document.examples?.[0] ?? {}
    const nodes = await nodesOf(api, document, drawing)
    const outputs = Object.fromEntries(nodes.map((node, i) => [`o${i}`, { node, format: 'png' }]))
    const edited = { ...document, outputs }
    ok(await api.put(`/workflows/${id}/draft`, { document: edited }), 201)
    const executed = ok(await api.post<Executed>(`/workflows/${id}/draft/execute`, { parameters }))
    for (const [i, node] of nodes.entries()) {
      const reply = await api.post<Preview>(`/workflows/${id}/draft/preview`, { document, parameters, node })
      const shown = await pixelsOf(Buffer.from(ok(reply).image.data, 'base64'))
      const expected = await pixelsOf(
        await fetchImage(api, executed.outputs?.find((output) => output.name === `o${i}`)?.url ?? ''),
      )
      const at = `${name}, node ${node}`
      assert.deepEqual([shown.width, shown.height], [expected.width, expected.height], at)
      assert.ok(shown.data.equals(expected.data), at)
      compared += 1
    }
  }
  assert.ok(compared >= 15, `${compared} nodes`)
  t.diagnostic(`${compared} nodes`)
})
