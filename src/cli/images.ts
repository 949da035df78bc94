import { type Command, Option } from 'commander'
import type { Schemas } from '../../client/src/index.ts'
import { invalidRequest } from '../errors.ts'
import { fileToSend, requireWritable, writeResponse } from './files.ts'
import { firstOf, limitOption, rows } from './lists.ts'
import { duration, nameOption } from './options.ts'
import { startBar } from './progress-bar.ts'
import { type ActOnApi, type CliApi, type Output, onBoth, type TargetOptions } from './target.ts'

interface ListOptions extends TargetOptions {
  limit: number
  project?: string
  source?: 'upload' | 'output'
  search?: string
}

interface UploadOptions extends TargetOptions {
  project?: string
  name?: string
  expiresIn?: number
  private?: boolean
}

export function imageCommands(program: Command, act: ActOnApi): void {
  const commands = program.command('images').description('Manage stored images.')
  onBoth(
    commands
      .command('list')
      .addOption(limitOption())
      .option('--project <id>', 'only images of this project')
      .addOption(new Option('--source <source>', 'only uploads, or only outputs').choices(['upload', 'output']))
      .option('--search <text>', 'only images whose name contains it'),
  )
    .description('List images, newest first.')
    .action(({ limit, project, source, search, ...options }: ListOptions) =>
      act(options, async ({ client, request }) => {
        const filter = { projectId: project, source, search }
        return rows(await firstOf(client.images.list(defined(filter), request), limit), show)
      }),
    )
  onBoth(commands.command('show <id>'))
    .description('Show an image.')
    .action((id: string, options: TargetOptions) =>
      act(options, async ({ client, request }) => ({ answer: await client.images.get(id, {}, request) })),
    )
  onBoth(
    commands
      .command('upload <file...>')
      .option('--project <id>', 'project of the images')
      .option('--name <name>', 'name of the image; default: the name of the file', nameOption)
      .option('--expires-in <duration>', 'such as 30d (default: never)', duration)
      .option('--private', 'require signed URLs'),
  )
    .description('Upload images.')
    .action((files: string[], { project, name, expiresIn, private: isPrivate, ...options }: UploadOptions) =>
      act(
        options,
        async (api) => {
          if (name !== undefined && files.length > 1)
            throw invalidRequest([{ path: '--name', message: 'is for one file' }])
          // All are opened first: a missing file uploads nothing.
          const contents = await Promise.all(files.map(fileToSend))
          const uploaded: Schemas['Image'][] = []
          const settings = {
            projectId: project,
            name,
            expiresIn: expiresIn && expiresIn / 1_000,
            private: isPrivate,
          }
          for (const file of contents) uploaded.push(await upload(api, file, settings))
          return rows(uploaded, ({ id, name, format, width, height, size, url }) => {
            return { id, name, format, width, height, size, url }
          })
        },
        { changes: true },
      ),
    )
  onBoth(
    commands
      .command('download <id>')
      .option('--output <file>', 'file, or - for standard output; default: the id with its extension'),
  )
    .description('Download an image.')
    .action((id: string, { output, ...options }: TargetOptions & { output?: string }) =>
      act(options, async (api) => {
        if (output !== undefined) requireWritable(output, '--output')
        const image = await api.client.images.get(id, {}, api.request)
        return downloaded(api, image.url, output ?? fileNameOf(image.url), { answer: image })
      }),
    )
  onBoth(commands.command('delete <id...>'))
    .description('Delete images.')
    .action((ids: string[], options: TargetOptions) =>
      act(
        options,
        async ({ client, request }) => {
          const deleted: object[] = []
          for (const id of ids) deleted.push({ id, ...(await client.images.delete(id, {}, request)) })
          return { answer: deleted }
        },
        { changes: true },
      ),
    )
}

async function upload({ client, request }: CliApi, file: File, settings: object): Promise<Schemas['Image']> {
  const bar = startBar()
  try {
    return await client.upload(file, {
      ...request,
      ...settings,
      onProgress: ({ loaded, total }) =>
        bar.show(loaded, total, `${megabytes(loaded)} of ${megabytes(total)} MB, ${file.name}`),
    })
  } finally {
    bar.end()
  }
}

/** Writes the image of a URL to a file. The result has the name of the file, and nothing if the file is standard output. */
export async function downloaded(
  api: CliApi,
  url: string,
  file: string,
  { answer, view = answer }: Output,
): Promise<Output | undefined> {
  const { pathname, searchParams } = new URL(url)
  // The URL can be that of a bucket or a CDN, which the service has as well below /images.
  const request = () => api.client.images.content(fileNameOf(pathname), Object.fromEntries(searchParams), api.request)
  const written = { bytes: await writeResponse(request, file), file }
  // Nothing else may be on standard output.
  return file === '-'
    ? undefined
    : { answer: { ...(answer as object), ...written }, view: { ...(view as object), ...written } }
}

function fileNameOf(url: string): string {
  return new URL(url, 'http://localhost').pathname.split('/').at(-1) ?? ''
}

function megabytes(bytes: number): string {
  return (bytes / 1e6).toFixed(1)
}

/** Removes fields that are undefined. */
export function defined<Fields extends object>(
  fields: Fields,
): { [Name in keyof Fields]?: Exclude<Fields[Name], undefined> } {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as never
}

function show({ id, name, size, createdAt, expiresAt }: Schemas['ImageSummary']) {
  return { id, name, size, createdAt, expiresAt }
}
