/** Names to addresses without the thread pool: the hosts file, then DNS by c-ares, which can be cancelled. */
import { type LookupAddress, promises } from 'node:dns'
import { readFileSync, statSync } from 'node:fs'
import { isIP, type LookupFunction } from 'node:net'
import { limits } from '../limits.ts'

export interface LookupSettings {
  /** `address` or `address:port`. Default: those of the system. */
  servers?: readonly string[]
  hostsFile?: string
  /** Path of the file with `search` and `ndots`. The name servers in it are read by c-ares. */
  resolvConf?: string
}

/** The options of a `LookupFunction`, and a signal that cancels the queries. */
export type CancellableOptions = Parameters<LookupFunction>[1] & { signal?: AbortSignal }

const systemHosts = process.platform === 'win32' ? 'C:\\Windows\\System32\\drivers\\etc\\hosts' : '/etc/hosts'

/**
 * `dns.lookup` calls getaddrinfo on libuv's threads, of which four serve look-ups: a few names of a silent name server block
 * all others for as long as the system's timeouts take, and nothing cancels them. Here, each look-up has a resolver, sockets and
 * timeouts to itself. Errors have the code ENOTFOUND if the name has no address, else EAI_AGAIN.
 */
export function createLookup(settings: LookupSettings = {}): LookupFunction {
  const { servers = [], hostsFile = systemHosts, resolvConf = '/etc/resolv.conf' } = settings
  const hosts = cachedFile(hostsFile, parseHosts)
  const search = cachedFile(resolvConf, parseSearch)

  async function find(hostname: string, signal: AbortSignal | undefined): Promise<LookupAddress[]> {
    const name = hostname.toLowerCase().replace(/\.$/, '')
    const local = literal(name) ?? hosts().get(name) ?? loopback(name)
    if (local) return local
    for (const candidate of candidatesOf(name, hostname.endsWith('.'), search())) {
      const found = await query(candidate, servers, signal)
      if (found.length > 0) return found
    }
    throw lookupError('ENOTFOUND', hostname)
  }

  return (hostname, options: CancellableOptions, callback) => {
    find(hostname, options.signal)
      .then((all) => {
        const { family } = options
        const ofFamily = family === 4 || family === 6 ? all.filter((address) => address.family === family) : all
        if (ofFamily.length === 0) throw lookupError('ENOTFOUND', hostname)
        return ofFamily
      })
      .then(
        (all) => {
          if (options.all) callback(null, all)
          else callback(null, all[0]?.address ?? '', all[0]?.family)
        },
        (error) => callback(error, []),
      )
  }
}

/** Empty if the name does not exist or has no address. IPv4 comes first: where IPv6 leads nowhere, it fails late. */
async function query(
  name: string,
  servers: readonly string[],
  signal: AbortSignal | undefined,
): Promise<LookupAddress[]> {
  signal?.throwIfAborted()
  const resolver = new promises.Resolver({ timeout: limits.lookupTryMs, tries: limits.lookupTriesMax })
  if (servers.length > 0) resolver.setServers(servers)
  const cancel = () => resolver.cancel()
  signal?.addEventListener('abort', cancel, { once: true })
  try {
    const families = [
      resolver.resolve4(name).then((all) => all.map((address): LookupAddress => ({ address, family: 4 }))),
      resolver.resolve6(name).then((all) => all.map((address): LookupAddress => ({ address, family: 6 }))),
    ].map((answer) => answer.catch(emptyIfNone))
    return await bothFamilies(families)
  } catch (cause) {
    signal?.throwIfAborted()
    throw lookupError('EAI_AGAIN', name, cause)
  } finally {
    signal?.removeEventListener('abort', cancel)
    resolver.cancel()
  }
}

