import { AlreadyExists } from '../../domain/already-exists.ts'
import type { Dialect } from './dialect.ts'

/** Runs an insertion. Throws `AlreadyExists` when a unique value of it is taken. */
export async function insertNew(dialect: Dialect, noun: string, insert: () => Promise<unknown>): Promise<void> {
  try {
    await insert()
  } catch (error) {
    throw dialect.isUniqueViolation(error) ? new AlreadyExists(noun, { cause: error }) : error
  }
}
