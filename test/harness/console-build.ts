/** The build of the console, up to date before a service starts. */
import { execFile } from 'node:child_process'
import path from 'node:path'
import { promisify } from 'node:util'
import { repository } from './process.ts'

export async function buildConsole(): Promise<void> {
  await promisify(execFile)(process.execPath, [path.join(repository, 'scripts/build-console.ts')])
}
