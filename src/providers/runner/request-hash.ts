/** What was asked, in one number: a call of an execution that is resumed counts only for the same request. */
import { createHash } from 'node:crypto'
import type { ModelRequest } from '../../domain/model.ts'

export async function requestHashOf({ images, mask, ...words }: ModelRequest): Promise<string> {
  const hash = createHash('sha256').update(JSON.stringify(Object.entries(words).sort()))
  for (const { bytes } of images) hash.update(createHash('sha256').update(bytes).digest())
  if (mask) hash.update('mask').update(await mask.white())
  return hash.digest('hex')
}
