/** A service of this clone with fake AI providers, for runs without an address. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startFake } from '../../fakes/src/index.ts'
import { createAccount } from '../account.ts'
import { startService } from '../processes.ts'
import { startRecorder } from './recorder.ts'
import type { Lane } from './run.ts'
import { connect } from './service.ts'

export interface Local {
  url: string
  lanes: Lane[]
  close(): Promise<void>
}

/** `lanes`: the number of accounts, and of briefs at the same time. */
export async function startLocal(lanes: number, settings: Record<string, string> = {}): Promise<Local> {
  const dataDir = await mkdtemp(join(tmpdir(), 'tintype-bench-'))
  const fake = await startFake('openai', { key: fakeKey })
  const providers = { OPENAI_BASE_URL: fake.url, OPENAI_API_KEY: fakeKey }
  const service = await startService(dataDir, { ...providers, CACHE_MAX_BYTES: '100000000', ...settings })
  const recorders: Lane['recorder'][] = []
  async function lane(): Promise<Lane> {
    const { key } = await createAccount(dataDir, service)
    const recorder = await startRecorder(service.url)
    recorders.push(recorder)
    return { service: connect(service.url, key), recorder, key }
  }
  async function close(): Promise<void> {
    await Promise.all([service.stop(), fake.close(), ...recorders.map((recorder) => recorder.close())])
    await rm(dataDir, { recursive: true, force: true })
  }
  try {
    return { url: service.url, lanes: await Promise.all(Array.from({ length: lanes }, lane)), close }
  } catch (error) {
    await close()
    throw error
  }
}

const fakeKey = 'fake-key'
