/** `tintype login` and `logout`: store the address of a service and a key for it. */
import { chmod, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Writable } from 'node:stream'
import { text } from 'node:stream/consumers'
import type { Command } from 'commander'
import { isObject } from '../../shared/values.ts'
import { type Fault, invalidRequest } from '../errors.ts'
import type { Act } from './cli-services.ts'
import { type CliApi, type Login, rootOf } from './target.ts'

interface Options {
  url?: string | undefined
  key?: string | undefined
  json?: boolean
}

const fileOf = (folder: string) => join(folder, 'tintype', 'login.json')

export function loginCommands(
  program: Command,
  {
    act,
    folder,
    openService,
  }: { act: Act<{ close(): Promise<void> }>; folder: string; openService(login: Login): Promise<CliApi> },
): void {
  program
    .command('login')
    .description('Store the address of a service and an API key, which other commands then use.')
    .option('--url <url>', 'address of the service; without it, enter it in the terminal')
    .option('--key <key>', 'API key; without it, enter it in the terminal, or send it to standard input')
    .option('--json', 'print one JSON value')
    .action(({ url, key, json }: Options) =>
      act(
        async () => {
          const login = await loginOf({ url, key })
          const warning = await check(await openService(login))
          await writeLogin(folder, login)
          return { url: login.url, file: fileOf(folder), ...(warning && { warning }) }
        },
        { json: json === true },
      ),
    )
  program
    .command('logout')
    .description('Delete the address and the key that "tintype login" has stored.')
    .option('--json', 'print one JSON value')
    .action(({ json }: Options) =>
      act(
        async () => {
          const login = await readLogin(folder)
          await rm(fileOf(folder), { force: true })
          return { url: login?.url ?? null, loggedOut: login !== undefined }
        },
        { json: json === true },
      ),
    )
}

/** The stored login. Throws `invalid_request` if its file is damaged. */
export async function readLogin(folder: string): Promise<Login | undefined> {
  const file = fileOf(folder)
  const content = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return undefined
    throw invalidRequest([{ path: file, message: `can't be read (${error.code})` }])
  })
  if (content === undefined) return undefined
  try {
    const login: unknown = JSON.parse(content)
    if (isObject(login) && typeof login.url === 'string' && typeof login.key === 'string')
      return { url: login.url, key: login.key }
  } catch {}
  throw invalidRequest([{ path: file, message: 'is damaged. Run "tintype login" again.' }])
}

/** The file is complete at any time, and other users can't read it. */
async function writeLogin(folder: string, login: Login): Promise<void> {
  const file = fileOf(folder)
  const part = `${file}.part`
  await mkdir(join(folder, 'tintype'), { recursive: true, mode: 0o700 })
  await rm(part, { force: true })
  await writeFile(part, `${JSON.stringify(login)}\n`, { mode: 0o600 })
  // The umask can only remove permissions, but the file system may ignore the mode of a new file.
  await chmod(part, 0o600)
  await rename(part, file)
}

async function loginOf({ url, key }: Options): Promise<Login> {
  const isTerminal = process.stdin.isTTY === true
  if (url === undefined && !isTerminal) throw invalidRequest([{ path: '--url', message: 'is required' }])
  const root = rootOf(url ?? (await ask('Address of the service: ')))
  // Of a pipe: a key on the command line is visible to other users.
  const given =
    key ?? (isTerminal ? await ask('API key (it is not shown): ', { isSecret: true }) : await text(process.stdin))
  const trimmed = given.trim()
  if (!/^[\x21-\x7e]+$/.test(trimmed))
    throw invalidRequest([{ path: '--key', message: 'must be an API key, such as tt_live_...' }])
  return { url: root, key: trimmed }
}

async function ask(question: string, { isSecret = false } = {}): Promise<string> {
  const { createInterface } = await import('node:readline/promises')
  // Readline writes what is typed to its output.
  const output = isSecret ? new Writable({ write: (_chunk, _encoding, done) => done() }) : process.stderr
  const lines = createInterface({ input: process.stdin, output, terminal: true })
  if (isSecret) process.stderr.write(question)
  const ended = new AbortController()
  lines.once('SIGINT', () => ended.abort())
  lines.once('close', () => ended.abort())
  try {
    return await lines.question(isSecret ? '' : question, { signal: ended.signal })
  } catch {
    throw invalidRequest([{ path: isSecret ? '--key' : '--url', message: 'is required: nothing was entered' }])
  } finally {
    lines.close()
    if (isSecret) process.stderr.write('\n')
  }
}

/** One request that each key may send, or is refused for its permissions. Returns a warning for such a key. */
async function check({ client, request, close }: CliApi): Promise<string | undefined> {
  try {
    await client.projects.list({ limit: 1 }, request)
    return undefined
  } catch (error) {
    const { code, details, message } = error as Partial<Fault>
    if (code !== 'forbidden' || details?.plan !== undefined) throw error
    return message
  } finally {
    await close()
  }
}
