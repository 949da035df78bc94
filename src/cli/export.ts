import { createWriteStream, existsSync } from 'node:fs'
import { rename, rm } from 'node:fs/promises'
import { constants, setPriority } from 'node:os'
import { type Command, InvalidArgumentError } from 'commander'
import { elapsedSince, monotonicMs } from '../domain/clock.ts'
import { refusal } from '../errors.ts'
import type { Act, CliMoving, Compression, Exported } from './cli-services.ts'
import { print } from './print.ts'
import { startProgress } from './progress.ts'

const idsReported = 20

export function exportCommand(program: Command, act: Act<CliMoving>, fail: () => void): void {
  program
    .command('export')
    .description('Export all data to one archive, also while the service runs.')
    .argument('<file>', 'archive file (.tar, .tar.gz or .tar.zst), or - for standard output', archiveFile)
    .option('--json', 'print one JSON value')
    .action(({ file, compression }: ArchiveFile, options: { json?: boolean }) => {
      const json = options.json === true
      return act(
        async (moving) => {
          const start = monotonicMs()
          // A service on the same machine goes first.
          setPriority(constants.priority.PRIORITY_BELOW_NORMAL)
          const progress = startProgress('Exported')
          const exported = await (file === '-'
            ? toStandardOutput(moving)
            : toFile(moving, file, compression, progress.add)
          ).finally(() => progress.end())
          if (exported.withoutBytes.length > 0) {
            process.stderr.write(`${missingText(exported.withoutBytes)}\n`)
            fail()
          }
          const summary = summaryOf(file, exported, elapsedSince(start), json)
          if (file !== '-') return summary
          // Standard output is the archive.
          process.stderr.write(print(summary, json))
          return undefined
        },
        { json },
      )
    })
}

interface ArchiveFile {
  file: string
  compression: Compression
}

function archiveFile(file: string): ArchiveFile {
  if (file === '-' || file.endsWith('.tar')) return { file, compression: 'none' }
  if (file.endsWith('.tar.gz') || file.endsWith('.tgz')) return { file, compression: 'gzip' }
  if (file.endsWith('.tar.zst')) return { file, compression: 'zstd' }
  throw new InvalidArgumentError('It must end in .tar, .tar.gz or .tar.zst, or be - for standard output.')
}

async function toStandardOutput(moving: CliMoving): Promise<Exported> {
  if (process.stdout.isTTY)
    throw refusal("A binary archive can't be written to a terminal. Redirect the output to a file or a program.")
  return moving.exportTo(process.stdout, 'none', () => {})
}

/** Renames the file once it is complete and synced to disk. */
async function toFile(
  moving: CliMoving,
  file: string,
  compression: Compression,
  onProgress: Parameters<CliMoving['exportTo']>[2],
): Promise<Exported> {
  if (existsSync(file)) throw refusal(`${file} already exists. Remove it, or choose another name.`)
  const part = `${file}.part`
  // Only the operator can read it.
  const out = createWriteStream(part, { flags: 'wx', mode: 0o600, flush: true })
  let isCreated = false
  out.once('open', () => {
    isCreated = true
  })
  try {
    const exported = await moving.exportTo(out, compression, onProgress)
    await rename(part, file)
    return exported
  } catch (error) {
    if (isCreated) await rm(part, { force: true })
    const { code, syscall } = error as NodeJS.ErrnoException
    if (code === 'EEXIST' && syscall === 'open') {
      throw refusal(
        `${part} already exists: another export is running, or one ended early. Wait for it, or remove the file.`,
      )
    }
    if (code !== undefined && (syscall === 'open' || syscall === 'write')) {
      throw refusal(`${part} can't be written: ${(error as Error).message}.`, { cause: error })
    }
    throw error
  }
}

function summaryOf(file: string, exported: Exported, ms: number, json: boolean) {
  const { rows, blobs, bytes, deletedMeanwhile, withoutBytes } = exported
  const seconds = Math.round(ms) / 1000
  return json
    ? { file, rows, blobs, bytes, deletedMeanwhile, withoutBytes, seconds }
    : { file, rows, blobs, bytes, 'deleted meanwhile': deletedMeanwhile.length, seconds }
}

function missingText(ids: string[]): string {
  const more = ids.length > idsReported ? ` and ${ids.length - idsReported} more` : ''
  return `The archive is complete, except for ${ids.length} ${ids.length === 1 ? 'image' : 'images'} without bytes in the storage: ${ids.slice(0, idsReported).join(', ')}${more}.`
}
