/** Every fake there is, by the id of the provider that it stands for. */
import { bfl } from './bfl.ts'
import { type Fake, type FakeKind, type FakeOptions, startFakeOf } from './fake.ts'
import { fal } from './fal.ts'
import { azure, openai, openaiCompatible } from './openai.ts'
import { replicate } from './replicate.ts'

export const fakeKinds: readonly FakeKind[] = [openai, openaiCompatible, azure, fal, replicate, bfl]

export function startFake(id: string, options?: FakeOptions): Promise<Fake> {
  const kind = fakeKinds.find((each) => each.id === id)
  if (kind === undefined)
    throw new Error(`There is no fake of ${id}: there are ${fakeKinds.map((each) => each.id).join(', ')}.`)
  return startFakeOf(kind, options)
}
