/** Kills the process before or after one of the writes to a database. */
import type { Kysely, KyselyPlugin } from 'kysely'
import type { Schema } from '../../../src/storage/database/schema.ts'

export function dyingAt(kysely: Kysely<Schema>, nth: number, when: string): { plugin: KyselyPlugin; count(): number } {
  let writes = 0
  const fatal = new WeakSet()
  const plugin: KyselyPlugin = {
    transformQuery({ node, queryId }) {
      if (!/^\s*(insert|update|delete)/.test(kysely.getExecutor().compileQuery(node, queryId).sql)) return node
      writes += 1
      if (writes === nth) {
        if (when === 'before') process.kill(process.pid, 'SIGKILL')
        fatal.add(queryId)
      }
      return node
    },
    async transformResult({ result, queryId }) {
      if (fatal.has(queryId)) process.kill(process.pid, 'SIGKILL')
      return result
    },
  }
  return { plugin, count: () => writes }
}
