/** A queue of uploads with limited concurrency. Each has progress, and can be cancelled or retried. */

export interface Upload {
  id: number
  name: string
  size: number
  status: 'waiting' | 'sending' | 'done' | 'failed'
  /** The share of sent bytes, from 0 to 1. */
  progress: number
  problem?: string
}

export interface UploadQueue {
  /** A new array after each change. */
  list(): readonly Upload[]
  add(files: readonly File[]): void
  cancel(id: number): void
  retry(id: number): void
  /** Removes finished uploads. */
  clear(): void
  subscribe(listener: () => void): () => void
}

type Send = (file: File, options: { onProgress(progress: number): void; signal: AbortSignal }) => Promise<unknown>

const concurrency = 3

export function createUploadQueue(send: Send, onDone: () => void): UploadQueue {
  const files = new Map<number, File>()
  const sending = new Map<number, AbortController>()
  const listeners = new Set<() => void>()
  let uploads: readonly Upload[] = []
  let lastId = 0

  function setUploads(next: readonly Upload[]): void {
    uploads = next
    for (const listener of listeners) listener()
  }
  function update(id: number, change: Partial<Upload>): void {
    setUploads(uploads.map((upload) => (upload.id === id ? { ...upload, ...change } : upload)))
  }
  function next(): void {
    const waiting = uploads.find(({ status }) => status === 'waiting')
    const file = waiting && files.get(waiting.id)
    if (waiting === undefined || file === undefined || sending.size >= concurrency) return
    void start(waiting.id, file)
    next()
  }
  async function start(id: number, file: File): Promise<void> {
    const controller = new AbortController()
    sending.set(id, controller)
    update(id, { status: 'sending', progress: 0 })
    try {
      await send(file, { signal: controller.signal, onProgress: (progress) => update(id, { progress }) })
      files.delete(id)
      update(id, { status: 'done', progress: 1 })
      onDone()
    } catch (error) {
      update(id, { status: 'failed', problem: error instanceof Error ? error.message : String(error) })
    } finally {
      sending.delete(id)
      next()
    }
  }
  return {
    list: () => uploads,
    add(added) {
      const queued = added.map((file): Upload => {
        lastId += 1
        files.set(lastId, file)
        return { id: lastId, name: file.name, size: file.size, status: 'waiting', progress: 0 }
      })
      setUploads([...uploads, ...queued])
      next()
    },
    cancel(id) {
      sending.get(id)?.abort()
      files.delete(id)
      setUploads(uploads.filter((upload) => upload.id !== id))
    },
    retry(id) {
      const [upload] = uploads.filter((candidate) => candidate.id === id)
      if (upload === undefined) return
      const { problem: _, ...rest } = upload
      setUploads(
        uploads.map((candidate) => (candidate.id === id ? { ...rest, status: 'waiting', progress: 0 } : candidate)),
      )
      next()
    },
    clear: () => setUploads(uploads.filter(({ status }) => status !== 'done')),
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}
