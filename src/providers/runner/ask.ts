/** One ask: what was made of it before, or else the models of its chain, one after the other, until one has answered. */

import { orAbort } from '../../domain/abortable.ts'
import { elapsedSince, monotonicMs } from '../../domain/clock.ts'
import { isTerminal } from '../../domain/execution.ts'
import { BlobMissing } from '../../domain/image.ts'
import type { Ask, Asking, AskPlace, AskRun, ModelAnswer, ModelRequest } from '../../domain/model.ts'
import type { ProviderCall } from '../../domain/provider-call.ts'
import { Fault, failure, Unreachable } from '../../errors.ts'
import { adoptCall } from './adopt.ts'
import { budgetRefusal, reserve } from './budget.ts'
import { exhausted, failureOf, type Refusal } from './failures.ts'
import type { Job, Outcome, Stop } from './job.ts'
import { makeCall, secondsOf } from './new-call.ts'
import { hasEnded, modelOf, refusalOf } from './records.ts'
import { requestHashOf } from './request-hash.ts'
import { lackIn, type Runner, rowFor, waitFor } from './runner.ts'
import { storedAnswer } from './settle.ts'
import { standingOf } from './standing.ts'
import { createStory, type Story } from './story.ts'
import { backOffMs, persist, reachable, sleep } from './waiting.ts'

/** All that the parts of one ask share. */
interface Asked {
  runner: Runner
  asking: Asking
  place: AskPlace
  ask: Ask
  run: AskRun
  story: Story
  /** Made once, and only when somebody needs it. */
  request(): Promise<ModelRequest>
  requestHash(): Promise<string>
}

export async function askModels(
  runner: Runner,
  asking: Asking,
  place: AskPlace,
  ask: Ask,
  run: AskRun,
): Promise<ModelAnswer> {
  run.signal.throwIfAborted()
  const request = once(async () => ({ capability: ask.capability, ...(await ask.request()) }))
  const requestHash = once(async () => requestHashOf(await request()))
  const { chain, issues } = runner.models.choose(ask)
  const story = createStory(run.note)
  const asked: Asked = { runner, asking, place, ask, run, story, request, requestHash }
  // Local models leave no rows, and most asks for them have no other.
  const isFirst = asking.attempt === 1 && asking.resumes.length === 0
  if (!isFirst || !chain.every(isLocal)) {
    const before = await answerOfBefore(asked, chain)
    if (before) return before
  }
  if (issues.length > 0) throw failure('input_invalid', `No model can be asked: ${issues[0]?.message}.`, { issues })
  if (chain.length === 0) throw failure('provider_not_configured', runner.models.howToEnable(ask.capability))
  return askChain(asked, chain)
}

/** What earlier attempts have, or are still to get, for this ask; then what executions have that this one resumes. */
async function answerOfBefore(asked: Asked, chain: readonly string[]): Promise<ModelAnswer | undefined> {
  const { runner, asking, place, story } = asked
  const all = await reachable(runner.calls.at([asking.executionId, ...asking.resumes], place))
  story.read(all.filter(({ executionId }) => executionId === asking.executionId))
  const own = await answerOfOwn(asked)
  if (own) return own
  for (const executionId of asking.resumes) {
    for (const call of all.filter((each) => each.executionId === executionId).reverse()) {
      const answer = await answerOfFormer(asked, call, chain)
      if (answer) return answer
    }
  }
  return undefined
}

/** Resolves to undefined where no own call is open, and none is done. */
async function answerOfOwn(asked: Asked): Promise<ModelAnswer | undefined> {
  const { runner, story } = asked
  for (const call of story.calls) {
    if (call.state === 'done') {
      story.note(call)
      return stored(runner, call)
    }
    if (hasEnded(call)) {
      story.note(call)
      continue
    }
    const outcome = await awaitJob(asked, await adopted(asked, call))
    const answer = await answerOf(asked, outcome)
    if (answer) return answer
    if (outcome.is === 'left') return answerOfBefore(asked, [])
  }
  return undefined
}

