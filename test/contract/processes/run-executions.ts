/**
 * Creates this number of executions of a workflow, claims and completes them alternately, and then the remaining ones of
 * every process. Prints each action once it is done.
 */
import { openDatabase } from '../../../src/storage/database/open.ts'
import { locationOf } from '../location.ts'
import { execution, success } from '../records.ts'

const [location, accountId = '', workflowId = '', count = ''] = process.argv.slice(2)
const { stores, close } = await openDatabase(locationOf(location))
const { executions, workflows } = stores
const workflow = await workflows.find(accountId, workflowId)
if (workflow === undefined) throw new Error('no such workflow')

for (let i = 0; i < Number(count); i++) {
  const record = execution(workflow)
  await executions.create(record)
  print(`created ${record.id}`)
  await runNext()
}
while (await runNext());
await close()

async function runNext(): Promise<boolean> {
  const running = await executions.claimNext(1)
  if (running === undefined) return false
  print(`claimed ${running.id}`)
  const result = success(running)
  await executions.saveSteps(running.id, running.attempt, result.steps)
  if (!(await executions.complete(running.id, running.attempt, result))) throw new Error(`lost ${running.id}`)
  print(`completed ${running.id}`)
  return true
}

function print(line: string): void {
  process.stdout.write(`${line}\n`)
}
