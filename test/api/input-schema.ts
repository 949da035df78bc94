/** `inputSchema` of a workflow and executing it accept the same parameters. */
import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import fc from 'fast-check'
import sharp from 'sharp'
import { area } from '../harness/area.ts'
import { type Client, ok } from '../harness/client.ts'
import { naming } from '../harness/documents.ts'
import {
  aDataUrl,
  anImageId,
  clientCheck,
  type Declaration,
  declarations,
  valuesFor,
} from '../harness/random-schemas.ts'
import { repetitions } from '../harness/repetitions.ts'
import { firstAccount } from '../harness/shared.ts'
import type { Issue, Workflow } from '../harness/types.ts'
import { save, upload } from '../harness/workflows.ts'

area('the input schema of a workflow', {}, () => {
  let api: Client
  before(async () => {
    api = await firstAccount()
  })

  test('the service accepts exactly the parameters that the input schema accepts', async () => {
    const red = await sharp({ create: { width: 12, height: 9, channels: 3, background: '#ff0000' } })
      .png()
      .toBuffer()
    const known = await upload(api, red, 'red.png')
    const dataUrl = `data:image/png;base64,${red.toString('base64')}`
    const existing = (text: string) => text.replaceAll(anImageId, known.id).replaceAll(aDataUrl, dataUrl)
    const counts = { schemas: 0, accepted: 0, rejected: 0 }
    const schemasMin = repetitions(12, 1_000)
    for (let seed = Number(process.env.SEED ?? 1); counts.schemas < schemasMin; seed += 1) {
      const declared = await savable(fc.sample(declarations, { numRuns: 12, seed }))
      const { id } = await save(api, naming('name', declared))
      const { inputSchema } = ok(await api.get<Workflow>(`/workflows/${id}`))
      const accepts = clientCheck(inputSchema)
      counts.schemas += declared.length
      for (const declaration of declared) {
        for (const value of fc.sample(valuesFor(declaration), { numRuns: 4, seed })) {
          const parameters = JSON.parse(existing(JSON.stringify({ [declaration.name]: value }))) as Record<
            string,
            unknown
          >
          const { status } = await api.post('/workflows/execute', { workflowId: id, parameters })
          const isAccepted = accepts(parameters)
          counts[isAccepted ? 'accepted' : 'rejected'] += 1
          assert.equal(status, isAccepted ? 200 : 400, `seed ${seed}: ${JSON.stringify({ declaration, parameters })}`)
        }
      }
    }
    assert.ok(counts.accepted > schemasMin && counts.rejected > schemasMin / 2, JSON.stringify(counts))
  })

  /** The declarations that a document can have: saving names the path of each problem. Nothing is required. */
  async function savable(all: Declaration[]): Promise<(Declaration & Record<string, unknown>)[]> {
    const declared = all.map((each, i) => ({ ...each, name: `value${i}`, required: false }))
    for (;;) {
      const body = await api.post<{ issues: Issue[] }>('/workflows/validate', { document: naming('name', declared) })
      const wrong = new Set(ok(body).issues.map(({ path }) => Number(/^parameters\.(\d+)\./.exec(path)?.[1])))
      assert.ok(!wrong.has(Number.NaN), JSON.stringify(ok(body).issues))
      if (wrong.size === 0) return declared
      for (const index of [...wrong].sort((a, b) => b - a)) declared.splice(index, 1)
    }
  }
})
