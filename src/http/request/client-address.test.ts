import assert from 'node:assert/strict'
import { test } from 'node:test'
import { clientAddress, limitKey, networkMatcher } from './client-address.ts'

test('an address is normalized, with or without a port, as IPv4 or inside IPv6', () => {
  const normalized: [forwarded: string, address: string][] = [
    ['203.0.113.7', '203.0.113.7'],
    ['203.0.113.7:4711', '203.0.113.7'],
    ['::ffff:203.0.113.7', '203.0.113.7'],
    ['[2001:db8::1]:443', '2001:db8::1'],
    ['[2001:db8::1]', '2001:db8::1'],
    ['2001:0DB8:0:0::1', '2001:db8::1'],
  ]
  for (const [forwarded, address] of normalized) assert.equal(clientAddress(forwarded, '10.0.0.1'), address)
})

test('text that is not an address is ignored, and the socket address is used', () => {
  for (const text of [
    '',
    'unknown',
    '_hidden',
    '1.2.3',
    '0x7f.1',
    '017.0.0.1',
    'fe80::1%eth0',
    '1.2.3.4, 5.6.7.8',
    'a:1',
  ])
    assert.equal(clientAddress(text, '::ffff:10.0.0.1'), '10.0.0.1', text)
  assert.equal(clientAddress(undefined, undefined), 'unknown')
})

test('limits count an IPv4 address, and a /64 network of IPv6', () => {
  assert.equal(limitKey('203.0.113.7'), '203.0.113.7')
  assert.equal(limitKey('2001:db8:1:2:3:4:5:6'), limitKey('2001:db8:1:2:ffff::1'))
  assert.notEqual(limitKey('2001:db8:1:2::1'), limitKey('2001:db8:1:3::1'))
})

test('networks match their own addresses and no others', () => {
  const isProxy = networkMatcher(['10.0.0.0/8', '192.0.2.1', 'fd00::/8', '::ffff:198.51.100.0/120'])
  for (const address of ['10.255.0.1', '::ffff:10.0.0.1', '192.0.2.1', 'fd12::1', '198.51.100.200'])
    assert.ok(isProxy(address), address)
  for (const address of ['11.0.0.1', '192.0.2.2', 'fe00::1', '198.51.101.1', 'unknown', ''])
    assert.ok(!isProxy(address), address)
  assert.ok(!networkMatcher([])('127.0.0.1'))
})
