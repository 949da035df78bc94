import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import type { Project } from '../../domain/accounts/project.ts'
import type { Image } from '../../domain/images/image.ts'
import type { PageRequest } from '../../domain/page.ts'
import type { DraftItem } from '../../domain/workflows/draft.ts'
import type { Workflow } from '../../domain/workflows/workflow.ts'
import { limits } from '../../limits.ts'
import { createImageUses } from './image-uses.ts'

/** Stores with this number of documents, of which those at these places contain any text. */
function open({
  workflows = 0,
  drafts = 0,
  projects = 0,
  matches = [] as number[],
  branded = [] as string[],
  bytes = 100,
}) {
  const read = { workflows: 0, drafts: 0 }
  let running = 0
  let runningMost = 0
  const store = <Item>(noun: 'workflows' | 'drafts', total: number, itemOf: (id: string) => Item) => ({
    async list(_: string, page: PageRequest) {
      return pageOf(page, total, (index) => itemOf(`wf_${index}`))
    },
    async containing(_: string, ids: readonly string[]) {
      read[noun] += ids.length
      running += 1
      runningMost = Math.max(runningMost, running)
      await setImmediate()
      running -= 1
      return {
        ids: new Set(ids.filter((id) => matches.includes(Number(id.slice('wf_'.length))))),
        bytes: ids.length * bytes,
      }
    },
  })
  const uses = createImageUses({
    images: { find: async (_, id) => (id === 'img_1' ? ({ id } as Image) : undefined) },
    workflows: store('workflows', workflows, (id) => ({ id, name: 'Saved', version: 3 }) as Workflow),
    drafts: store('drafts', drafts, (id) => ({ workflowId: id, name: 'Edited' }) as DraftItem),
    projects: {
      async list(_, page) {
        return pageOf(page, projects, (index) => ({ id: `prj_${index}`, name: 'Shop' }) as Project)
      },
    },
    brands: {
      async containing(_, ids) {
        return { ids: new Set(ids.filter((id) => branded.includes(id))), bytes: ids.length * bytes }
      },
      async find(accountId, projectId) {
        const image = { type: 'image' as const, value: 'img_1' }
        return {
          accountId,
          projectId,
          values: { logo: image, note: { ...image, type: 'text' } },
          revision: 1,
          updatedAt: 1,
        }
      },
    },
  })
  const { signal } = new AbortController()
  return {
    find: (id = 'img_1', account = 'acct') => uses.find(account, id, signal),
    read,
    runningMost: () => runningMost,
  }
}

/** Items from 0 in ascending order. The place of an item is its number. */
function pageOf<Item>({ limit, offset, after }: PageRequest, total: number, itemOf: (index: number) => Item) {
  const start = (after ? after.value + 1 : 0) + offset
  const end = Math.min(start + limit, total)
  const items = Array.from({ length: Math.max(0, end - start) }, (_, index) => itemOf(start + index))
  return { items, total, next: end < total ? { value: end - 1, id: '' } : null }
}

const upTo = (count: number) => Array.from({ length: count }, (_, index) => index)

test('a workflow whose version and draft name the image is one use', async () => {
  const { find } = open({ workflows: 45, drafts: 46, matches: [0, 44, 45] })
  const use = (index: number) => ({ workflowId: `wf_${index}`, name: 'Saved', version: 3, isInDraft: true })
  const draft = { workflowId: 'wf_45', name: 'Edited', isInDraft: true }
  assert.deepEqual(await find(), { uses: [use(0), use(44), draft], brands: [], hasMore: false })
})

test('a search reads at most the limit of documents, and reports that it stopped', async () => {
  const { find, read } = open({ workflows: 5_000, drafts: 1, matches: [limits.imageUsesSearchedMax] })
  assert.deepEqual(await find(), { uses: [], brands: [], hasMore: true })
  assert.deepEqual(read, { workflows: limits.imageUsesSearchedMax, drafts: 1 })
})

test('a search reads at most the limit of bytes of each, and reports that it stopped', async () => {
  const bytes = limits.imageUsesBytesMax / 64
  const { find, read } = open({ workflows: 100, drafts: 100, bytes })
  assert.deepEqual(await find(), { uses: [], brands: [], hasMore: true })
  assert.deepEqual(read, { workflows: 64, drafts: 64 })
})

test('brands of the account and of projects are uses, with the values that are the image', async () => {
  const { find } = open({ projects: 70, branded: ['acct', 'prj_69'] })
  assert.deepEqual(await find(), {
    uses: [],
    brands: [
      { projectId: null, values: ['logo'] },
      { projectId: 'prj_69', projectName: 'Shop', values: ['logo'] },
    ],
    hasMore: false,
  })
  const { hasMore } = await open({ projects: limits.imageUsesSearchedMax + 1 }).find()
  assert.equal(hasMore, true)
})

test('searches at the same time run one after another', async () => {
  const { find, runningMost } = open({ workflows: 30 })
  await Promise.all(['a', 'a', 'b', 'c'].map((account) => find('img_1', account)))
  assert.equal(runningMost(), 1)
})

test('a search stops when it has found enough', async () => {
  const { find, read } = open({ workflows: 900, matches: upTo(500) })
  const found = await find()
  assert.deepEqual([found.uses.length, found.hasMore], [limits.imageUsesMax, true])
  assert.ok(read.workflows < 100)
})

for (const [count, hasMore] of [
  [limits.imageUsesMax, false],
  [limits.imageUsesMax + 1, true],
] as const)
  test(`of ${count} uses, ${hasMore ? 'not all are' : 'every one is'} listed`, async () => {
    const found = await open({ workflows: count, matches: upTo(count) }).find()
    assert.deepEqual([found.uses.length, found.hasMore], [limits.imageUsesMax, hasMore])
  })

test('an unknown image is not_found', async () => {
  await assert.rejects(open({ workflows: 1 }).find('img_2'), { code: 'not_found' })
})
