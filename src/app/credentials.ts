/** Composition of Content Credentials: the key of this installation, and accounts that take turns. */
import { hash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Logger } from 'pino'
import type { CliVerifier } from '../cli/cli-services.ts'
import { type Config, ConfigError } from '../config/config.ts'
import { checkDates, parseChain, parseKey, type SigningChain } from '../credentials/chain.ts'
import { createCredentials, createReader } from '../credentials/credentials.ts'
import type { Post } from '../credentials/remote-signer.ts'
import { createKeySigner, type Signer } from '../credentials/signer.ts'
import { orAbort } from '../domain/abortable.ts'
import { systemClock, timestamp } from '../domain/clock.ts'
import {
  type CredentialFacts,
  type Credentials,
  type CredentialsOptions,
  factsOf,
  mayHaveCredentials,
} from '../domain/credentials/credentials.ts'
import { createFairQueue, type FairQueue } from '../domain/fair-queue.ts'
import { sniff } from '../imaging/raster/read/sniff.ts'
import { limits } from '../limits.ts'
import { createProviderHttp } from '../net/provider-http.ts'
import {
  createOutputCredentials,
  type OutputCredentials,
  type OutputCredentialsOptions,
} from '../services/credentials/output-credentials.ts'
import type { Reexecute } from '../services/credentials/reexecutions.ts'
import { createVerification, stageFile, type Verification } from '../services/credentials/verification.ts'
import { createPrivateFile, makePrivateFolder } from '../storage/private.ts'
import { makeDataDir } from './records.ts'
import { version } from './version.ts'

/**
 * Creates the development chain at the first start. The library for C2PA is loaded with the first file. `log`: of the one process
 * that reports when the certificates expire.
 */
export async function openCredentials(config: Config, log?: Logger): Promise<OpenCredentials> {
  const { chain, signer } = await openSigner(config)
  const { credentialsTimestampUrl: timestampUrl } = config
  const credentials = createCredentials({
    signer,
    trustedRoots: trustedRootsOf(config),
    generator,
    expiresAt: chain.expiresAt,
    ...(timestampUrl !== undefined && {
      timestamp: {
        get: (await import('../credentials/timestamp.ts')).createTimestamp(postTo(timestampUrl)),
        isRequired: config.credentialsTimestampRequired,
      },
    }),
  })
  const reports = log && reportExpiry(log, config, chain)
  const shared = queuedByAccount({
    ...credentials,
    async close() {
      reports?.stop()
      await credentials.close()
    },
  })
  const { raw: leaf } = signer.certificates[0] ?? {}
  return {
    ...shared,
    // Each machine has another development certificate, and all are alike for readers.
    signing: hash(
      'sha256',
      JSON.stringify([
        isDevelopmentSigner(config) ? 'development' : leaf?.toString('hex'),
        timestampUrl,
        config.credentialsTimestampRequired,
      ]),
    ),
    forOutputs: (stores) => createOutputCredentials({ credentials: shared, version, ...stores }),
    verification: (reexecute) => createVerification({ credentials: shared, formatOf: sniff, reexecute }),
    async factsIn(bytes, options) {
      const format = sniff(bytes)
      return format === undefined ? {} : factsOf(await shared.read({ bytes, format }, options))
    },
  }
}

export interface OpenCredentials extends Credentials {
  /** Identifies the settings that signatures depend on, for cache keys. */
  signing: string
  forOutputs(stores: Pick<OutputCredentialsOptions, 'images' | 'sources'>): OutputCredentials
  verification(reexecute: Reexecute): Verification
  /** The facts of the credentials in an image file of any format. */
  factsIn(bytes: Buffer, options: CredentialsOptions): Promise<CredentialFacts>
}

/** Verifies files for commands, without records. Trusts the own certificate, if there is one. */
export function createVerifier(config: Config): CliVerifier {
  const { credentialsCertificatesFile, dataDir } = config
  const pem = readIfThere(credentialsCertificatesFile ?? join(dataDir, developmentFile))
  const reader = createReader({
    ownLeaf: pem === undefined ? undefined : parseChain(pem).certificates[0],
    trustedRoots: trustedRootsOf(config),
    generator,
  })
  const verification = createVerification({ credentials: reader, formatOf: sniff })
  return {
    verify: async (file) => verification.verify('', await stageFile(file), { signal: new AbortController().signal }),
    close: reader.close,
  }
}

const generator = { name: 'Tintype', version }

/** PEM. Empty without a file. */
function trustedRootsOf({ credentialsTrustFile: file }: Config): string {
  return file === undefined ? '' : readFileSync(file, 'utf8')
}

/** The certificate is the one that the first start created. */
export function isDevelopmentSigner({ credentialsCertificatesFile }: Config): boolean {
  return credentialsCertificatesFile === undefined
}

