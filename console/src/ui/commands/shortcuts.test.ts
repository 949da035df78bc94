import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type KeyPress, keysOf, matches, shortcutText } from './shortcuts.ts'

const press = (key: string, modifiers: Partial<KeyPress> = {}): KeyPress => ({
  key,
  ctrlKey: false,
  metaKey: false,
  altKey: false,
  shiftKey: false,
  ...modifiers,
})

test('mod is Cmd on a Mac and Ctrl elsewhere, and never the other one', () => {
  assert.ok(matches('mod+K', press('k', { metaKey: true }), true))
  assert.ok(matches('mod+K', press('k', { ctrlKey: true }), false))
  assert.ok(!matches('mod+K', press('k', { ctrlKey: true }), true))
  assert.ok(!matches('mod+K', press('k', { metaKey: true }), false))
})

test('an additional modifier key makes another shortcut', () => {
  assert.ok(matches('mod+shift+Z', press('Z', { ctrlKey: true, shiftKey: true }), false))
  assert.ok(!matches('mod+Z', press('Z', { ctrlKey: true, shiftKey: true }), false))
  assert.ok(!matches('Delete', press('Delete', { ctrlKey: true }), false))
  assert.ok(!matches('A', press('a', { altKey: true }), false))
})

test('symbols match in every keyboard layout', () => {
  assert.ok(matches('?', press('?', { shiftKey: true }), false))
  assert.ok(matches('/', press('/', { shiftKey: true }), false))
  assert.ok(matches('mod++', press('+', { ctrlKey: true, shiftKey: true }), false))
})

test('shortcuts are written as on the keyboard of the machine', () => {
  assert.deepEqual(keysOf('mod+shift+Z', true), ['⌘', '⇧', 'Z'])
  assert.deepEqual(keysOf('mod+shift+Z', false), ['Ctrl', 'Shift', 'Z'])
  assert.deepEqual(keysOf('alt+ArrowUp', false), ['Alt', '↑'])
  assert.deepEqual(keysOf('mod++', false), ['Ctrl', '+'])
  assert.equal(shortcutText('mod+Enter', true), '⌘Enter')
  assert.equal(shortcutText('mod+Enter', false), 'Ctrl+Enter')
})
