import { type FormEvent, useEffect, useRef } from 'react'
import type { Page } from '../../api/run-link.ts'
import { Field } from './fields.tsx'
import { Picture } from './picture.tsx'
import { waitText } from './plain-errors.ts'
import { useRunLink } from './use-run-link.ts'
import { exampleValues } from './values.ts'

/** A workflow for a person without an account: its picture first, then its form. */
export function RunLinkPage({ apiKey }: { apiKey: string }) {
  const link = useRunLink(apiKey)
  const { page, loadError } = link
  if (loadError !== undefined)
    return (
      <main className="message">
        <h1>This page can’t be shown</h1>
        <p role="alert">{loadError}</p>
      </main>
    )
  if (page === undefined)
    return (
      <main className="message">
        <p role="status">Loading…</p>
      </main>
    )
  return <Loaded {...link} page={page} />
}

function Loaded({ page, run, isRunning, ...form }: ReturnType<typeof useRunLink> & { page: Page }) {
  const picture = useRef<HTMLDivElement>(null)
  const url = run?.output?.url
  useEffect(() => {
    // On a phone, the picture is above the form and can be out of sight.
    if (url !== undefined) picture.current?.scrollIntoView({ block: 'nearest' })
  }, [url])
  return (
    <main className="run">
      <div ref={picture} className="stage">
        <Picture page={page} run={run} isRunning={isRunning} hasFailed={form.problem !== undefined} />
      </div>
      <Form page={page} isRunning={isRunning} {...form} />
    </main>
  )
}

type FormProps = Omit<ReturnType<typeof useRunLink>, 'page' | 'run' | 'loadError'> & { page: Page }

function Form({ page, values, setValues, fieldProblems, problem, isRunning, waitSeconds, ...actions }: FormProps) {
  const { start, cancel, isCancelling } = actions
  const form = useRef<HTMLFormElement>(null)
  const run = useRef<HTMLButtonElement>(null)
  const { name, description, parameters, examples, usesModels, expiresAt } = page
  useEffect(() => {
    if (Object.keys(fieldProblems).length > 0) form.current?.querySelector<HTMLElement>('[aria-invalid]')?.focus()
  }, [fieldProblems])
  const isCancellable = cancel !== undefined
  useEffect(() => {
    if (!isCancellable) return
    return () => {
      // The button to cancel had the focus.
      if (document.activeElement === document.body) run.current?.focus({ preventScroll: true })
    }
  }, [isCancellable])
  const submit = (event: FormEvent) => {
    event.preventDefault()
    start()
  }
  return (
    <form ref={form} className="form" onSubmit={submit}>
      <h1>{name}</h1>
      {description && <p className="about">{description}</p>}
      {examples.length > 0 && parameters.length > 0 && (
        <p className="examples">
          Fill in:
          {examples.slice(0, 5).map((example) => (
            <button key={example.name} type="button" onClick={() => setValues(exampleValues(page, example, values))}>
              {example.name}
            </button>
          ))}
        </p>
      )}
      {parameters.map((parameter) => (
        <Field
          key={parameter.name}
          parameter={parameter}
          value={values[parameter.name] ?? ''}
          problem={fieldProblems[parameter.name]}
          onChange={(value) => setValues({ ...values, [parameter.name]: value })}
        />
      ))}
      <div className="actions">
        <p role="alert" className="problem">
          {waitSeconds > 0 ? waitText(waitSeconds) : problem}
        </p>
        <div className="run-buttons">
          <button ref={run} type="submit" className="primary" aria-disabled={isRunning || waitSeconds > 0}>
            {isRunning ? 'Running…' : 'Run'}
          </button>
          {cancel && (
            <button type="button" aria-disabled={isCancelling} onClick={cancel}>
              {isCancelling ? 'Cancelling…' : 'Cancel'}
            </button>
          )}
        </div>
        {usesModels && <p className="note">Uses the budget of the person who shared this link.</p>}
        {expiresAt && <p className="note">This link works until {dateOf(expiresAt)}.</p>}
      </div>
    </form>
  )
}

function dateOf(time: string): string {
  return new Date(time).toLocaleDateString('en-GB', { dateStyle: 'long' })
}
