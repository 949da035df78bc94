/** Runs the `tintype` command next to a running service. */
import { execFile } from 'node:child_process'
import { inherited, program } from './process.ts'
import type { Service } from './service.ts'

export interface Ran {
  code: number
  stdout: string
  stderr: string
}

export function tintype(
  service: Pick<Service, 'dataDir'> & Partial<Pick<Service, 'environment'>>,
  ...args: string[]
): Promise<Ran> {
  return new Promise((resolve) => {
    execFile(
      process.execPath,
      [program, ...args],
      { cwd: service.dataDir, env: { ...inherited(), ...service.environment, DATA_DIR: service.dataDir } },
      (error, stdout, stderr) => {
        resolve({ code: error ? Number(error.code ?? 1) : 0, stdout, stderr })
      },
    )
  })
}

/** Runs it with `--json` and returns the printed value. */
export async function tintypeJson<T>(
  service: Pick<Service, 'dataDir'> & Partial<Pick<Service, 'environment'>>,
  ...args: string[]
): Promise<T> {
  const ran = await tintype(service, ...args, '--json')
  if (ran.code !== 0) throw new Error(`tintype ${args.join(' ')} ended with ${ran.code}: ${ran.stderr}${ran.stdout}`)
  return JSON.parse(ran.stdout) as T
}
