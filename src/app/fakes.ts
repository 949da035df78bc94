/** The part of the composition that stands in for AI providers. The stand-ins are kept with the tests, and an installation may come without. */
import { existsSync } from 'node:fs'
import { failure } from '../errors.ts'

/** As `test/fakes/index.ts` exports them: found when it is asked for, so that nothing else depends on it. */
interface Fakes {
  fakeKinds: readonly { id: string; title: string; env(url: string, key: string): Record<string, string> }[]
  startFake(id: string, options: { port: number; latencyMs: number; key: string }): Promise<FakeServer>
}

interface FakeServer {
  url: string
  key: string
  close(): Promise<void>
}

/** As long as somebody sees that it takes a while. */
const latencyMs = 1_500
/** Not `fake` alone: what a provider says is told without the key, and the word is in much of what fakes say. */
const key = 'fake-key'

export async function wireFakes() {
  const file = new URL('../../test/fakes/index.ts', import.meta.url)
  if (!existsSync(file))
    throw failure('input_invalid', 'Fakes are not part of this installation: they stand in test/fakes of the source.')
  const { fakeKinds, startFake } = (await import(file.href)) as Fakes
  const servers: FakeServer[] = []
  return {
    kinds: fakeKinds.map(({ id }) => id),
    async start(id: string, port: number) {
      const kind = fakeKinds.find((each) => each.id === id)
      if (kind === undefined) throw failure('input_invalid', `There is no fake of ${id}.`)
      const server = await startFake(id, { port, latencyMs, key }).catch((error: NodeJS.ErrnoException) => {
        if (error.code !== 'EADDRINUSE') throw error
        throw failure(
          'input_invalid',
          `Port ${port}, for the fake of ${id}, is taken: give another one with --port-from.`,
        )
      })
      servers.push(server)
      return { title: kind.title, url: server.url, env: kind.env(server.url, server.key) }
    },
    async close() {
      await Promise.all(servers.map((server) => server.close()))
    },
  }
}
