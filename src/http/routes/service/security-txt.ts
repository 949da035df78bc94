import Type from 'typebox'
import { timestamp } from '../../../domain/clock.ts'
import { Fault } from '../../../errors.ts'
import { defineRoute } from '../../define-route.ts'

/** RFC 9116 recommends less than a year. Computed for each request, so the file never expires while the service runs. */
const validMs = 90 * 86_400_000

export const getSecurityTxt = defineRoute({
  id: 'service.securityTxt',
  method: 'GET',
  path: '/.well-known/security.txt',
  root: 'only',
  summary: 'Get the security contact (RFC 9116)',
  description: 'Available if the operator has set `SECURITY_CONTACT`.',
  tag: 'Service',
  permission: 'public',
  query: Type.Object({}, { additionalProperties: true }),
  reply: { status: 200, description: 'The contact.', mediaType: 'text/plain' },
  errors: ['not_found'],
  handle(_request, { securityContact, baseUrl, clock }) {
    if (securityContact === undefined)
      throw new Fault('not_found', 'The operator of this service has published no security contact.')
    const lines = [
      `Contact: ${securityContact}`,
      `Expires: ${timestamp(clock.now() + validMs)}`,
      `Canonical: ${new URL(baseUrl()).origin}/.well-known/security.txt`,
    ]
    const headers = { 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'public, max-age=3600' }
    return { headers, body: Buffer.from(`${lines.join('\n')}\n`) }
  },
})
