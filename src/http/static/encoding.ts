/** Content negotiation (RFC 9110, 12.5.3). Hand-written: `negotiator` needs a second package for its types, and saves ten lines. */

/** The compressed bytes of a file. */
export interface Encoded {
  br?: Buffer
  gzip?: Buffer
}

const offered = ['br', 'gzip'] as const

export function encodingFor(
  accepted: string | undefined,
  { encoded }: { encoded: Encoded },
): (typeof offered)[number] | undefined {
  const weights = new Map(
    (accepted ?? '').split(',').map((entry): [string, number] => {
      const [name = '', ...parameters] = entry.split(';').map((part) => part.trim().toLowerCase())
      const weight = parameters.find((part) => part.startsWith('q='))?.slice(2)
      return [name, weight === undefined ? 1 : Number(weight)]
    }),
  )
  // Brotli first, because it is smaller; the weights only exclude.
  return offered.find((name) => encoded[name] !== undefined && (weights.get(name) ?? weights.get('*') ?? 0) > 0)
}
