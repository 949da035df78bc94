/** Composition of Content Credentials: the key of this installation, and accounts that take turns. */
import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { type Config, ConfigError } from '../config/config.ts'
import { parseChain, parseKey } from '../credentials/chain.ts'
import { createCredentials } from '../credentials/credentials.ts'
import { createKeySigner, type Signer } from '../credentials/signer.ts'
import { orAbort } from '../domain/abortable.ts'
import { type Clock, systemClock } from '../domain/clock.ts'
import type { Credentials } from '../domain/credentials.ts'
import { limits } from '../limits.ts'
import { createAccountQueues } from '../services/account-queues.ts'
import { createPrivateFile, makePrivateFolder } from '../storage/private.ts'
import { makeDataDir } from './records.ts'
import { version } from './version.ts'

/** Creates the development chain at the first start. The library for C2PA is loaded with the first file. */
export async function openCredentials(config: Config, clock: Clock = systemClock): Promise<Credentials> {
  const signer = await openDevelopmentSigner(config.dataDir, clock)
  return inTurns(createCredentials({ signer, trustedRoots: '', generator: { name: 'Tintype', version } }))
}

/** Each account signs or reads one file at a time. The others of the account wait, and accounts take turns. */
function inTurns(credentials: Credentials): Credentials {
  const queues = createAccountQueues(1, limits.credentialsRunningMax)
  const turn = <Value>(account: string | undefined, signal: AbortSignal, work: () => Promise<Value>) =>
    // An aborted job ends later than its caller: it keeps its turn until its thread is free.
    orAbort(queues.run(account ?? '', signal, work), signal)
  return {
    sign: (file, manifest, options) =>
      turn(options.account, options.signal, () => credentials.sign(file, manifest, options)),
    read: async (file, options) => turn(options.account, options.signal, () => credentials.read(file, options)),
    close: credentials.close,
  }
}

/** File in the data folder: the private key, then the certificates. */
export const developmentFile = join('credentials', 'development.pem')

/** The signer with the development chain, which is created if it is missing. */
async function openDevelopmentSigner(dataDir: string, clock: Clock): Promise<Signer> {
  const file = join(dataDir, developmentFile)
  const pem = readIfThere(file) ?? (await createDevelopmentFile(dataDir, clock))
  try {
    const chain = parseChain(pem, clock.now())
    return createKeySigner(chain, parseKey(pem, chain))
  } catch (error) {
    const why = error instanceof Error ? error.message : error
    throw new ConfigError([
      `The file ${file} ${why}. Delete it, and the next start creates another one. Or set CREDENTIALS_CERTIFICATES_FILE.`,
    ])
  }
}

async function createDevelopmentFile(dataDir: string, clock: Clock): Promise<string> {
  const file = join(dataDir, developmentFile)
  const { makeDevelopmentChain } = await import('../credentials/development-chain.ts')
  const { key, certificates } = makeDevelopmentChain(clock.now())
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
