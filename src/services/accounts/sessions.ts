/** Sessions of the console: a key is sent once, and a token replaces it from then on. */

import type { Account } from '../../domain/accounts/account.ts'
import { type Actor, actAs, currentActor } from '../../domain/accounts/audit.ts'
import { type Caller, isLive, type Key, type KeyStore, keyIdOf } from '../../domain/accounts/key.ts'
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
  keys: Pick<Keys, 'authenticate' | 'actingAs'>
  clock: Clock
}

export function createSessions({ sessions, keyStore, keys, clock }: Dependencies): Sessions {
  return {
    identify: keys.authenticate,
    async start(caller) {
      const keyId = keyIdOf(caller)
      const token = newSessionToken()
      const now = clock.now()
      const session = { hash: hashSessionToken(token), keyId, createdAt: now, ...usedAt(now, now) }
      const create = () => sessions.create(session, { ofKeyMax: limits.sessionsPerKeyMax })
      await actAs({ ...currentActor(), type: 'key', keyId }, create)
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
      const account = await keys.actingAs(known.key, known.account)
      return account && { key: known.key, account, sessionId: sessionIdOf(hash) }
    },
    async describe(caller) {
      const keyId = keyIdOf(caller)
      const key = await keyStore.find(keyId)
      if (key === undefined) throw notFound('key', keyId)
      return { account: caller.account, key }
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
