/** Steers a fake that runs in another process: `POST /__fake/script`, `/__fake/reset`, `GET /__fake/log`, `/__fake/billed`. */

import type { Fake } from './fake.ts'
import type { Fault } from './faults.ts'
import type { FakeResponse } from './responses.ts'

export function controlResponse(path: string, body: Buffer, fake: Fake): FakeResponse {
  if (path === '/__fake/log') return { status: 200, json: fake.log }
  if (path === '/__fake/billed') return { status: 200, json: fake.billed() }
  if (path === '/__fake/reset') {
    fake.reset()
    return { status: 200, json: {} }
  }
  if (path === '/__fake/script') {
    fake.script(JSON.parse(body.toString()) as Fault[])
    return { status: 200, json: {} }
  }
  return { status: 404, json: { error: 'A fake knows script, reset, log and billed.' } }
}
