/** Parses STORAGE_URL, the location of the blobs. */
import { isAbsolute } from 'node:path'
import { fileURLToPath } from 'node:url'

export type StorageLocation = { kind: 'files'; dir: string } | ({ kind: 's3' } & S3Location)

export interface S3Location {
  bucket: string
  /** Prefix of each key: empty, or `path/of/it/`. */
  prefix: string
  /** URL of a service other than AWS. */
  endpoint?: string
  /** Default: the environment variables of AWS. */
  region?: string
  /** Whether the bucket is the first part of the path, or of the host's name. */
  forcePathStyle: boolean
}

const queryNames = ['endpoint', 'region', 'forcePathStyle']

/** Throws an `Error` whose message says what is accepted. */
export function parseStorageUrl(text: string): StorageLocation {
  const url = URL.parse(text)
  if (url?.protocol === 'file:') return { kind: 'files', dir: folderOf(url) }
  if (url?.protocol === 's3:') return { kind: 's3', ...s3LocationOf(url) }
  throw new Error('must be s3://bucket/prefix?endpoint=...&region=... or file:///absolute/folder')
}

function folderOf(url: URL): string {
  const problem = 'must be an absolute folder, such as file:///var/lib/tintype/blobs, without host and query'
  if (url.host !== '' || url.search !== '' || url.hash !== '' || url.pathname === '/') throw new Error(problem)
  const dir = fileURLToPath(url)
  if (!isAbsolute(dir)) throw new Error(problem)
  return dir.replace(/[\\/]+$/, '')
}

function s3LocationOf(url: URL): S3Location {
  if (url.username !== '' || url.password !== '')
    throw new Error('must not contain credentials. Set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY instead')
  if (url.port !== '' || url.hash !== '')
    throw new Error('must be s3://bucket/prefix, with the host and port of the storage in ?endpoint=http://host:port')
  const query = queryOf(url)
  const endpoint = endpointOf(query.endpoint)
  const region = regionOf(query.region) ?? (endpoint === undefined ? undefined : 'us-east-1')
  return {
    bucket: bucketOf(url.hostname),
    prefix: prefixOf(url.pathname),
    ...(endpoint === undefined ? {} : { endpoint }),
    ...(region === undefined ? {} : { region }),
    // Services that are not AWS rarely have a host name for each bucket.
    forcePathStyle: truthOf(query.forcePathStyle) ?? endpoint !== undefined,
  }
}

function queryOf(url: URL): Record<string, string | undefined> {
  const names = [...url.searchParams.keys()]
  const unknown = names.find((name) => !queryNames.includes(name))
  if (unknown !== undefined)
    throw new Error(`must not have ${JSON.stringify(unknown)} in its query. Allowed: ${queryNames.join(', ')}`)
  const twice = names.find((name, i) => names.indexOf(name) !== i)
  if (twice !== undefined) throw new Error(`must have "${twice}" only once in its query`)
  return Object.fromEntries(url.searchParams)
}

function bucketOf(host: string): string {
  if (/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/.test(host)) return host
  throw new Error(
    'must name a bucket of 3 to 63 letters a-z, digits, dots and hyphens that starts and ends with a letter or digit',
  )
}

function prefixOf(path: string): string {
  const parts = path.replace(/^\//, '').replace(/\/$/, '').split('/')
  if (parts.length === 1 && parts[0] === '') return ''
  if (parts.every((part) => /^[\w.-]+$/.test(part))) return `${parts.join('/')}/`
  throw new Error(
    'must have a prefix of letters a-z and A-Z, digits, _, . and -, with single slashes between its parts',
  )
}

function endpointOf(text: string | undefined): string | undefined {
  if (text === undefined) return undefined
  const url = URL.parse(text)
  const isPlain = url?.search === '' && url.hash === '' && url.username === '' && url.password === ''
  if (url && isPlain && /^https?:$/.test(url.protocol)) return url.href.replace(/\/+$/, '')
  throw new Error('must have an endpoint that is an http(s) URL, such as https://s3.example.com')
}

function regionOf(text: string | undefined): string | undefined {
  if (text === undefined || /^[a-z0-9-]{1,64}$/.test(text)) return text
  throw new Error('must have a region such as eu-central-1')
}

function truthOf(text: string | undefined): boolean | undefined {
  if (text === undefined) return undefined
  if (text === 'true' || text === 'false') return text === 'true'
  throw new Error('must have forcePathStyle=true or forcePathStyle=false')
}
