import { queryOptions } from '@tanstack/react-query'
import { ApiError } from './client.ts'
import { forgetSessionEnded } from './session-ended.ts'

export interface Session {
  account: { id: string; name: string; plan: string }
  key: { id: string; name: string; prefix: string; permissions: string[]; expiresAt?: string }
}

async function ask(method: 'GET' | 'POST' | 'DELETE', body?: unknown): Promise<unknown> {
  const reply = await fetch('/v1/session', {
    method,
    ...(body === undefined ? {} : { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
  }).catch(() => undefined)
  const answer = await reply?.json().catch(() => undefined)
  if (!reply?.ok) throw new ApiError(reply?.status ?? 0, answer, reply?.headers)
  return answer
}

/** Who is signed in; null for nobody. */
export const sessionQuery = queryOptions({
  queryKey: ['session'],
  queryFn: async (): Promise<Session | null> => {
    try {
      return (await ask('GET')) as Session
    } catch (error) {
      if (error instanceof ApiError && error.status === 401) return null
      throw error
    }
  },
  staleTime: 60_000,
})

export async function signIn(key: string): Promise<Session> {
  const session = (await ask('POST', { key })) as Session
  forgetSessionEnded()
  return session
}

export async function signOut(): Promise<void> {
  await ask('DELETE')
}

/** Whether the key of the session may do what needs any one of these. */
export function mayUse({ key }: Session, ...needed: string[]): boolean {
  return key.permissions.includes('all') || needed.some((permission) => key.permissions.includes(permission))
}
