import { queryOptions } from '@tanstack/react-query'
import { ApiError } from './client.ts'
import { clearSessionEnded } from './session-ended.ts'

export interface Session {
  account: { id: string; name: string; plan: string }
  key: { id: string; name: string; prefix: string; permissions: string[]; expiresAt?: string }
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
  queryFn: async (): Promise<Session | null> => {
    try {
      return (await requestSession('GET')) as Session
    } catch (error) {
      if (error instanceof ApiError && error.status === 401) return null
      throw error
    }
  },
  staleTime: 60_000,
})

export async function signIn(key: string): Promise<Session> {
  const session = (await requestSession('POST', { key })) as Session
  clearSessionEnded()
  return session
}

export async function signOut(): Promise<void> {
  await requestSession('DELETE')
}

/** Whether the session's key has at least one of the permissions. */
export function mayUse({ key }: Session, ...needed: string[]): boolean {
  return key.permissions.includes('all') || needed.some((permission) => key.permissions.includes(permission))
}
