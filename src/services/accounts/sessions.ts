/** Sessions of the console: a key is sent once, and a token replaces it from then on. */

import type { Account } from '../../domain/accounts/account.ts'
import { type Actor, actAs, currentActor } from '../../domain/accounts/audit.ts'
import { type Caller, isLive, type Key, type KeyStore } from '../../domain/accounts/key.ts'
import { hashSessionToken, newSessionToken, type SessionStore, sessionIdOf } from '../../domain/accounts/session.ts'
import type { Clock } from '../../domain/clock.ts'
import { notFound } from '../../errors.ts'
import { limits } from '../../limits.ts'
import { type Keys, lastUsedStepMs } from './keys.ts'

/** The signed-in caller. */
export interface SignedIn {
  account: Account
  key: Key
}

export interface Sessions {
  /** The owner of this key. Undefined if it is unknown, expired or revoked. */
  identify: Keys['authenticate']
  /** Returns the token. It is returned only here, and not stored. */
  start(caller: Caller): Promise<string>
  /** The owner of this token. Undefined if it is unknown or has expired, or its key is not valid. */
  authenticate(token: string): Promise<Caller | undefined>
  describe(caller: Caller): Promise<SignedIn>
  end(token: string): Promise<void>
}

interface Dependencies {
  sessions: SessionStore
  keyStore: Pick<KeyStore, 'find' | 'noteUse'>
  keys: Pick<Keys, 'authenticate'>
  clock: Clock
}

export function createSessions({ sessions, keyStore, keys, clock }: Dependencies): Sessions {
  return {
    identify: keys.authenticate,
    async start({ key }) {
      const token = newSessionToken()
      const now = clock.now()
      const session = { hash: hashSessionToken(token), keyId: key.id, createdAt: now, ...usedAt(now, now) }
      const create = () => sessions.create(session, { ofKeyMax: limits.sessionsPerKeyMax })
      await actAs({ ...currentActor(), type: 'key', keyId: key.id }, create)
      return token
    },
    async authenticate(token) {
      const hash = hashSessionToken(token)
      const known = await sessions.findByHash(hash)
      const now = clock.now()
      if (known === undefined || known.session.expiresAt <= now || !isLive(known.key, now)) return undefined
      if (now - known.session.lastUsedAt > lastUsedStepMs) {
        await sessions.update(hash, usedAt(now, known.session.createdAt))
        await keyStore.noteUse(known.key.id, now)
      }
      return { key: known.key, account: known.account, sessionId: sessionIdOf(hash) }
    },
    async describe({ account, key }) {
      const found = await keyStore.find(key.id)
      if (found === undefined) throw notFound('key', key.id)
      return { account, key: found }
    },
    end(token) {
      const hash = hashSessionToken(token)
      const actor: Actor = { ...currentActor(), type: 'session', sessionId: sessionIdOf(hash) }
      return actAs(actor, () => sessions.remove(hash))
    },
  }
}

function usedAt(now: number, createdAt: number): { lastUsedAt: number; expiresAt: number } {
  const [end, unused] = [createdAt + limits.sessionSeconds * 1_000, now + limits.sessionUnusedSeconds * 1_000]
  return { lastUsedAt: now, expiresAt: Math.min(end, unused) }
}
