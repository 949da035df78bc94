import { createHash } from 'node:crypto'
import { S3Client, type S3ClientConfig, S3ServiceException } from '@aws-sdk/client-s3'
import { Unreachable } from '../../errors.ts'

export interface S3Service {
  /** Where a service other than AWS is. */
  endpoint?: string
  /** Without it, and without credentials, what the environment of AWS says. */
  region?: string
  credentials?: { accessKeyId: string; secretAccessKey: string }
  /** Whether the bucket is the first part of the path, or of the host's name. */
  forcePathStyle: boolean
  connectSeconds: number
  /** Of a connection on which nothing moves. */
  idleSeconds: number
  /** Of one try of one request, up to its answer; and as long again for the body of the answer. */
  requestSeconds: number
  /** Tries of each request: timeouts, broken connections, 5xx and `SlowDown`, further and further apart. */
  attemptsMax: number
  socketsMax: number
}

export function createClient({
  endpoint,
  region,
  credentials,
  forcePathStyle,
  attemptsMax,
  ...rest
}: S3Service): S3Client {
  const config: S3ClientConfig = {
    forcePathStyle,
    maxAttempts: attemptsMax,
    // By default the SDK adds trailing checksums that many services refuse, and some store as part of the object.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    // With it, each larger upload would open a connection of its own.
    expectContinueHeader: false,
    requestHandler: {
      connectionTimeout: rest.connectSeconds * 1_000,
      socketTimeout: rest.idleSeconds * 1_000,
      requestTimeout: rest.requestSeconds * 1_000,
      throwOnRequestTimeout: true,
      httpAgent: { keepAlive: true, maxSockets: rest.socketsMax },
      httpsAgent: { keepAlive: true, maxSockets: rest.socketsMax },
    },
  }
  if (endpoint !== undefined) config.endpoint = endpoint
  if (region !== undefined) config.region = region
  if (credentials !== undefined) config.credentials = credentials
  const client = new S3Client(config)
  client.middlewareStack.add(
    (next) => (args) => {
      const { input } = args
      if ('Body' in input && input.Body instanceof Uint8Array)
        return next({ ...args, input: { ...input, ContentMD5: md5(input.Body).toString('base64') } })
      return next(args)
    },
    { step: 'initialize', name: 'contentMd5' },
  )
  client.middlewareStack.add(
    (next) => async (args) => {
      try {
        return await next(args)
      } catch (error) {
        throw isUnreachable(error) ? new Unreachable(error) : withMessage(error)
      }
    },
    { step: 'initialize', name: 'unreachable', priority: 'high' },
  )
  return client
}

/** After all tries: nothing answered, or what answered could not. */
function isUnreachable(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const status = '$metadata' in error ? (error.$metadata as { httpStatusCode?: number }).httpStatusCode : undefined
  if (status !== undefined) return status >= 500
  return 'syscall' in error || 'code' in error || error.name === 'TimeoutError'
}

/** Of an answer without words, as some services give it, the SDK says nothing but `UnknownError`. */
function withMessage(error: unknown): unknown {
  if (error instanceof S3ServiceException && /^(UnknownError)?$/.test(error.message))
    error.message = `the storage answered ${error.$metadata.httpStatusCode} ${error.name}`
  return error
}

/** What `Content-MD5` tells, so that the service refuses a body that was damaged on its way. */
export function md5(bytes: Uint8Array): Buffer {
  return createHash('md5').update(bytes).digest()
}
