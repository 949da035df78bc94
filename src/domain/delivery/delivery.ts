/**
 * The opt-in of a workflow to delivery URLs, which execute it by a signed GET: part of its document. Anything that it doesn't name is
 * rejected.
 */
import Type, { type Static } from 'typebox'
import { parameterNamePattern } from '../../../shared/names.ts'
import { imageIdPattern } from '../../../shared/parameter-formats.ts'
import { limits } from '../../limits.ts'
import { named } from '../named-schema.ts'
import type { OutputFormat } from '../workflows/output.ts'

/** `*.example.com` stands for all hosts below `example.com`. Each character is read once: no pattern repeats a repetition. */
const hostPattern = '^(\\*\\.)?[a-z0-9-]+(\\.[a-z0-9-]+)*$'

export const Delivery = Type.Object(
  {
    parameters: Type.Optional(
      Type.Array(Type.String({ pattern: parameterNamePattern, 'x-expected': 'the name of a parameter' }), {
        maxItems: limits.parametersMax,
        description: 'The parameters that a URL can have. Default: none.',
      }),
    ),
    sources: Type.Optional(
      Type.Array(
        Type.String({
          pattern: hostPattern,
          maxLength: 253,
          'x-expected': 'a host in lower case, such as images.example.com, or *.example.com',
        }),
        {
          maxItems: limits.deliveryHostsMax,
          description:
            'The hosts of image URLs that a parameter can have, such as `images.example.com` or `*.example.com`. Images of the account need no entry. Default: none.',
        },
      ),
    ),
    maxAge: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: limits.deliveryMaxAgeSecondsMax,
        description: `Seconds that browsers and CDNs can cache the output of a channel or of the newest version. Default: ${limits.deliveryMaxAgeSeconds}. The output of a numbered version never changes.`,
        'x-unit': 's',
      }),
    ),
    fallback: Type.Optional(
      Type.String({
        pattern: imageIdPattern,
        'x-expected': 'the id of an image (img_...)',
        description:
          'The image to respond with if the output is not ready within a few seconds, or the execution fails. Default: none, the response is 503.',
      }),
    ),
    redirect: Type.Optional(
      Type.Boolean({
        description:
          'Whether URLs redirect to the file on the server of `IMAGES_URL`, so that this server sends the bytes. Crawlers of social networks drop images that redirect. Default: false.',
      }),
    ),
    paid: Type.Optional(
      Type.Boolean({
        description:
          'Whether a URL can run steps that may cost money, such as AI models of a provider. Such a URL needs a signing key with a monthly budget. Default: false.',
      }),
    ),
  },
  {
    ...named('Delivery'),
    additionalProperties: false,
    description: 'Allows delivery URLs, which execute the workflow by a signed GET. Without it, they are rejected.',
    examples: [{ parameters: ['headline', 'photo'], sources: ['images.example.com'], maxAge: 3_600 }],
  },
)

export type Delivery = Static<typeof Delivery>

/** Names that a delivery URL has already. */
export const reservedNames = ['exp', 'kid', 'sig'] as const

/** Whether one of the hosts of a document allows this host. */
export function allowsHost(hosts: readonly string[], host: string): boolean {
  return hosts.some((allowed) => (allowed.startsWith('*.') ? host.endsWith(allowed.slice(1)) : host === allowed))
}

/** The extensions of delivery URLs. `auto` is the best format that the client accepts. */
export const deliveryExtensions = {
  png: 'png',
  jpg: 'jpeg',
  webp: 'webp',
  avif: 'avif',
  gif: 'gif',
  tiff: 'tiff',
} as const

export type DeliveryExtension = keyof typeof deliveryExtensions | 'auto'

/** `default`: the format that an output without `format` has. */
export type DeliveryFormat = OutputFormat | 'default'

/** The format of a URL for a client with this `Accept`. */
export function formatFor(extension: DeliveryExtension, accept: string): DeliveryFormat {
  if (extension !== 'auto') return deliveryExtensions[extension]
  // A browser names the formats that it can show.
  if (accepts(accept, 'image/avif')) return 'avif'
  return accepts(accept, 'image/webp') ? 'webp' : 'default'
}

/** Whether the header names the type, unless its weight is 0 (RFC 9110, 12.4.2). */
function accepts(accept: string, type: string): boolean {
  return accept.split(',').some((range) => {
    const [name = '', ...parameters] = range.split(';').map((part) => part.trim().toLowerCase())
    return name === type && !parameters.some((parameter) => /^q=0(\.0*)?$/.test(parameter))
  })
}
