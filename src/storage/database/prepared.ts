import type { Compilable, CompiledQuery, Kysely, QueryResult } from 'kysely'
import type { Schema } from './schema.ts'

/**
 * A query that every execution sends, built once: Kysely takes longer to build and compile most of them than SQLite takes
 * to answer. `build` sees something that stands for each value, so it must only place them; null is no `is null`.
 */
export function prepared<Values extends object, Row>(
  build: (values: Values) => Compilable<Row>,
): (db: Kysely<Schema>, values: Values) => Promise<QueryResult<Row>> {
  let compiled: CompiledQuery<Row> | undefined
  return async (db, values) => {
    if (compiled === undefined) {
      compiled = build(slotsFor(values)).compile()
      texts.add(compiled.sql)
    }
    const parameters = compiled.parameters.map((each) => (each instanceof Slot ? values[each.name as never] : each))
    return db.executeQuery({ ...compiled, parameters })
  }
}

const texts = new Set<string>()

/** A text that somebody else built, sent as often: one of few. */
export function keepPrepared(text: string): void {
  texts.add(text)
}

/** Whether this is the text of such a query: worth keeping it prepared in the server as well. */
export function isPrepared(text: string): boolean {
  return texts.has(text)
}

/** Stands for the value of this name. */
class Slot {
  readonly name: string
  constructor(name: string) {
    this.name = name
  }
}

function slotsFor<Values extends object>(values: Values): Values {
  return Object.fromEntries(Object.keys(values).map((name) => [name, new Slot(name)])) as Values
}
