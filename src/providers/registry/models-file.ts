/** MODELS_FILE: models that the operator adds to the table, and what is to be otherwise of those that are there. */
import type { ModelRow } from '../define.ts'

/** By `provider/model`: a row, or the parts of one that take the place of what its provider says. */
export type ModelsFile = ReadonlyMap<string, Partial<Omit<ModelRow, 'name'>>>

/** Reads YAML, and so JSON. Throws an Error whose message tells every problem, and the path of the file. */
export async function readModelsFile(_text: string, _path: string): Promise<ModelsFile> {
  throw new Error('not built yet')
}
