import assert from 'node:assert/strict'
import { it } from 'node:test'
import type { CredentialsReport } from '../domain/credentials/credentials.ts'
import { textOf } from './verify.ts'

const empty = { problems: [], signer: null, actions: [], ingredients: [], assertions: {}, isShortened: false }

it('credentials are printed with their signer, actions, and ingredients below them', () => {
  const report: CredentialsReport = {
    ...empty,
    state: 'trusted',
    signer: { commonName: 'Acme', issuer: 'Acme Inc.', time: '2026-11-23T10:00:00Z', isOwn: true },
    claimGenerator: 'Tintype 1.0.0',
    actions: [{ action: 'c2pa.opened' }, { action: 'c2pa.edited', softwareAgent: 'acme/anvil-1' }],
    ingredients: [
      {
        title: 'hero.png',
        relationship: 'parentOf',
        credentials: { ...empty, state: 'invalid', problems: [{ code: 'x.y', message: 'Changed.' }] },
      },
      { title: 'logo.png', relationship: 'componentOf', credentials: null },
    ],
  }
  assert.equal(
    textOf(report),
    [
      'Trusted: unchanged since a trusted signer signed it.',
      '  Signed by    Acme, Acme Inc., this installation',
      '  Signed at    2026-11-23T10:00:00Z',
      '  Written by   Tintype 1.0.0',
      '  Action       c2pa.opened',
      '  Action       c2pa.edited, acme/anvil-1',
      '  Ingredient   hero.png, parentOf, invalid',
      '    Problem      Changed. (x.y)',
      '  Ingredient   logo.png, componentOf, no Content Credentials',
    ].join('\n'),
  )
})

it('texts of the file cannot control the terminal', () => {
  const report: CredentialsReport = { ...empty, state: 'valid', claimGenerator: '\u001b[2Jx\u202e' }
  assert.match(textOf(report), /Written by {3}\?\[2Jx\?$/)
})
