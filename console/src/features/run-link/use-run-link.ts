import { useEffect, useEffectEvent, useRef, useState } from 'react'
import {
  cancelRun,
  endedRun,
  getPage,
  getRun,
  isEnded,
  type Page,
  type Run,
  RunLinkError,
  startRun,
  uploadImage,
} from '../../api/run-link.ts'
import { cancelError, failureText, plainError, problemText } from './plain-errors.ts'
import { defaultValues, parametersOf, type Values } from './values.ts'

/** The id of the last execution, in the state of the page: it survives a reload, and nothing else can read it. */
interface PageState {
  executionId?: string
}

/** The state of the page of a run link, from its form to its image. */
export function useRunLink(apiKey: string) {
  const [page, setPage] = useState<Page>()
  const [loadError, setLoadError] = useState<string>()
  const [values, setValues] = useState<Values>({})
  const [run, setRun] = useState<Run>()
  const [isRunning, setIsRunning] = useState(false)
  /** The execution that has not ended: while files are uploaded, there is none yet. */
  const [cancellable, setCancellable] = useState<string>()
  const [isCancelling, setIsCancelling] = useState(false)
  const [problem, setProblem] = useState<string>()
  const [fieldProblems, setFieldProblems] = useState<Record<string, string>>({})
  /** Seconds until the next run is possible. */
  const [waitSeconds, setWaitSeconds] = useState(0)
  const uploaded = useRef(new Map<File, { imageId: string; until: number }>())

  const followLast = useEffectEvent((last: Run) => void follow(last))
  useEffect(() => {
    let isShown = true
    const load = async () => {
      if (apiKey === '') throw new RunLinkError(400, incomplete)
      const loaded = await getPage(apiKey)
      const { executionId } = (window.history.state ?? {}) as PageState
      const last = executionId === undefined ? undefined : await getRun(apiKey, executionId).catch(() => undefined)
      if (!isShown) return
      document.title = loaded.name
      setPage(loaded)
      setValues(defaultValues(loaded))
      if (last !== undefined) followLast(last)
    }
    load().catch((error: unknown) => {
      if (isShown) setLoadError(plainError(error))
    })
    return () => {
      isShown = false
    }
  }, [apiKey])

  useEffect(() => {
    if (waitSeconds === 0) return
    const timer = setTimeout(() => setWaitSeconds(waitSeconds - 1), 1_000)
    return () => clearTimeout(timer)
  }, [waitSeconds])

  /** Each file is uploaded once, and again when the service has removed it. */
  async function upload(file: File, name: string): Promise<string> {
    const known = uploaded.current.get(file)
    if (known !== undefined && known.until > Date.now()) return known.imageId
    const { uploadBytesMax = 0, uploadSeconds = 0 } = page ?? {}
    const path = `parameters.${name}`
    if (file.size > uploadBytesMax) throw new RunLinkError(400, bodyOf(tooLarge(file, uploadBytesMax), path))
    const imageId = await uploadImage(apiKey, file).catch((error: unknown) => {
      if (!(error instanceof RunLinkError)) throw error
      // The limits of uploads are not those of runs.
      const message = error.status === 429 ? error.message : error.issues[0]?.message
      throw message ? new RunLinkError(error.status, bodyOf(message, path)) : error
    })
    // Half of the time is left for the run.
    uploaded.current.set(file, { imageId, until: Date.now() + uploadSeconds * 500 })
    return imageId
  }

  async function follow(started: Run): Promise<void> {
    setIsRunning(true)
    try {
      if (!isEnded(started)) setCancellable(started.executionId)
      const ended = isEnded(started) ? started : await endedRun(apiKey, started.executionId)
      if (ended.status === 'completed') {
        setRun(ended)
        // A cancellation can have failed.
        setProblem(undefined)
      } else setProblem(failureText(ended, new Date()))
    } catch (error) {
      setProblem(plainError(error))
    }
    setCancellable(undefined)
    setIsCancelling(false)
    setIsRunning(false)
  }

  /** `follow` shows the end of the execution. */
  async function cancel(): Promise<void> {
    if (cancellable === undefined || isCancelling) return
    setProblem(undefined)
    setIsCancelling(true)
    await cancelRun(apiKey, cancellable).catch((error: unknown) => {
      setProblem(cancelError(error))
      setIsCancelling(false)
    })
  }

  async function start(): Promise<void> {
    if (page === undefined || isRunning || waitSeconds > 0) return
    setProblem(undefined)
    setFieldProblems({})
    setIsRunning(true)
    try {
      const started = await startRun(apiKey, await parametersOf(page, values, upload))
      const state: PageState = { executionId: started.executionId }
      window.history.replaceState(state, '')
      await follow(started)
    } catch (error) {
      const issues = error instanceof RunLinkError ? error.issues : []
      const names = page.parameters.map(({ name }) => name)
      const found = names.flatMap((name) => {
        const issue = issues.find(({ path }) => path === `parameters.${name}` || path.startsWith(`parameters.${name}.`))
        return issue === undefined ? [] : [[name, problemText(issue.message)] as const]
      })
      setFieldProblems(Object.fromEntries(found))
      const isRefused = error instanceof RunLinkError && error.status === 429
      if (found.length === 0) setProblem(plainError(error))
      else if (isRefused) setProblem('The file was not sent. Run again later.')
      else setProblem('Some values can’t be used. Change them, and run again.')
      if (isRefused && found.length === 0) setWaitSeconds(error.retryAfter ?? 5)
      setIsRunning(false)
    }
  }

  return {
    page,
    loadError,
    values,
    setValues,
    run,
    isRunning,
    problem,
    fieldProblems,
    waitSeconds,
    start: () => void start(),
    isCancelling,
    cancel: cancellable === undefined ? undefined : () => void cancel(),
  }
}

const incomplete = bodyOf('This address is incomplete. Open the whole link that you got.')

function tooLarge({ name, size }: File, bytesMax: number): string {
  const megabytes = (bytes: number) => `${Math.ceil(bytes / 1_048_576)} MB`
  return `“${name}” has ${megabytes(size)}. Choose a photo of at most ${megabytes(bytesMax)}.`
}

/** The body of an error that the page finds itself. `path`: of the value that is wrong. */
function bodyOf(message: string, path?: string) {
  const issues = path === undefined ? [] : [{ path, message }]
  return { error: { code: 'invalid_request' as const, message, details: { requestId: '', issues } } }
}
