/** Uses each part of the client. The same program runs in every runtime, as an installed package, and has the same result. */
import { NotFoundError, signUrl, Tintype, verifyWebhook } from '@tintype/client'

interface Input {
  url: string
  key: string
  /** A path, or a file of a page. */
  photo: string | File
  signingKey: { id: string; secret: string }
  webhook: { body: string; headers: Record<string, string>; secret: string }
}

export async function useClient({ url, key, photo, signingKey, webhook }: Input): Promise<Record<string, unknown>> {
  const client = new Tintype({ url, key })
  const { output } = await client.run('runtime-card', { headline: 'Hello' })

  const { executionId } = await client.submit('runtime-card')
  const events: string[] = []
  for await (const { type } of client.events(executionId, { after: 0 })) events.push(type)
  const waited = await client.wait(executionId)

  const loaded: number[] = []
  const image = await client.upload(photo, { onProgress: (progress) => loaded.push(progress.loaded) })
  const same = await client.upload(photo, { name: 'same.jpg' })

  const rows = ['a', 'b', 'c'].map((name) => ({ key: name, headline: name }))
  const keys: string[] = []
  for await (const { key, status } of await client.batch('runtime-card', rows)) keys.push(`${key} ${status}`)

  const names: string[] = []
  for await (const { name } of client.images.list({ source: 'upload', limit: 1 })) names.push(name)

  const unknown = await client.workflows.get('none').catch((error: unknown) => error)
  const reason = new Error('stop')
  const aborted = await client.run('runtime-card', {}, { signal: AbortSignal.abort(reason) }).catch((error) => error)

  const signed = await signUrl({ url, file: 'runtime-card.png', key: signingKey, parameters: { headline: 'é' } })
  const delivered = await fetch(signed)
  const event = await verifyWebhook(webhook)

  return {
    size: [output.width, output.height],
    events: [events[0] === 'execution', events.at(-1)],
    status: waited.status,
    image: [image.name, image.size === same.size, same.name],
    progress: [
      loaded[0],
      loaded.at(-1) === image.size,
      loaded.every((each, i) => i === 0 || each > (loaded[i - 1] ?? 0)),
    ],
    rows: keys.sort(),
    names: [...new Set(names)].sort(),
    unknown: unknown instanceof NotFoundError && unknown.status,
    aborted: aborted === reason,
    delivered: [delivered.status, delivered.headers.get('content-type')],
    event: event.type,
  }
}
