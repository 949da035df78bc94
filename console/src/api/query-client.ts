import { QueryClient } from '@tanstack/react-query'
import { ApiError } from './client.ts'

const retriesMax = 3

/** Retries temporary failures: no response, 429 and 503. Other errors are final. */
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 15_000,
      retry: (failures, error) => failures < retriesMax && isTransient(error),
      retryDelay: (failures, error) =>
        error instanceof ApiError && error.retryAfterSeconds !== undefined
          ? error.retryAfterSeconds * 1000
          : Math.min(1000 * 2 ** failures, 10_000),
    },
  },
})

function isTransient(error: unknown): boolean {
  return error instanceof ApiError && (error.status === 0 || error.status === 429 || error.status === 503)
}
