/** Every provider there is, in the order in which a default is looked for. A file that is not listed here does not exist for anybody. */
import type { Provider } from './define.ts'

const providers: Provider[] = []

export const providersById: ReadonlyMap<string, Provider> = new Map(
  providers.map((provider) => [provider.id, provider]),
)
