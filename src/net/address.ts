/** Checks which addresses the service can reach on behalf of a caller. */
import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'

/**
 * True for an address of the public internet; false for other addresses and for invalid text. An IPv6 address that embeds an
 * IPv4 address is checked by the embedded one if the mapping is certain, and is rejected otherwise.
 */
export function isPublicAddress(address: string): boolean {
  // A zone id is only valid on a link of this machine. isIP also rejects non-canonical spellings.
  const family = address.includes('%') ? 0 : isIP(address)
  if (family === 4) return isPublicIPv4(ipaddr.IPv4.parse(address))
  // In hexadecimal first: the parser reads ::8.8.8.8 as ::ffff:8.8.8.8, which is another address.
  const hexadecimal = family === 6 ? URL.parse(`http://[${address}]`)?.hostname.slice(1, -1) : undefined
  return hexadecimal !== undefined && isPublicIPv6(ipaddr.IPv6.parse(hexadecimal))
}

function isPublicIPv4(address: ipaddr.IPv4): boolean {
  // `unicast`: an address that isn't in a special-purpose registry of IANA.
  return address.range() === 'unicast' && !azureHost.every((octet, index) => address.octets[index] === octet)
}

/** Inside an Azure machine this public address is the host's own agent, which hands out credentials. */
const azureHost = [168, 63, 129, 16]

function isPublicIPv6(address: ipaddr.IPv6): boolean {
  if (address.isIPv4MappedAddress()) return isPublicIPv4(address.toIPv4Address())
  // NAT64's well-known prefix, 64:ff9b::/96 (RFC 6052): what DNS64 answers on a network without IPv4.
  if (address.match(nat64, 96)) return isPublicIPv4(new ipaddr.IPv4(address.toByteArray().slice(12)))
  // Global unicast is 2000::/3. That leaves out ::/96 (IPv4-compatible), 64:ff9b:1::/48 (local NAT64), fc00::/7, fe80::/10
  // and what is not assigned; `range` leaves out 6to4, Teredo, documentation, benchmarking and their like inside it.
  return address.match(globalUnicast, 3) && address.range() === 'unicast' && !isIsatap(address)
}

const nat64 = ipaddr.IPv6.parse('64:ff9b::')
const globalUnicast = ipaddr.IPv6.parse('2000::')

/** RFC 5214: an interface id of 0:5efe or 200:5efe is followed by an IPv4 address, to which a router tunnels. */
function isIsatap({ parts }: ipaddr.IPv6): boolean {
  return ((parts[4] ?? 0) & ~0x0200) === 0 && parts[5] === 0x5efe
}