/** The addresses of both families; those of one if the other is late, which some name servers never respond to. */
function bothFamilies(families: Promise<LookupAddress[]>[]): Promise<LookupAddress[]> {
  return new Promise((resolve, reject) => {
    const found: LookupAddress[][] = families.map(() => [])
    let problem: unknown
    let waiting = families.length
    let timer: NodeJS.Timeout | undefined
    const finish = () => {
      clearTimeout(timer)
      const all = found.flat()
      if (all.length === 0 && problem !== undefined) reject(problem)
      else resolve(all)
    }
    for (const [i, family] of families.entries()) {
      family
        .then(
          (addresses) => {
            found[i] = addresses
            if (addresses.length > 0) timer = setTimeout(finish, limits.lookupOtherFamilyMs)
          },
          (error) => {
            problem = error
          },
        )
        .finally(() => {
          waiting -= 1
          if (waiting === 0) finish()
        })
    }
  })
}

/** NXDOMAIN, no record of this type, or a name that isn't valid in DNS. */
function emptyIfNone(error: NodeJS.ErrnoException): LookupAddress[] {
  if (error.code === 'ENOTFOUND' || error.code === 'ENODATA' || error.code === 'EBADNAME') return []
  throw error
}

function lookupError(code: 'ENOTFOUND' | 'EAI_AGAIN', hostname: string, cause?: unknown): NodeJS.ErrnoException {
  return Object.assign(new Error(`${code} ${hostname}`, { cause }), { code, hostname, syscall: 'lookup' })
}

function literal(name: string): LookupAddress[] | undefined {
  const family = isIP(name)
  return family === 0 ? undefined : [{ address: name, family }]
}

/** RFC 6761, 6.3: these names never leave the machine. */
function loopback(name: string): LookupAddress[] | undefined {
  if (name !== 'localhost' && !name.endsWith('.localhost')) return undefined
  return [
    { address: '127.0.0.1', family: 4 },
    { address: '::1', family: 6 },
  ]
}

interface Search {
  domains: string[]
  /** A name with at least this many dots is first looked up without a search domain. */
  ndots: number
}

/** Names to look up, by resolv.conf(5). A pod of Kubernetes has `ndots:5`, and the domains of its cluster. */
function candidatesOf(name: string, isAbsolute: boolean, { domains, ndots }: Search): string[] {
  if (isAbsolute) return [name]
  const inDomains = domains.map((domain) => `${name}.${domain}`)
  return name.split('.').length > ndots ? [name, ...inDomains] : [...inDomains, name]
}

function parseHosts(text: string): Map<string, LookupAddress[]> {
  const found = new Map<string, LookupAddress[]>()
  for (const line of text.split('\n')) {
    const [address = '', ...names] = line.replace(/#.*/, '').trim().split(/\s+/)
    const family = isIP(address)
    if (family === 0 || address.includes('%')) continue
    for (const name of names.map((hostName) => hostName.toLowerCase()))
      found.set(name, [...(found.get(name) ?? []), { address, family }])
  }
  return found
}

function parseSearch(text: string): Search {
  const found: Search = { domains: [], ndots: 1 }
  for (const line of text.split('\n')) {
    const [keyword, ...values] = line
      .replace(/[#;].*/, '')
      .trim()
      .split(/\s+/)
    // The last one wins.
    if (keyword === 'search' || keyword === 'domain')
      found.domains = values
        .map((value) => value.replace(/\.$/, ''))
        .filter(Boolean)
        .slice(0, limits.lookupSearchDomainsMax)
    const ndots = keyword === 'options' && values.map((value) => /^ndots:(\d+)$/.exec(value)?.[1]).find(Boolean)
    if (ndots) found.ndots = Math.min(15, Number(ndots))
  }
  return found
}

/** Read again when it has changed. A file that cannot be read counts as empty. */
function cachedFile<Parsed>(path: string, parse: (text: string) => Parsed): () => Parsed {
  let version = ''
  let parsed = parse('')
  return () => {
    const { mtimeMs = 0, size = 0 } = statSync(path, { throwIfNoEntry: false }) ?? {}
    if (`${mtimeMs} ${size}` === version) return parsed
    version = `${mtimeMs} ${size}`
    try {
      parsed = parse(readFileSync(path, 'utf8'))
    } catch {
      parsed = parse('')
    }
    return parsed
  }
}
