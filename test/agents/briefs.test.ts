/** Agents: the scripted client solves the briefs of the benchmark through `/mcp`, and their checks reject wrong solutions. */
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { promisify } from 'node:util'
import {
  briefsFolder,
  readBriefs,
  readSolutions,
  type Solution,
  solutionsFolder,
  withFiles,
} from '../../bench/agents/brief.ts'
import { edited } from '../../bench/agents/document.ts'
import type { Local } from '../../bench/agents/local.ts'
import { figuresOf } from '../../bench/agents/report.ts'
import { checked, type Lane, type Result, runBriefs } from '../../bench/agents/run.ts'
import { solve } from '../../bench/agents/scripted.ts'
import { limits } from '../../src/limits.ts'
import { isFull } from '../harness/repetitions.ts'

const briefs = readBriefs(briefsFolder)
const solutions = readSolutions(solutionsFolder)
/** A third by default, some of each file. */
const selected = briefs.filter((_, i) => isFull || i % 3 === 0)

test('there are 120 briefs, each with a solution', () => {
  assert.equal(briefs.length, 120)
  assert.deepEqual([...solutions.keys()].sort(), briefs.map(({ id }) => id).sort())
})

describe('briefs', { skip: process.platform !== 'linux' && 'bench/processes.ts reads /proc' }, () => {
  let local: Local
  const laneOf = new Map<string, Lane>()
  let results: Result[] = []

  before(async () => {
    const { startLocal } = await import('../../bench/agents/local.ts')
    local = await startLocal(3)
    const lanes = local.lanes
    results = await runBriefs(selected, lanes, (task) => {
      laneOf.set(task.brief.id, lanes.find(({ recorder }) => recorder.url === task.mcpUrl) as Lane)
      return solve(task, solutions.get(task.brief.id) as Solution)
    })
  })
  after(() => local?.close())

  test('the scripted agent solves each brief with few calls and short answers', () => {
    const failed = results.filter(({ problems }) => problems.length > 0).map(({ id, problems }) => `${id}: ${problems}`)
    assert.deepEqual(failed, [])
    const { calls, tokens } = figuresOf(results)
    assert.ok(calls.median <= 6, `${calls.median} calls`)
    assert.ok(tokens.max <= limits.mcpAnswerBytesMax / 2.5, `${tokens.max} tokens`)
  })

  test('a wrong solution of each brief fails its checks', async () => {
    const passed: string[] = []
    for (const { id, made } of results) {
      const { service } = laneOf.get(id) as Lane
      const brief = briefs.find((each) => each.id === id)
      assert.ok(made && brief, id)
      const wrong = withFiles(solutions.get(id)?.wrong ?? {}, made.ids)
      const { workflowId } = await service.saveDraft(edited(await service.document(made.workflowId), wrong))
      if ((await checked(brief, service, workflowId, made.ids)).length === 0) passed.push(id)
    }
    assert.deepEqual(passed, [])
  })

  test('any command can be the agent, with any folder of briefs', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'tintype-briefs-'))
    try {
      const brief = (id: string, width: number) => ({
        id,
        brief: `An image of ${width} pixels.`,
        checks: [{ size: [width, 20] }],
      })
      await writeFile(join(folder, 'briefs.yaml'), JSON.stringify([brief('right', 40), brief('wrong', 41)]))
      const command = `${process.execPath} test/agents/forty-pixels.ts`
      const args = [
        'bench/agents/index.ts',
        folder,
        '--url',
        local.url,
        '--key',
        local.lanes[0]?.key ?? '',
        '--client',
        command,
      ]
      const run = promisify(execFile)(process.execPath, args)
      const { stdout, code } = await run.then(
        (ended) => ({ ...ended, code: 0 }),
        (error: { stdout: string; code: number }) => error,
      )
      assert.equal(code, 1)
      assert.match(stdout, /✔ right \(2 calls\)\n✖ wrong \(2 calls\)\n {4}size: is 40 x 20, not 41 x 20\n/)
      assert.match(stdout, /Briefs solved \| 1 of 2/)
    } finally {
      await rm(folder, { recursive: true, force: true })
    }
  })
})
