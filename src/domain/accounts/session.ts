/** Sessions of the console: a cookie replaces the key, so that the browser doesn't store the key. */
import { createHash } from 'node:crypto'
import { randomBase62 } from '../ids.ts'
import type { Account } from './account.ts'
import type { Key } from './key.ts'

export interface Session {
  /** SHA-256 of the token, in hex. The token itself is not stored. */
  hash: string
  keyId: string
  createdAt: number
  lastUsedAt: number
  /** The end of its lifetime or of its idle time, whichever comes first. */
  expiresAt: number
}

export interface SessionStore {
  /** Keeps the newest `ofKeyMax` sessions of the key and removes the others. */
  create(session: Session, options: { ofKeyMax: number }): Promise<void>
  /** The session with its key and account, valid or not. */
  findByHash(hash: string): Promise<{ session: Session; key: Key; account: Account } | undefined>
  update(hash: string, change: Pick<Session, 'lastUsedAt' | 'expiresAt'>): Promise<void>
  remove(hash: string): Promise<void>
}

/** 256 bits in 43 characters of base62. */
export function newSessionToken(): string {
  return randomBase62(43)
}

export function isSessionToken(text: string): boolean {
  return /^[0-9A-Za-z]{43}$/.test(text)
}

/** Names a session in the audit log, by the start of its hash. */
export function sessionIdOf(hash: string): string {
  return hash.slice(0, 16)
}

export function hashSessionToken(token: string): string {
  return createHash('sha256').update(token).digest('hex')
}
