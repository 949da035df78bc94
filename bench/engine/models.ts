/** Local models: the first and later jobs, memory, and what they cost executions without a model. */
import { readFileSync } from 'node:fs'
import { execute, photograph, processes } from './lab.ts'

export interface ModelsResult {
  model: string
  firstMs: number
  laterMs: number
  /** Peak of the process of the models. */
  memoryMiB: number
  /** Plain executions in the time of a job, divided by those of the same time without a model. */
  plainShare: number
}

const rounds = 3

/** A photo of 2 megapixels to a cut-out with `selfie`, and a quarter of a megapixel to 2x with `esrgan-slim`. */
export async function measureModels(): Promise<ModelsResult[]> {
  const photo = await (await photograph(1632, 1224)).jpeg().toBuffer()
  const source = { photo: { type: 'image', params: { source: 'photo' } } }
  const run = (nodes: object, node: string) => () =>
    execute({ ...source, ...nodes }, { node, format: 'webp', effort: 'low' }, { photo })
  const plain = run({ small: { type: 'resize', inputs: { image: 'photo' }, params: { width: 800 } } }, 'small')
  const small = { small: { type: 'resize', inputs: { image: 'photo' }, params: { width: 512 } } }
  const jobs = {
    selfie: run({ cut: { type: 'remove-background', inputs: { image: 'photo' }, params: { model: 'selfie' } } }, 'cut'),
    'esrgan-slim': run(
      { ...small, large: { type: 'upscale', inputs: { image: 'small' }, params: { model: 'esrgan-slim', scale: 2 } } },
      'large',
    ),
  }
  const results: ModelsResult[] = []
  for (const [model, job] of Object.entries(jobs)) {
    processes.stop()
    await plain()
    const firstMs = await timed(job)
    const laterMs = await timed(job)
    const memoryMiB = peakMiB(processes.ids()[0])
    let [together, alone] = [0, 0]
    for (let round = 0; round < rounds; round += 1) {
      const start = performance.now()
      together += await countUntil(plain, repeated(job, 3))
      const tookMs = performance.now() - start
      alone += await countUntil(plain, new Promise((resolve) => setTimeout(resolve, tookMs)))
    }
    results.push({ model, firstMs, laterMs, memoryMiB, plainShare: together / alone })
  }
  processes.stop()
  return results
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now()
  await work()
  return performance.now() - start
}

async function repeated(work: () => Promise<unknown>, times: number): Promise<void> {
  for (let time = 0; time < times; time += 1) await work()
}

/** How often `work` was complete before `end`. */
async function countUntil(work: () => Promise<unknown>, end: Promise<unknown>): Promise<number> {
  let isOver = false
  void end.then(() => {
    isOver = true
  })
  let count = 0
  while (!isOver) {
    await work()
    count += 1
  }
  return count
}

function peakMiB(pid: number | undefined): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8')
  return Number(/^VmHWM:\s*(\d+)/m.exec(status)?.[1]) / 1_024
}
