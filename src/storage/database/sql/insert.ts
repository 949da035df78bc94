import { AlreadyExists } from '../../../domain/already-exists.ts'
import type { Dialect } from '../dialect.ts'

/** Runs an insert and returns its result. Throws `AlreadyExists` if a unique value exists. */
export async function insertNew<Result>(
  dialect: Dialect,
  noun: string,
  insert: () => Promise<Result>,
): Promise<Result> {
  try {
    return await insert()
  } catch (error) {
    throw dialect.isUniqueViolation(error) ? new AlreadyExists(noun, { cause: error }) : error
  }
}
