import { createHash } from 'node:crypto'
import { S3Client, type S3ClientConfig, S3ServiceException } from '@aws-sdk/client-s3'
import { DependencyUnavailable } from '../../errors.ts'

export interface S3Service {
  /** The URL of a service other than AWS. */
  endpoint?: string
  /** Default: the region of the AWS environment, as for credentials. */
  region?: string
  credentials?: { accessKeyId: string; secretAccessKey: string }
  /** Whether the bucket is the first part of the path, or of the host name. */
  forcePathStyle: boolean
  connectSeconds: number
  /** Time-out of a connection without traffic. */
  idleSeconds: number
  /** Time-out of one try of a request up to its response, and again for the body of the response. */
  requestSeconds: number
  /** Tries of each request after time-outs, broken connections, 5xx and `SlowDown`, with growing pauses. */
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
    // By default, the SDK adds trailing checksums. Many services refuse them, and some store them as part of the object.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    // With it, each larger upload would open a separate connection.
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
        throw isUnreachable(error) ? new DependencyUnavailable(error) : withMessage(error)
      }
    },
    { step: 'initialize', name: 'unreachable', priority: 'high' },
  )
  return client
}

/** Whether the service was unreachable or unable to respond, after all tries. */
function isUnreachable(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const status = '$metadata' in error ? (error.$metadata as { httpStatusCode?: number }).httpStatusCode : undefined
  if (status !== undefined) return status >= 500
  return 'syscall' in error || 'code' in error || error.name === 'TimeoutError'
}

/** Adds a message to a response without one, which some services send: the SDK says only `UnknownError`. */
function withMessage(error: unknown): unknown {
  if (error instanceof S3ServiceException && /^(UnknownError)?$/.test(error.message))
    error.message = `the storage returned ${error.$metadata.httpStatusCode} ${error.name}`
  return error
}

/** The value of `Content-MD5`, with which the service refuses a body that was damaged on its way. */
export function md5(bytes: Uint8Array): Buffer {
  return createHash('md5').update(bytes).digest()
}
