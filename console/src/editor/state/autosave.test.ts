import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { WorkflowDocument } from '../../api/workflow-document.ts'
import { createAutosave } from './autosave.ts'
import { createDocumentStore } from './document-store.ts'

class Conflict extends Error {}

/** A draft that is stored elsewhere, as the API keeps it. */
function store(revision = 1) {
  const saves: WorkflowDocument[] = []
  const stored = {
    revision,
    saves,
    /** Resolves the saves that wait. */
    gate: Promise.resolve(),
    async save(document: WorkflowDocument, ifRevision: number | undefined) {
      await stored.gate
      if (ifRevision !== undefined && ifRevision !== stored.revision) throw new Conflict()
      saves.push(document)
      stored.revision++
      return stored.revision
    },
  }
  return stored
}

function begin(stored: ReturnType<typeof store>, revision: number | undefined = stored.revision) {
  const editor = createDocumentStore({ name: 'a', nodes: {} })
  const autosave = createAutosave({
    store: editor,
    revision,
    save: stored.save,
    isConflict: (error) => error instanceof Conflict,
    delayMs: 5,
    retryMs: 5,
  })
  const stop = autosave.start()
  const rename = (name: string) =>
    editor.getState().change('Rename', (document) => {
      document.name = name
    })
  return { editor, autosave, stop, rename }
}

async function until(isSo: () => boolean): Promise<void> {
  const deadline = performance.now() + 60_000
  while (!isSo() && performance.now() < deadline) await nextTurn()
  assert.ok(isSo())
}

test('changes are saved automatically, and successive changes in one save', async () => {
  const stored = store()
  const { autosave, stop, rename } = begin(stored)
  rename('b')
  rename('c')
  assert.equal(autosave.state.getState().kind, 'waiting')
  await until(() => autosave.state.getState().kind === 'saved')
  assert.deepEqual(
    stored.saves.map(({ name }) => name),
    ['c'],
  )
  stop()
})

test('a change during a save is saved afterwards, based on the new revision', async () => {
  const stored = store()
  const { autosave, stop, rename } = begin(stored)
  let open: (() => void) | undefined
  stored.gate = new Promise((resolve) => {
    open = resolve
  })
  rename('b')
  await until(() => autosave.state.getState().kind === 'saving')
  rename('c')
  open?.()
  await until(() => autosave.state.getState().kind === 'saved')
  assert.deepEqual(
    stored.saves.map(({ name }) => name),
    ['b', 'c'],
  )
  stop()
})

test('nothing overwrites the changes of another user until the user chooses one version', async () => {
  const stored = store()
  const { editor, autosave, stop, rename } = begin(stored)
  stored.revision = 7
  rename('b')
  await until(() => autosave.state.getState().kind === 'conflict')
  rename('c')
  await autosave.flush()
  assert.deepEqual(stored.saves, [])
  await autosave.keepOurs(7)
  assert.deepEqual(stored.saves, [editor.getState().document])
  assert.equal(autosave.state.getState().kind, 'saved')
  stop()
})

test('the chosen version of the other user is not saved again', async () => {
  const stored = store()
  const { editor, autosave, stop, rename } = begin(stored)
  stored.revision = 7
  rename('b')
  await until(() => autosave.state.getState().kind === 'conflict')
  editor.getState().replace('Load', { name: 'theirs', nodes: {} })
  autosave.accept(editor.getState().document, 7)
  assert.equal(autosave.state.getState().kind, 'saved')
  rename('c')
  await autosave.flush()
  assert.deepEqual(
    stored.saves.map(({ name }) => name),
    ['c'],
  )
  stop()
})

test('retries a failed save', async () => {
  const stored = store()
  const { autosave, stop, rename } = begin(stored)
  stored.gate = Promise.reject(new Error('no network'))
  stored.gate.catch(() => undefined)
  rename('b')
  await until(() => autosave.state.getState().kind === 'failed')
  stored.gate = Promise.resolve()
  await until(() => autosave.state.getState().kind === 'saved')
  assert.equal(stored.saves.length, 1)
  stop()
})

test('a draft is created for a published version, even without changes', async () => {
  const stored = store()
  const { autosave, stop } = begin(stored)
  await autosave.ensure()
  assert.equal(stored.saves.length, 0)
  autosave.accept({ name: 'a', nodes: {} }, undefined)
  await autosave.ensure()
  assert.equal(stored.saves.length, 1)
  stop()
})
