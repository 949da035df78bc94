import { AlreadyExists } from '../../domain/already-exists.ts'
import type { Dialect } from './dialect.ts'

/** Runs an insertion, and gives what it gives. Throws `AlreadyExists` when a unique value of it is taken. */
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
