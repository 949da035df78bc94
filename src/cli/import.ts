import { open } from 'node:fs/promises'
import type { Command } from 'commander'
import { elapsedSince, monotonicMs } from '../domain/clock.ts'
import { refusal } from '../errors.ts'
import type { Act, CliMoving } from './cli-services.ts'
import { startProgress } from './progress.ts'

export function importCommand(program: Command, act: Act<CliMoving>): void {
  program
    .command('import <file>')
    .description('Import an archive into an empty database and verify the result; - reads standard input.')
    .option('--json', 'print one JSON value')
    .action((file: string, { json }: { json?: boolean }) =>
      act(
        async (moving) => {
          const start = monotonicMs()
          const source = file === '-' ? process.stdin : await fileStream(file)
          const progress = startProgress('Imported')
          const moved = await moving.importFrom(source, progress.add).finally(() => progress.end())
          return { file, ...moved, seconds: Math.round(elapsedSince(start)) / 1000 }
        },
        { json: json === true },
      ),
    )
}

async function fileStream(file: string): Promise<AsyncIterable<Buffer>> {
  try {
    return (await open(file)).createReadStream()
  } catch (error) {
    throw refusal(`${file} can't be read: ${(error as Error).message}.`, { cause: error })
  }
}
