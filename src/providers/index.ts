/** Every provider there is, in the order in which a default is looked for. A file that is not listed here does not exist for anybody. */
import { azure } from './azure.ts'
import { bedrock } from './bedrock.ts'
import type { Provider } from './define.ts'
import { google } from './google.ts'
import { openai } from './openai.ts'
import { openaiCompatible } from './openai-compatible.ts'
import { xai } from './xai.ts'

const providers: Provider[] = [openai, google, xai, openaiCompatible, azure, bedrock]

export const providersById: ReadonlyMap<string, Provider> = new Map(
  providers.map((provider) => [provider.id, provider]),
)