/** Only for the very same request, to a model that may answer it now. What went wrong then does not count any more. */
async function answerOfFormer(
  asked: Asked,
  call: ProviderCall,
  chain: readonly string[],
): Promise<ModelAnswer | undefined> {
  const { runner, story } = asked
  const provider = runner.providers.get(call.provider)
  const isThere = provider !== undefined && lackIn(runner, provider) === undefined
  const isOpen = isThere && (call.state === 'accepted' || (call.state === 'submitting' && provider.find !== undefined))
  if (!(call.state === 'done' || isOpen) || !chain.includes(modelOf(call))) return undefined
  if (call.requestHash !== (await asked.requestHash())) return undefined
  if (call.state === 'done') {
    const answer = await stored(runner, call).catch((error) => {
      if (error instanceof Fault) return undefined
      throw error
    })
    if (answer) story.noteFormer(call)
    return answer
  }
  // Its own execution has ended: the chore that gives up what nobody waits for, in whichever process, sees that somebody does.
  if (call.handle) await runner.calls.update(call.id, call.handle, runner.clock.now()).catch(() => false)
  const outcome = await awaitJob(asked, await adopted(asked, call))
  if (outcome.is !== 'ended' || !outcome.answer) return undefined
  story.noteFormer(outcome.call)
  return outcome.answer
}

async function askChain(asked: Asked, chain: readonly string[]): Promise<ModelAnswer> {
  const refusals: Refusal[] = []
  for (const model of chain) {
    const answer = isLocal(model)
      ? await askLocal(asked, model, chain.length === 1)
      : await askModel(asked, model, refusals)
    if ('images' in answer) return answer
    refusals.push(answer)
  }
  throw exhausted(refusals)
}

function overOf({ story, ask }: Asked, last: ProviderCall): Refusal {
  const refusal = refusalOf(last)
  if (refusal.kind !== 'outcome_unknown' || ask.onUnknownOutcome !== 'retry') return refusal
  return { ...refusal, unknownTimes: story.callsOf(refusal.model).filter(({ state }) => state === 'unknown').length }
}

/** Tries one model as often as it may be tried. Throws where no other may be asked. */
async function askModel(asked: Asked, name: string, before: readonly Refusal[]): Promise<ModelAnswer | Refusal> {
  const { runner, asking, place, ask, run, story } = asked
  const model = runner.models.find(name)
  const provider = model && runner.providers.get(model.provider)
  if (!model || !provider) return refused(story, name, 'unsupported', 'it is not in the table of models any more')
  const msLeft = deadlineOf(asked)
  for (let afterMs: number | undefined; ; ) {
    run.signal.throwIfAborted()
    const standing = standingOf(story.callsOf(name), ask.onUnknownOutcome)
    if (standing.is === 'spent') return refusalOf(standing.last)
    if (standing.is === 'over') throw failureOf(overOf(asked, standing.last), before)
    if (model.lacks !== undefined) return refused(story, name, 'not_configured', model.lacks)
    if (standing.tries > 0) {
      const waitMs = afterMs ?? backOffMs(standing.tries)
      const last = story.callsOf(name).at(-1)
      if (waitMs >= msLeft() && last) return refusalOf(last)
      await waitFor(run, () => sleep(waitMs, run.signal))
    }
    const request = await asked.request()
    const budgets = await reachable(runner.budgets(asking.accountId))
    const reservedMicros = reserve(model, request, budgets)
    if (reservedMicros === undefined) throw failureOf(budgetRefusal(name, 'no price'), before)
    const plan = {
      asking,
      place,
      model,
      provider,
      request,
      budgets,
      reservedMicros,
      msLeft,
      accept: ask.accept,
      asked: run.signal,
      waiting: run.waiting,
    }
    const requestHash = await asked.requestHash()
    const outcome = await awaitJob(asked, makeCall(runner, { ...plan, requestHash, sequence: story.nextSequence() }))
    if (outcome.is === 'unsent') return refused(story, name, outcome.kind, outcome.message)
    if (outcome.is === 'not_begun' && typeof outcome.begun === 'object') {
      throw failureOf(budgetRefusal(name, { ...outcome.begun, wantedMicros: reservedMicros }), before)
    }
    const answer = await answerOf(asked, outcome)
    if (answer) return answer
    if (outcome.is === 'ended') afterMs = outcome.afterMs
    else {
      // Another attempt, or an earlier ask of this process, has a call at this place.
      const theirs = await answerOfBefore(asked, [])
      if (theirs) return theirs
    }
  }
}

