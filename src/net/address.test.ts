import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isPublicAddress } from './address.ts'

const refused = {
  'loopback, this host and unspecified': ['127.0.0.1', '127.255.255.254', '0.0.0.0', '0.1.2.3', '::', '::1'],
  'private and carrier-grade NAT': [
    ...['10.0.0.1', '172.16.0.1', '172.31.255.255', '192.168.0.1', '100.64.0.1', '100.127.255.255'],
    ...['fc00::1', 'fd00:ec2::254', 'fec0::1'],
  ],
  'link-local and cloud metadata': ['169.254.169.254', 'fe80::1', 'febf::1', '168.63.129.16', '192.0.0.192'],
  'multicast and broadcast': ['224.0.0.1', '239.255.255.255', '255.255.255.255', 'ff02::1', 'ff0e::1'],
  'reserved, documentation and benchmark': [
    ...['192.0.2.1', '198.51.100.1', '203.0.113.1', '198.18.0.1', '198.19.255.255', '192.88.99.1', '240.0.0.1'],
    ...['2001:db8::1', '3fff::1', '2001:2::1', '100::1', '2001:10::1', '5f00::1', '4000::1'],
  ],
  'IPv6 with an embedded private IPv4': [
    ...['::ffff:127.0.0.1', '::ffff:10.0.0.1', '::ffff:a9fe:a9fe', '0:0:0:0:0:ffff:7f00:1'],
    ...['64:ff9b::127.0.0.1', '64:ff9b::a00:1', '64:ff9b::100.64.0.1'],
  ],
  'IPv6 with any IPv4 in a deprecated or local notation': [
    ...['::127.0.0.1', '::8.8.8.8', '::ffff:0:8.8.8.8', '64:ff9b:1::8.8.8.8'],
    ...['2002:7f00:1::', '2002:808:808::1', '2001:0:4136:e378:8000:63bf:3fff:fdd2'],
    ...['2606:4700::5efe:10.0.0.1', '2606:4700::200:5efe:8.8.8.8'],
  ],
  'zone ids': ['fe80::1%eth0', '2606:4700:4700::1111%1', '::1%lo'],
  'text that is not a canonical address': [
    ...['', 'localhost', '127.1', '2130706433', '0x7f.0.0.1', '0177.0.0.1', '8.8.8.8.', ' 8.8.8.8', '[::1]'],
    ...['008.8.8.8', '0x8.8.8.8', '134744072', '2606:4700::/32', '1.1.1.1/8'],
  ],
}

for (const [kind, addresses] of Object.entries(refused)) {
  test(`rejects ${kind}`, () => {
    for (const address of addresses) assert.equal(isPublicAddress(address), false, address)
  })
}

test('accepts every public address', () => {
  const addresses = [
    ...[
      '8.8.8.8',
      '1.1.1.1',
      '100.63.255.255',
      '100.128.0.0',
      '172.15.0.1',
      '172.32.0.1',
      '169.253.1.1',
      '168.63.129.17',
    ],
    ...['126.255.255.255', '128.0.0.1', '223.255.255.254', '192.0.3.1', '198.17.255.255'],
    ...['2606:4700:4700::1111', '2a00:1450:4001:81b::200e', '2001:4860:4860::8888', '2001:db9::1'],
    ...['::ffff:8.8.8.8', '64:ff9b::8.8.8.8'],
  ]
  for (const address of addresses) assert.equal(isPublicAddress(address), true, address)
})
