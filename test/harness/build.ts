/** Builds of the console and of the documentation, up to date before a service starts. */
import { execFile } from 'node:child_process'
import path from 'node:path'
import { promisify } from 'node:util'
import { repository } from './process.ts'

export function buildConsole(): Promise<void> {
  return run('build-console.ts')
}

export function buildDocs(): Promise<void> {
  return run('build-site.ts')
}

async function run(script: string): Promise<void> {
  await promisify(execFile)(process.execPath, [path.join(repository, 'scripts', script)])
}
