/** The calls of one ask, as they are read and made, and what its step tells of them. */
import type { AskRun, ModelCallRecord } from '../../domain/model.ts'
import { callRecord, type ProviderCall } from '../../domain/provider-call.ts'
import type { Refusal } from './failures.ts'
import { hasEnded, modelOf } from './records.ts'

export interface Story {
  /** Of this execution, in their order. */
  calls: readonly ProviderCall[]
  /** Those of a model (`provider/model`) that have ended. */
  callsOf(model: string): ProviderCall[]
  nextSequence(): number
  /** As the records have them now. */
  read(calls: readonly ProviderCall[]): void
  /** One that has ended. */
  note(call: ProviderCall): void
  /** One of an execution that this one resumes: counted there. */
  noteFormer(call: ProviderCall): void
  noteRefusal(refusal: Refusal): void
  noteLocal(model: string): void
}

export function createStory(tell: AskRun['note']): Story {
  let calls: ProviderCall[] = []
  /** By the id of the call, or a number. */
  const records = new Map<string | number, ModelCallRecord>()

  function put(key: string | number, record: ModelCallRecord): void {
    records.set(key, record)
    tell([...records.values()])
  }

  function note(call: ProviderCall): void {
    const at = calls.findIndex(({ id }) => id === call.id)
    if (at < 0) calls = [...calls, call]
    else calls = calls.with(at, call)
    put(call.id, callRecord(call))
  }

  const free = { costUsd: 0, costSource: null }

  return {
    get calls() {
      return calls
    },
    callsOf: (model) => calls.filter((call) => modelOf(call) === model && hasEnded(call) && call.state !== 'done'),
    nextSequence: () => Math.max(-1, ...calls.map(({ sequence }) => sequence)) + 1,
    read(all) {
      calls = [...all].sort((a, b) => a.sequence - b.sequence)
    },
    note,
    noteFormer: (call) => put(call.id, { ...callRecord(call), costUsd: 0 }),
    noteRefusal: ({ model, kind }) => put(records.size, { model, outcome: kind, ...free }),
    noteLocal(model) {
      // Where nothing else was tried, the step says all there is to say.
      if (records.size > 0) put(records.size, { model, outcome: 'done', ...free })
    },
  }
}
