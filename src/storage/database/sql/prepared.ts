import type { Compilable, CompiledQuery, Kysely, QueryResult } from 'kysely'
import type { Schema } from '../schema.ts'

/**
 * A query that every execution sends, built once: Kysely takes longer to build and compile most of them than SQLite takes
 * to run them. `build` gets a placeholder for each value, so it must only place them; a null does not become `is null`.
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
    const parameters = compiled.parameters.map((parameter) =>
      parameter instanceof Slot ? values[parameter.name as never] : parameter,
    )
    return db.executeQuery({ ...compiled, parameters })
  }
}

const texts = new Set<string>()

/** Adds a query that was built elsewhere and is sent as often. Only for a few texts. */
export function keepPrepared(text: string): void {
  texts.add(text)
}

/** Whether this is the text of such a query, which the server then keeps prepared as well. */
export function isPrepared(text: string): boolean {
  return texts.has(text)
}

/** The placeholder of the value of this name. */
class Slot {
  readonly name: string
  constructor(name: string) {
    this.name = name
  }
}

function slotsFor<Values extends object>(values: Values): Values {
  return Object.fromEntries(Object.keys(values).map((name) => [name, new Slot(name)])) as Values
}
