/** The message of an error of the renderer, without the code in front of it. */
export function failureText(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error)
  return (message.split('\n')[0] ?? '').replace(/^(InvalidArg|GenericFailure),?\s*/, '').slice(0, 300)
}
