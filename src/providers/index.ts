/** The list of all providers, in the order in which defaults are searched. Tests check that every file is listed. */
import { azure } from './azure.ts'
import { bedrock } from './bedrock.ts'
import { bfl } from './bfl.ts'
import { comfyui } from './comfyui.ts'
import type { Provider } from './define.ts'
import { fal } from './fal.ts'
import { google } from './google.ts'
import { openai } from './openai.ts'
import { openaiCompatible } from './openai-compatible.ts'
import { removebg } from './removebg.ts'
import { replicate } from './replicate.ts'
import { stability } from './stability.ts'
import { xai } from './xai.ts'

const providers: Provider[] = [
  openai,
  google,
  xai,
  fal,
  replicate,
  bfl,
  stability,
  openaiCompatible,
  azure,
  bedrock,
  comfyui,
  removebg,
]

export const providersById: ReadonlyMap<string, Provider> = new Map(
  providers.map((provider) => [provider.id, provider]),
)
