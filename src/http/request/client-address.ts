/** Normalized client addresses, for logs and for limits per address. */
import type { IncomingMessage } from 'node:http'
import ipaddr from 'ipaddr.js'

export const unknownAddress = 'unknown'

/** Cache of `normalize`: parsing an IPv6 address takes 24 microseconds. */
const normalized = new Map<string, string | undefined>()
const normalizedMax = 1_000
/** Longer texts are not addresses. */
const addressCharsMax = 64

/**
 * The forwarded address, or the socket's address if a proxy forwarded no valid one. In its shortest form, without a port;
 * IPv4-mapped IPv6 addresses become IPv4.
 */
export function clientAddress(forwarded: string | undefined, socketAddress: string | undefined): string {
  return normalize(forwarded) ?? normalize(socketAddress) ?? unknownAddress
}

/** The address of the client of a request. */
export type AddressOf = (request: Pick<IncomingMessage, 'headers' | 'socket'>) => string

/** Proxies that one request passes, at most. */
const proxiesMax = 20

/** `trustedProxies`: addresses and CIDR blocks. `X-Forwarded-For` of other clients is ignored. */
export function addressFinder(trustedProxies: readonly string[]): AddressOf {
  const isProxy = networkMatcher(trustedProxies)
  return ({ headers, socket }) => {
    const direct = clientAddress(undefined, socket.remoteAddress)
    const forwarded = headers['x-forwarded-for']
    if (trustedProxies.length === 0 || forwarded === undefined || !isProxy(direct)) return direct
    return clientAddress(lastOutside(String(forwarded), isProxy), direct)
  }
}

/**
 * The last address that is not a proxy, or else the first. Reads from the right, because the client can have sent the left part: thousands of
 * addresses.
 */
function lastOutside(forwarded: string, isProxy: (address: string) => boolean): string {
  let end = forwarded.length
  let address = ''
  for (let i = 0; i < proxiesMax && end >= 0; i++) {
    const comma = end === 0 ? -1 : forwarded.lastIndexOf(',', end - 1)
    address = forwarded.slice(comma + 1, end).trim()
    if (!isProxy(address)) return address
    end = comma
  }
  return address
}

/** The key of a limit per address: an IPv4 address, or the /64 network of an IPv6 address (the usual size for one customer). */
export function limitKey(address: string): string {
  if (!ipaddr.IPv6.isValid(address)) return address
  const { parts } = ipaddr.IPv6.parse(address)
  return `${new ipaddr.IPv6([...parts.slice(0, 4), 0, 0, 0, 0]).toString()}/64`
}

/** Tests whether an address is in one of these addresses or CIDR blocks. */
export function networkMatcher(networks: readonly string[]): (address: string) => boolean {
  const blocks = networks.map((text) => {
    const [network = '', bits] = text.split('/')
    const address = ipaddr.process(network)
    // A block of IPv4 that is written as IPv6 has 96 bits more.
    const mapped = network.includes(':') && address.kind() === 'ipv4' ? 96 : 0
    return { address, bits: bits === undefined ? (address.kind() === 'ipv4' ? 32 : 128) : Number(bits) - mapped }
  })
  return (text) => {
    if (!ipaddr.isValid(text)) return false
    const address = ipaddr.process(text)
    return blocks.some((block) => address.kind() === block.address.kind() && address.match(block.address, block.bits))
  }
}

function normalize(text: string | undefined): string | undefined {
  if (text === undefined || text.length > addressCharsMax) return undefined
  if (!normalized.has(text)) {
    if (normalized.size >= normalizedMax) normalized.clear()
    normalized.set(text, parseAddress(text))
  }
  return normalized.get(text)
}

function parseAddress(text: string): string | undefined {
  const bare = /^(\d+\.\d+\.\d+\.\d+):\d+$/.exec(text)?.[1] ?? /^\[([^\]]+)\](?::\d+)?$/.exec(text)?.[1] ?? text
  if (bare.includes('%') || !(ipaddr.IPv4.isValidFourPartDecimal(bare) || ipaddr.IPv6.isValid(bare))) return undefined
  return ipaddr.process(bare).toString()
}
