/** Settings of Content Credentials: who signs, and who is trusted. */
import { resolve } from 'node:path'
import { checkDates, parseCertificates, parseChain, parseKey } from '../credentials/chain.ts'
import { secret, setting } from './setting.ts'
import { headerText, httpUrl, nonEmpty, signerUrl, trueOrFalse } from './setting-values.ts'

const file = (text: string) => resolve(nonEmpty(text))
const none = undefined as string | undefined

export const credentialSettings = {
  credentialsCertificatesFile: setting(
    'CREDENTIALS_CERTIFICATES_FILE',
    'PEM file with the certificate that signs Content Credentials, followed by its issuers. Its key is in `CREDENTIALS_KEY_FILE`, or at `CREDENTIALS_SIGNER_URL`. Without it, the first start creates a certificate in `DATA_DIR/credentials`, whose signer is unknown to other verifiers.',
    none,
    file,
    'a self-signed certificate',
  ),
  credentialsKeyFile: setting(
    'CREDENTIALS_KEY_FILE',
    'PEM file with the private key of the certificate, unencrypted: ECDSA on P-256 or P-384, or Ed25519.',
    none,
    file,
    'none',
  ),
  credentialsSignerUrl: setting(
    'CREDENTIALS_SIGNER_URL',
    'URL of a signer in place of `CREDENTIALS_KEY_FILE`, such as in front of a key management service. It must start with `https://`, except on this machine.',
    none,
    signerUrl,
    'none',
  ),
  credentialsSignerAuthorization: secret(
    setting(
      'CREDENTIALS_SIGNER_AUTHORIZATION',
      'Value of the header `Authorization` for the signer, such as `Bearer ...`.',
      none,
      headerText,
      'not sent',
    ),
  ),
  credentialsTimestampUrl: setting(
    'CREDENTIALS_TIMESTAMP_URL',
    'URL of a time-stamp server (RFC 3161). With a time stamp, a signature stays valid after the certificate has expired.',
    none,
    httpUrl,
    'none',
  ),
  credentialsTimestampRequired: setting(
    'CREDENTIALS_TIMESTAMP_REQUIRED',
    'If the time-stamp server does not respond: with true, the execution fails; with false, the output is signed without a time stamp, and the execution has a warning.',
    false,
    trueOrFalse,
  ),
  credentialsTrustFile: setting(
    'CREDENTIALS_TRUST_FILE',
    'PEM file with the roots of signers and time-stamp servers that are trusted when Content Credentials are read.',
    none,
    file,
    'none: only the own certificate is trusted',
  ),
}

type Values = { [Key in keyof typeof credentialSettings]: (typeof credentialSettings)[Key]['default'] }

/** A sentence for each file that can't be used, and for each setting that needs another one. `readFile` throws if it fails. */
export function credentialProblems(values: Values, readFile: (path: string) => string): string[] {
  const { credentialsCertificatesFile: certificates, credentialsKeyFile: key, credentialsSignerUrl: signer } = values
  const problems: string[] = []
  /** The result of a parser whose errors continue the name of the setting. */
  const parsed = <Value>(name: string, path: string, parse: (text: string) => Value): Value | undefined => {
    try {
      return parse(readText(path, readFile))
    } catch (error) {
      problems.push(`${name} ${error instanceof Error ? error.message : error}. It is ${JSON.stringify(path)}.`)
      return undefined
    }
  }
  const { credentialsTrustFile: trust } = values
  if (trust !== undefined) parsed('CREDENTIALS_TRUST_FILE', trust, parseCertificates)
  if (certificates === undefined) {
    for (const [name, value] of Object.entries({ CREDENTIALS_KEY_FILE: key, CREDENTIALS_SIGNER_URL: signer }))
      if (value !== undefined) problems.push(`${name} requires CREDENTIALS_CERTIFICATES_FILE. Set both.`)
    return problems
  }
  if (key !== undefined && signer !== undefined)
    problems.push('CREDENTIALS_KEY_FILE and CREDENTIALS_SIGNER_URL are both set. Remove one of them.')
  if (key === undefined && signer === undefined)
    problems.push(
      'CREDENTIALS_CERTIFICATES_FILE requires CREDENTIALS_KEY_FILE or CREDENTIALS_SIGNER_URL. Set one of them.',
    )
  const chain = parsed('CREDENTIALS_CERTIFICATES_FILE', certificates, (pem) => checkDates(parseChain(pem)))
  if (chain && key !== undefined) parsed('CREDENTIALS_KEY_FILE', key, (pem) => parseKey(pem, chain))
  return problems
}

function readText(path: string, readFile: (path: string) => string): string {
  try {
    return readFile(path)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    throw new Error(`must be a file that can be read${code === undefined ? '' : `, but reading it failed (${code})`}`)
  }
}
