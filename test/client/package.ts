/** The client as an installed package, in a separate folder. */
import { execFileSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { repository } from '../harness/process.ts'

const bin = (name: string) => join(repository, 'node_modules/.bin', name)

export interface InstalledClient {
  folder: string
  /** The folder of the package. */
  client: string
  write(name: string, text: string): string
  /** Returns the output of tsc; empty if the files compile. */
  compile(options?: object): string
  remove(): void
}

export function installClient(): InstalledClient {
  const folder = mkdtempSync(join(tmpdir(), 'tintype-client-'))
  const client = join(folder, 'node_modules/@tintype/client')
  mkdirSync(client, { recursive: true })
  cpSync(join(repository, 'client/package.json'), join(client, 'package.json'))
  execFileSync(bin('tsc'), ['-p', join(repository, 'client'), '--outDir', join(client, 'dist')])
  mkdirSync(join(folder, 'node_modules/@types'))
  symlinkSync(join(repository, 'node_modules/@types/node'), join(folder, 'node_modules/@types/node'))
  symlinkSync(join(repository, 'node_modules/undici-types'), join(folder, 'node_modules/undici-types'))
  const write = (name: string, text: string): string => {
    writeFileSync(join(folder, name), text)
    return join(folder, name)
  }
  write('package.json', '{ "type": "module" }')
  return {
    folder,
    client,
    write,
    compile(options = {}) {
      const compilerOptions = {
        strict: true,
        noEmit: true,
        module: 'nodenext',
        target: 'es2022',
        types: [],
        ...options,
      }
      write('tsconfig.json', JSON.stringify({ compilerOptions, include: ['*.ts'] }))
      try {
        return execFileSync(bin('tsc'), ['-p', folder], { encoding: 'utf8' })
      } catch (error) {
        return (error as { stdout: string }).stdout
      }
    },
    remove: () => rmSync(folder, { recursive: true }),
  }
}
