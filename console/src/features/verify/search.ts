/** The URL parameters of the page: the stored image to verify. */
export interface VerifySearch {
  image?: string
}

export function verifySearch({ image }: Record<string, unknown>): VerifySearch {
  return typeof image === 'string' ? { image } : {}
}