/** A sentence for the operator if the chain expires soon. */
export function expiryWarning({ expiresAt }: Pick<SigningChain, 'expiresAt'>, now: number): string | undefined {
  const days = Math.floor((expiresAt - now) / dayMs)
  if (days >= limits.credentialsExpiryDays) return undefined
  const when = `on ${timestamp(expiresAt)}`
  if (expiresAt <= now) return `the certificate for Content Credentials expired ${when}: outputs that need them fail`
  return `the certificate for Content Credentials expires ${when}, in ${days} ${days === 1 ? 'day' : 'days'}: replace it`
}

const dayMs = 86_400_000

/** Now, and once a day. */
function reportExpiry(log: Logger, config: Config, chain: SigningChain) {
  if (isDevelopmentSigner(config))
    log.info('Content Credentials have a self-signed certificate: other verifiers show an unknown signer')
  const report = () => {
    const warning = expiryWarning(chain, systemClock.now())
    if (warning !== undefined) log.warn(warning)
  }
  report()
  const timer = setInterval(report, dayMs).unref()
  return { stop: () => clearInterval(timer) }
}

/**
 * Each account signs one file and reads one at a time. The others of the account wait, and accounts alternate. Many files are signed at
 * the same time, because most of them wait for a signer; few are read, because a file that is read is in memory.
 */
export function queuedByAccount(credentials: Credentials): Credentials {
  const signing = createFairQueue({ slots: limits.credentialsRunningMax, perAccount: 1 })
  const reading = createFairQueue({ slots: limits.credentialsReadingMax, perAccount: 1 })
  // An aborted job ends later than its caller: it keeps its slot until its thread is free.
  const inSlot = <Value>(queue: FairQueue, { account, signal }: CredentialsOptions, work: () => Promise<Value>) =>
    orAbort(queue.run({ account, signal }, work), signal)
  return {
    sign: (file, manifest, options) => inSlot(signing, options, () => credentials.sign(file, manifest, options)),
    async read(file, options) {
      // Most files have none, and don't wait.
      if (typeof file !== 'function' && !(await mayHaveCredentials(file))) return undefined
      return inSlot(reading, options, () => credentials.read(file, options))
    },
    close: credentials.close,
  }
}

/** File in the data folder: the private key, then the certificates. */
export const developmentFile = join('credentials', 'development.pem')

async function openSigner(config: Config): Promise<{ chain: SigningChain; signer: Signer }> {
  const { credentialsCertificatesFile: file, credentialsKeyFile: keyFile, credentialsSignerUrl: url } = config
  if (file === undefined) return openDevelopmentSigner(config.dataDir)
  // The settings were checked, dates included. A process that starts again later runs with an expired chain, and reports it.
  const chain = parseChain(readFileSync(file, 'utf8'))
  if (url === undefined)
    return { chain, signer: createKeySigner(chain, parseKey(readFileSync(keyFile ?? '', 'utf8'), chain)) }
  const { createRemoteSigner } = await import('../credentials/remote-signer.ts')
  return { chain, signer: createRemoteSigner(chain, postTo(url, config.credentialsSignerAuthorization)) }
}

/** The operator set the address, so it can be private. Redirects are not followed. */
function postTo(url: string, authorization?: string): Post {
  const http = createProviderHttp({ baseUrl: url, allow: [], bytesMax: limits.credentialsResponseBytesMax })
  return async (body, signal) => {
    const headers = authorization === undefined ? {} : { authorization }
    const common = { method: 'POST' as const, url, timeoutSeconds: limits.credentialsRequestSeconds, signal }
    const { status, bytes } =
      'json' in body
        ? await http.request({ ...common, headers, json: body.json })
        : await http.request({ ...common, headers: { ...headers, 'content-type': body.mediaType }, body: body.bytes })
    return { status, bytes }
  }
}

/** The signer with the development chain, which is created if it is missing. */
async function openDevelopmentSigner(dataDir: string): Promise<{ chain: SigningChain; signer: Signer }> {
  const file = join(dataDir, developmentFile)
  const pem = readIfThere(file) ?? (await createDevelopmentFile(dataDir))
  try {
    const chain = checkDates(parseChain(pem))
    return { chain, signer: createKeySigner(chain, parseKey(pem, chain)) }
  } catch (error) {
    const why = error instanceof Error ? error.message : error
    throw new ConfigError([
      `The file ${file} ${why}. Delete it, and the next start creates another one. Or set CREDENTIALS_CERTIFICATES_FILE.`,
    ])
  }
}

async function createDevelopmentFile(dataDir: string): Promise<string> {
  const file = join(dataDir, developmentFile)
  const { makeDevelopmentChain } = await import('../credentials/development-chain.ts')
  const { key, certificates } = makeDevelopmentChain(systemClock.now())
  makeDataDir(dataDir)
  makePrivateFolder(dirname(file))
  // If another process created it in the meantime, that one is used.
  createPrivateFile(file, `${key}${certificates}`)
  return readFileSync(file, 'utf8')
}

function readIfThere(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}
