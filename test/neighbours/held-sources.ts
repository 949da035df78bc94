/** Images of the outside host that A's executions wait for: such an execution runs until the test releases its image. */
import type { ServerResponse } from 'node:http'
import { plain } from '../harness/pictures.ts'
import type { Setup } from './setup.ts'

export interface HeldSources {
  url: string
  /** How many executions wait for their image now. */
  waiting(): number
  /** Sends the image to the one that has waited the longest. */
  release(): void
  /** Sends images immediately from now on. */
  releaseAll(): void
}

export async function holdSources({ outside, sourceUrl }: Setup, path: string): Promise<HeldSources> {
  const image = await plain('png', 64, 48)
  const heldSource = new Set<ServerResponse>()
  let isOver = false
  const send = (response: ServerResponse): void => {
    heldSource.delete(response)
    response.writeHead(200, { 'content-type': 'image/png' }).end(image)
  }
  outside.serve(path, (_request, response) => {
    if (isOver) return send(response)
    heldSource.add(response)
    response.once('close', () => heldSource.delete(response))
  })
  return {
    url: sourceUrl(path),
    waiting: () => heldSource.size,
    release() {
      const [first] = heldSource
      if (first === undefined) throw new Error(`No execution waits for ${path}.`)
      send(first)
    },
    releaseAll() {
      isOver = true
      for (const response of [...heldSource]) send(response)
    },
  }
}
