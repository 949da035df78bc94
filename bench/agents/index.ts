/**
 * Usage: node bench/agents/index.ts [FOLDER] [--url URL --key KEY [--agent-key KEY]] [--client COMMAND [--timeout SECONDS]] [--only ID,ID]
 *        [--json FILE] [--transcripts FILE]
 *        node bench/agents/index.ts --repairs COUNT [--json FILE]
 *
 * Gives each brief of a folder to an agent, and checks what it saved. Without --client, the agent is scripted, with the solutions of
 * `bench/agents/solutions`. Without --url, the service is one of this clone with fake AI providers. docs/guide/agents.md has examples.
 * Exits with 1 if a brief is not solved. With --repairs, seeds this many faults in documents, and repairs them by the first problem.
 */
import { writeFile } from 'node:fs/promises'
import { parseArgs } from 'node:util'
import { briefsFolder, readBriefs, readSolutions, solutionsFolder } from './brief.ts'
import { commandAgent } from './command.ts'
import { startRecorder } from './recorder.ts'
import { measureRepairs } from './repairs.ts'
import { figuresOf, repairsReportOf, reportOf } from './report.ts'
import { type Agent, type Result, runBriefs } from './run.ts'
import { solve } from './scripted.ts'
import { connect } from './service.ts'

const text = { type: 'string' } as const
const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    url: text,
    key: text,
    'agent-key': text,
    client: text,
    timeout: { ...text, default: '600' },
    only: text,
    repairs: text,
    json: text,
    transcripts: text,
  },
})
if (options.repairs === undefined) await runAll()
else {
  const { failures: _, ...repairs } = measureRepairs(Number(options.repairs))
  process.stdout.write(repairsReportOf(repairs))
  if (options.json !== undefined) await writeFile(options.json, `${JSON.stringify(repairs, null, 2)}\n`)
}

async function runAll(): Promise<void> {
  const only = options.only?.split(',')
  const briefs = readBriefs(positionals[0] ?? briefsFolder).filter(({ id }) => only?.includes(id) ?? true)
  if (briefs.length === 0) throw new Error('No brief is selected.')

  // The import needs Linux, and a service at an address doesn't.
  const target =
    options.url === undefined
      ? await (await import('./local.ts')).startLocal(options.client === undefined ? 3 : 1)
      : await connected(options.url)
  try {
    const results = await runBriefs(briefs, target.lanes, agentFor(target.url), ({ id, problems, calls }) => {
      process.stdout.write(`${problems.length === 0 ? '✔' : '✖'} ${id} (${calls} calls)\n`)
      for (const problem of problems) process.stdout.write(`    ${problem.slice(0, 600)}\n`)
    })
    const figures = figuresOf(results)
    process.stdout.write(`\n${reportOf(figures)}`)
    if (options.json !== undefined)
      await writeFile(options.json, `${JSON.stringify({ figures, results: short(results) }, null, 2)}\n`)
    if (options.transcripts !== undefined) await writeFile(options.transcripts, transcripts(results))
    if (figures.solved < figures.briefs) process.exitCode = 1
  } finally {
    await target.close()
  }
}

async function connected(url: string) {
  const { key } = options
  if (key === undefined) throw new Error('--url requires --key, an API key of the service.')
  const recorder = await startRecorder(url)
  const service = connect(url.replace(/\/$/, ''), key)
  return { url, lanes: [{ service, recorder, key: options['agent-key'] ?? key }], close: () => recorder.close() }
}

function agentFor(url: string): Agent {
  if (options.client !== undefined) return commandAgent(options.client, url, Number(options.timeout))
  const solutions = readSolutions(solutionsFolder)
  return (task) => {
    const solution = solutions.get(task.brief.id)
    if (solution === undefined) throw new Error('the scripted agent has no solution. Choose an agent with --client.')
    return solve(task, solution)
  }
}

function short(results: readonly Result[]) {
  return results.map(({ id, problems, calls }) => ({ id, problems, calls }))
}

/** A line for each request: the brief, the tool and its arguments, the answer and its tokens. */
function transcripts(results: readonly Result[]): string {
  const lines = results.flatMap(({ id, records }) =>
    records
      .filter(({ method }) => method === 'tools/call')
      .map(({ method: _, ...record }) => JSON.stringify({ brief: id, ...record })),
  )
  return `${lines.join('\n')}\n`
}
