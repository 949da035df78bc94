/** The console as its sources are, built before a service is asked for it: beside a service it would come when nothing else runs. */
import { execFile } from 'node:child_process'
import path from 'node:path'
import { promisify } from 'node:util'
import { repository } from './process.ts'

export async function buildConsole(): Promise<void> {
  await promisify(execFile)(process.execPath, [path.join(repository, 'scripts/build-console.ts')])
}
