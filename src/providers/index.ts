/** The list of all providers, in the order in which defaults are searched. Tests check that every file is listed. */
import { azure } from './adapters/azure.ts'
import { bedrock } from './adapters/bedrock.ts'
import { bfl } from './adapters/bfl.ts'
import { comfyui } from './adapters/comfyui.ts'
import { fal } from './adapters/fal.ts'
import { google } from './adapters/google.ts'
import { openai } from './adapters/openai.ts'
import { openaiCompatible } from './adapters/openai-compatible.ts'
import { removebg } from './adapters/removebg.ts'
import { replicate } from './adapters/replicate.ts'
import { stability } from './adapters/stability.ts'
import { xai } from './adapters/xai.ts'
import type { Provider } from './define.ts'

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
