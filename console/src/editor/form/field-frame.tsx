import { Tooltip, VisuallyHidden } from '@mantine/core'
import { Info, RotateCcw } from 'lucide-react'
import { type ReactNode, useContext } from 'react'
import classes from './field-frame.module.css'
import { HelpContext } from './form-context.tsx'
import { SmallButton } from './small-button.tsx'

export interface FrameProps {
  title: string
  description: string
  isRequired: boolean
  /** Of the control: the label's target. */
  id: string
  labelId: string
  problems: readonly string[]
  /** What is wrong is that nothing is there yet. */
  isMissing?: boolean
  /** The whole path, by which it is found when it is to be shown. */
  path: string
  isShort?: boolean
  /** In one line with its label, such as a switch. */
  isRow?: boolean
  onReset?: (() => void) | undefined
  actions?: ReactNode
  children: ReactNode
}

/** Label, help, what can be done with the value, and what is wrong with it, around a control. */
export function FieldFrame(props: FrameProps) {
  const { title, description, isRequired, id, labelId, problems, path, isShort, isRow, onReset, actions, children } =
    props
  const isMissing = props.isMissing === true && problems.length > 0
  const isHelpShown = useContext(HelpContext)
  return (
    <div
      className={classes.field}
      data-path={path}
      data-short={isShort || undefined}
      data-row={isRow || undefined}
      data-wrong={(problems.length > 0 && !isMissing) || undefined}
    >
      <div className={classes.head}>
        <label className={classes.label} htmlFor={id} id={labelId}>
          {title}
          {isRequired && (
            <>
              <span aria-hidden className={classes.required}>
                *
              </span>
              <VisuallyHidden> (required)</VisuallyHidden>
            </>
          )}
        </label>
        {description !== '' && !isHelpShown && <Help text={description} of={title} describedBy={`${id}-help`} />}
        <span className={classes.actions}>
          {onReset !== undefined && <ResetButton title={title} onReset={onReset} />}
          {actions}
        </span>
        {isRow && children}
      </div>
      {description !== '' && !isHelpShown && <VisuallyHidden id={`${id}-help`}>{description}</VisuallyHidden>}
      {!isRow && children}
      {description !== '' && isHelpShown && (
        <div id={`${id}-help`} className={classes.description}>
          {description}
        </div>
      )}
      <Problems id={`${id}-problem`} of={title} problems={problems} isMissing={isMissing} />
    </div>
  )
}

export function ResetButton({ title, onReset }: { title: string; onReset(): void }) {
  return (
    <Tooltip label="Back to the default">
      <SmallButton aria-label={`Back to the default: ${title}`} onClick={onReset}>
        <RotateCcw size={13} aria-hidden />
      </SmallButton>
    </Tooltip>
  )
}

interface GroupProps {
  title: string
  description: string
  isRequired?: boolean
  id: string
  problems: readonly string[]
  isMissing: boolean
  path: string
  actions: ReactNode
  children: ReactNode
}

/** Several fields that are one value: a list or an object. */
export function FieldGroup(props: GroupProps) {
  const { title, description, isRequired = false, id, problems, isMissing, path, actions, children } = props
  return (
    <fieldset className={classes.group} data-path={path}>
      <div className={classes.head}>
        <legend className={classes.label}>
          {title}
          {isRequired && <span className={classes.required}>*</span>}
        </legend>
        {description !== '' && <Help text={description} of={title} />}
        <span className={classes.actions}>{actions}</span>
      </div>
      <Problems id={`${id}-problem`} of={title} problems={problems} isMissing={isMissing} />
      {children}
    </fieldset>
  )
}

interface ProblemsProps {
  id: string
  /** What they are said of, where they do not name it themselves. */
  of?: string
  problems: readonly string[]
  isMissing?: boolean
}

export function Problems({ id, of, problems, isMissing }: ProblemsProps) {
  if (problems.length === 0) return null
  return (
    <div className={classes.problem} id={id} data-missing={isMissing || undefined}>
      {problems.slice(0, shownMax).map((problem) => (
        <div key={problem}>{of === undefined ? problem : `${of} ${problem}`}</div>
      ))}
      {problems.length > shownMax && <div>and {problems.length - shownMax} more</div>}
    </div>
  )
}

/** Many at once, such as of a pasted node, leave the fields in sight; the list of problems has all. */
const shownMax = 6

/** `describedBy`: where the text stands already, so that it is not read twice. */
export function Help({ text, of, describedBy }: { text: string; of: string; describedBy?: string }) {
  return (
    <Tooltip label={text} multiline w={260} events={{ hover: true, focus: true, touch: true }} withinPortal>
      <SmallButton
        variant="transparent"
        size={20}
        aria-label={describedBy === undefined ? `About ${of}: ${text}` : `About ${of}`}
        aria-describedby={describedBy}
      >
        <Info size={13} aria-hidden />
      </SmallButton>
    </Tooltip>
  )
}

/** What describes the control, for `aria-describedby`. */
export function describedBy(id: string, description: string, problems: readonly string[]): string | undefined {
  const ids = [...(description === '' ? [] : [`${id}-help`]), ...(problems.length === 0 ? [] : [`${id}-problem`])]
  return ids.length === 0 ? undefined : ids.join(' ')
}
