/** Status codes of C2PA in plain English. */

/** The certificate is not among the trusted ones: the file is still valid. */
export const untrustedCode = 'signingCredential.untrusted'
export const trustedCode = 'signingCredential.trusted'
/** The signature is one of the certificate that it names. */
export const signedCode = 'claimSignature.validated'

const sentences: Record<string, string> = {
  'algorithm.deprecated': 'The signature algorithm of the manifest is obsolete and not secure.',
  'algorithm.unsupported': 'The manifest uses an unknown signature algorithm.',
  'assertion.action.ingredientMismatch': 'An action refers to an ingredient that is missing.',
  'assertion.action.malformed': 'The list of actions is not valid.',
  'assertion.bmffHash.mismatch': 'The image was changed after it was signed.',
  'assertion.boxesHash.mismatch': 'The image was changed after it was signed.',
  'assertion.boxesHash.unknownBox': 'The image has a part that was not signed.',
  'assertion.dataHash.mismatch': 'The image was changed after it was signed.',
  'assertion.hashedURI.mismatch': 'A part of the manifest was changed after it was signed.',
  'assertion.inaccessible': 'A part of the manifest is stored elsewhere and was not read.',
  'assertion.missing': 'A part of the manifest is missing.',
  'assertion.multipleHardBindings': 'The manifest has more than one hash of the image.',
  'assertion.undeclared': 'The manifest has a part that is not signed.',
  'claim.cbor.invalid': 'The manifest is damaged.',
  'claim.hardBindings.missing': 'The manifest has no hash of the image, so it could belong to another image.',
  'claim.malformed': 'The manifest is damaged.',
  'claim.missing': 'The manifest has no claim.',
  'claim.multiple': 'The manifest has more than one claim.',
  'claimSignature.mismatch': 'The signature does not fit the manifest: the manifest was changed after it was signed.',
  'claimSignature.missing': 'The manifest is not signed.',
  'claimSignature.outsideValidity': 'The manifest was signed when the certificate was not valid.',
  'general.error': 'The manifest could not be validated.',
  'ingredient.claimSignature.mismatch': 'The signature of an ingredient does not fit its manifest.',
  'ingredient.claimSignature.missing': 'The manifest of an ingredient is not signed.',
  'ingredient.hashedURI.mismatch': 'A part of an ingredient was changed after it was signed.',
  'ingredient.malformed': 'The record of an ingredient is not valid.',
  'ingredient.manifest.mismatch': 'The manifest of an ingredient was changed after it was signed.',
  'ingredient.manifest.missing': 'The manifest of an ingredient is missing.',
  'manifest.inaccessible': 'The manifest is stored elsewhere and was not read.',
  'manifest.multipleParents': 'The manifest names more than one image as the original.',
  'manifest.timestamp.invalid': 'The time stamp of the manifest is not valid.',
  'manifest.update.invalid': 'The manifest changes a part that an update may not change.',
  'manifest.update.wrongParents': 'The manifest is an update without exactly one original.',
  'signingCredential.expired': 'The certificate has expired, and no time stamp proves that the signature is older.',
  'signingCredential.invalid': 'The certificate may not sign Content Credentials.',
  'signingCredential.ocsp.revoked': 'The certificate was revoked.',
  'signingCredential.revoked': 'The certificate was revoked.',
  'timeStamp.malformed': 'The time stamp is damaged.',
  'timeStamp.mismatch': 'The time stamp belongs to another signature.',
  'timeStamp.outsideValidity': 'The certificate of the time stamp was not valid at that time.',
  'timeStamp.untrusted': 'The time stamp is from an unknown authority.',
  [untrustedCode]: 'The signer is unknown: its certificate is not among the trusted ones.',
  'tintype.remote': 'The manifest is stored at another address. Tintype does not fetch it.',
  'tintype.tooLarge': 'The file is too large to read its manifest.',
  'tintype.tooSlow': 'Reading the manifest took too long.',
  'tintype.unreadable': 'The manifest could not be read.',
}

/** Sentence for a code; for an unknown one, the explanation of the library, shortened. */
export function problemSentence(code: string, explanation = ''): string {
  const known = Object.hasOwn(sentences, code) ? sentences[code] : undefined
  return (
    known ?? `The check ${code} failed${explanation === '' ? '' : `: ${explanation.slice(0, explanationCharsMax)}`}.`
  )
}

const explanationCharsMax = 200
