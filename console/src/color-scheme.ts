/** The chosen colour scheme. It is stored in a cookie, which public/color-scheme.js reads before the first paint. */
import type { MantineColorScheme, MantineColorSchemeManager } from '@mantine/core'

const name = 'tintype_scheme'
const yearSeconds = 31_536_000

export const colorSchemeManager: MantineColorSchemeManager = {
  get(otherwise) {
    const [, stored] = new RegExp(`(?:^|; )${name}=(light|dark)`).exec(document.cookie) ?? []
    return (stored as MantineColorScheme | undefined) ?? otherwise
  },
  set(scheme) {
    const value = scheme === 'auto' ? `; max-age=0` : `${scheme}; max-age=${yearSeconds}`
    // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is not everywhere, and is not there on http
    document.cookie = `${name}=${value}; path=/; samesite=strict`
  },
  subscribe: () => undefined,
  unsubscribe: () => undefined,
  clear: () => colorSchemeManager.set('auto'),
}
