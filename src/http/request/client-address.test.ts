import assert from 'node:assert/strict'
import type { IncomingMessage } from 'node:http'
import { test } from 'node:test'
import { addressFinder, clientAddress, limitKey, networkMatcher } from './client-address.ts'

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

test('the client is the last forwarded address that is not a proxy, and few of thousands are read', () => {
  const addressOf = addressFinder(['10.0.0.0/8'])
  const from = (remoteAddress: string, forwarded: string) =>
    addressOf({ socket: { remoteAddress }, headers: { 'x-forwarded-for': forwarded } } as unknown as IncomingMessage)
  assert.equal(from('10.0.0.1', '203.0.113.1, 203.0.113.2,10.0.0.2'), '203.0.113.2')
  assert.equal(from('203.0.113.9', '203.0.113.1'), '203.0.113.9')
  assert.equal(from('10.0.0.1', '10.0.0.3, 10.0.0.2'), '10.0.0.3')
  for (const invalid of ['', ' ', ',', '203.0.113.1,', 'x', '203.0.113.1, x'])
    assert.equal(from('10.0.0.1', invalid), '10.0.0.1')
  assert.equal(from('10.0.0.1', `203.0.113.1${',10.0.0.2'.repeat(19)}`), '203.0.113.1')
  assert.equal(from('10.0.0.1', `203.0.113.1${',10.0.0.2'.repeat(20)}`), '10.0.0.2')
})
