/** Downloads a file that the operator names. For commands, not for requests: any host is permitted. */
import { failure } from '../errors.ts'
import { limits } from '../limits.ts'

/** The bytes at an https URL; redirects are followed. Throws a fault if there are more than `bytesMax`, or if it takes too long. */
export async function* download(url: string, bytesMax: number): AsyncGenerator<Uint8Array> {
  const { host } = new URL(url)
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(limits.onnxDownloadSeconds * 1_000) })
    if (!response.ok) {
      await response.body?.cancel()
      throw failure(
        response.status === 404 ? 'input_not_found' : 'provider_unavailable',
        `${host} responded with ${response.status} to ${url}. Check the URL, or download the file yourself and name it with --file.`,
      )
    }
    let received = 0
    for await (const chunk of response.body ?? []) {
      received += chunk.length
      if (received > bytesMax) {
        throw failure('limit_exceeded', `${host} sent more than ${bytesMax} bytes, the maximum. Use a smaller file.`)
      }
      yield chunk
    }
  } catch (error) {
    if (error instanceof TypeError || (error instanceof DOMException && error.name === 'TimeoutError')) {
      const problem =
        error instanceof TypeError
          ? `can't be reached, or broke the connection (${reasonOf(error)})`
          : `did not send the complete file within ${limits.onnxDownloadSeconds} s`
      throw failure(
        'provider_unavailable',
        `${host} ${problem}. Retry, or download ${url} yourself and name the file with --file.`,
        { cause: error },
      )
    }
    throw error
  }
}

function reasonOf({ message, cause }: Error): string {
  return cause instanceof Error ? cause.message || ((cause as NodeJS.ErrnoException).code ?? message) : message
}