async function askLocal({ ask, story }: Asked, model: string, isOnly: boolean): Promise<ModelAnswer | Refusal> {
  if (!ask.local) return refused(story, model, 'unsupported', 'no local model does this')
  try {
    await ask.local(model)
    story.noteLocal(model)
    return { model, images: [] }
  } catch (error) {
    if (isOnly || !(error instanceof Fault) || error.details.reason !== 'provider_not_configured') throw error
    return refused(story, model, 'not_configured', error.message)
  }
}

function refused(story: Story, model: string, kind: Refusal['kind'], message: string): Refusal {
  const refusal: Refusal = { model, kind, message, billed: 'no' }
  story.noteRefusal(refusal)
  return refusal
}

/** Undefined where it has none. */
async function answerOf({ asking, run, story }: Asked, outcome: Outcome): Promise<ModelAnswer | undefined> {
  if (outcome.is === 'ended') {
    story.note(outcome.call)
    return outcome.answer
  }
  run.signal.throwIfAborted()
  if (outcome.is === 'not_begun' && outcome.begun === 'right_lost') return rightLost(asking, run)
  return undefined
}

/** Whoever has taken the right away tells so in a moment, by aborting. */
async function rightLost({ executionId, attempt }: Asking, { signal }: AskRun): Promise<never> {
  await sleep(10_000, signal)
  throw new Unreachable(new Error(`attempt ${attempt} of ${executionId} may not write any more`))
}

/** What the job comes to. When the ask is aborted first, the job is told what to do, and the reason is thrown. */
async function awaitJob(asked: Asked, job: Job): Promise<Outcome> {
  const { run, story } = asked
  try {
    return await orAbort(job.done, run.signal)
  } catch (error) {
    if (!run.signal.aborted) throw error
    const how = await howToStop(asked)
    job.stop(how)
    if (how === 'cancel') {
      const outcome = await job.done.catch(() => undefined)
      if (outcome?.is === 'ended') story.note(outcome.call)
    }
    throw run.signal.reason
  }
}

async function howToStop({ runner, asking, run }: Asked): Promise<Stop> {
  const ending = run.ending()
  if (ending !== 'lost') return ending === 'given_up' ? 'cancel' : 'leave'
  try {
    const execution = await persist(() => runner.executions.find(asking.accountId, asking.executionId))
    return execution === undefined || isTerminal(execution.status) ? 'cancel' : 'leave'
  } catch {
    return 'leave'
  }
}

/** Goes on with an open call; its deadline counts anew. */
async function adopted(asked: Asked, call: ProviderCall): Promise<Job> {
  const { runner, ask } = asked
  const known = runner.jobs.get(call.id)
  if (known) return known
  const provider = runner.providers.get(call.provider)
  const lacks = provider ? lackIn(runner, provider) : 'it is not there any more'
  if (!provider || lacks !== undefined) {
    throw failureOf({ ...refusalOf(call), kind: 'not_configured', message: lacks ?? '', billed: 'unknown' })
  }
  const model = { provider: call.provider, row: rowFor(runner, call), lacks: undefined }
  const waiting = asked.run.waiting
  const like = { provider, model, request: await asked.request(), ...(waiting && { waiting }) }
  return adoptCall(runner, call, like, ask.accept, deadlineOf(asked))
}

/** Throws where the bytes are gone: it was paid for, and is not asked for again. */
async function stored({ blobs }: Runner, call: ProviderCall): Promise<ModelAnswer> {
  try {
    return await storedAnswer(blobs, call)
  } catch (error) {
    if (!(error instanceof BlobMissing)) throw new Unreachable(error)
    throw failureOf({
      ...refusalOf(call),
      kind: 'expired',
      message: 'what it gave is not kept any more',
      billed: 'yes',
    })
  }
}

/** Milliseconds until the deadline of the capability, from now on, or of the execution. */
function deadlineOf({ ask, run }: Asked): () => number {
  const startMs = monotonicMs()
  const ms = Math.min(secondsOf[ask.capability], run.secondsLeft()) * 1000
  return () => ms - elapsedSince(startMs)
}

function isLocal(model: string): boolean {
  return model.startsWith('local/')
}

function once<Value>(make: () => Promise<Value>): () => Promise<Value> {
  let made: Promise<Value> | undefined
  return () => {
    made ??= make()
    return made
  }
}
