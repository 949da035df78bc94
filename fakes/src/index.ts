/** All fake providers, by the id of the provider. */
import { bedrock } from './bedrock.ts'
import { bfl } from './bfl.ts'
import { comfyui } from './comfyui.ts'
import { type Fake, type FakeKind, type FakeOptions, startFakeOf } from './fake.ts'
import { fal } from './fal.ts'
import { google } from './google.ts'
import { azure, openai, openaiCompatible } from './openai.ts'
import { removebg } from './removebg.ts'
import { replicate } from './replicate.ts'
import { stability } from './stability.ts'
import { xai } from './xai.ts'

export const fakeKinds: readonly FakeKind[] = [
  openai,
  google,
  fal,
  replicate,
  bfl,
  stability,
  xai,
  azure,
  bedrock,
  openaiCompatible,
  comfyui,
  removebg,
]

export function startFake(id: string, options?: FakeOptions): Promise<Fake> {
  const kind = fakeKinds.find((each) => each.id === id)
  if (kind === undefined)
    throw new Error(`Unknown provider: ${id}. Available: ${fakeKinds.map((each) => each.id).join(', ')}.`)
  return startFakeOf(kind, options)
}
