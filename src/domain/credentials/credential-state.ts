/** The state of the Content Credentials of a file. */

/**
 * `trusted`: unchanged since it was signed, by a certificate that this installation trusts (`CREDENTIALS_TRUST_FILE`, or its own).
 * `valid`: unchanged, but the signer is unknown. `invalid`: changed, or not signed correctly.
 */
export const credentialStates = ['trusted', 'valid', 'invalid'] as const
export type CredentialState = (typeof credentialStates)[number]
