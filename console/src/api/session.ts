import { queryOptions } from '@tanstack/react-query'
import { ApiError, hasStatus } from './client.ts'
import { clearSessionEnded, watchSession } from './session-ended.ts'
import { forgetTyped } from './typed-values.ts'

export interface Session {
  account: { id: string; name: string; plan: string }
  key: { id: string; name: string; prefix: string; permissions: string[]; expiresAt?: string; test?: true }
  /** The documentation, without a slash at the end. Undefined if it is disabled. */
  docsUrl?: string
}

async function requestSession(method: 'GET' | 'POST' | 'DELETE', body?: unknown): Promise<unknown> {
  const response = await fetch('/v1/session', {
    method,
    ...(body === undefined ? {} : { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
  }).catch(() => undefined)
  const data = await response?.json().catch(() => undefined)
  if (!response?.ok) throw new ApiError(response?.status ?? 0, data, response?.headers)
  return data
}

/** The current session; null if there is none. */
export const sessionQuery = queryOptions({
  queryKey: ['session'],
  queryFn: async ({ client, queryKey }): Promise<Session | null> => {
    const reportEnd = watchSession()
    try {
      return (await requestSession('GET')) as Session
    } catch (error) {
      if (!hasStatus(error, 401)) throw error
      const before = client.getQueryData<Session | null>(queryKey) ?? null
      // The dialog over the page compares its account with that of the next key.
      if (before !== null) reportEnd()
      return before
    }
  },
  staleTime: 60_000,
})

export async function signIn(key: string): Promise<Session> {
  const session = (await requestSession('POST', { key })) as Session
  clearSessionEnded()
  forgetTyped(session.account.id)
  return session
}

/** Succeeds also if the session has ended already. */
export async function signOut(): Promise<void> {
  forgetTyped()
  await requestSession('DELETE').catch((error) => {
    if (!hasStatus(error, 401)) throw error
  })
}
