import { Anchor, Tooltip, VisuallyHidden } from '@mantine/core'
import { Info, RotateCcw } from 'lucide-react'
import { type ReactNode, useContext } from 'react'
import { missingParameter } from '../../../../shared/template/names.ts'
import classes from './field-frame.module.css'
import { CreateParameterContext, HelpContext } from './form-context.tsx'
import { SmallButton } from './small-button.tsx'

export interface FrameProps {
  title: string
  description: string
  isRequired: boolean
  /** The id of the control, which the label refers to. */
  id: string
  labelId: string
  problems: readonly string[]
  /** The only problem is a missing value. */
  isMissing?: boolean
  /** The full path, to find the field when it is focused. */
  path: string
  isShort?: boolean
  /** Whether the field is in one row with its label, such as a switch. */
  isRow?: boolean
  /** The value that is used without a value; undefined if there is none. */
  defaultText?: string | undefined
  /** The field has no value, and its control doesn't name the default. */
  isDefaultShown?: boolean
  onReset?: (() => void) | undefined
  actions?: ReactNode
  children: ReactNode
}

/** Label, help, actions and problems of a control. */
export function FieldFrame(props: FrameProps) {
  const { title, description, isRequired, id, labelId, problems, path, isShort, isRow, onReset, actions, children } =
    props
  const { defaultText, isDefaultShown = false } = props
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
        {description !== '' && !isHelpShown && <Help text={description} name={title} describedBy={`${id}-help`} />}
        {isDefaultShown && defaultText !== undefined && (
          <span className={classes.default} title={`Default: ${defaultText}`}>
            Default: {defaultText}
          </span>
        )}
        <span className={classes.actions}>
          {onReset !== undefined && (
            <ResetButton title={title} controlId={id} defaultText={defaultText} onReset={onReset} />
          )}
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
      <Problems id={`${id}-problem`} name={title} problems={problems} isMissing={isMissing} />
    </div>
  )
}

interface ResetProps {
  title: string
  /** The element that gets the focus, because the button is removed. */
  controlId?: string
  defaultText?: string | undefined
  onReset(): void
}

export function ResetButton({ title, controlId = '', defaultText, onReset }: ResetProps) {
  const reset = () => {
    document.getElementById(controlId)?.focus()
    onReset()
  }
  return (
    <Tooltip
      label={defaultText === undefined ? 'Reset to the default' : `Reset to the default: ${defaultText}`}
      multiline
      maw={260}
    >
      <SmallButton aria-label={`Reset to the default: ${title}`} onClick={reset}>
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
        {description !== '' && <Help text={description} name={title} />}
        <span className={classes.actions}>{actions}</span>
      </div>
      <Problems id={`${id}-problem`} name={title} problems={problems} isMissing={isMissing} />
      {children}
    </fieldset>
  )
}

interface ProblemsProps {
  id: string
  /** The name to put before each problem. */
  name?: string
  problems: readonly string[]
  isMissing?: boolean
}

export function Problems({ id, name, problems, isMissing }: ProblemsProps) {
  if (problems.length === 0) return null
  return (
    <div className={classes.problem} id={id} data-missing={isMissing || undefined}>
      {problems.slice(0, shownMax).map((problem) => (
        <div key={problem}>
          {name === undefined ? problem : `${name} ${problem}`} <CreateParameter name={missingParameter(problem)} />
        </div>
      ))}
      {problems.length > shownMax && <div>and {problems.length - shownMax} more</div>}
    </div>
  )
}

/** Repairs a template that uses a parameter which does not exist. */
function CreateParameter({ name }: { name: string | undefined }) {
  const create = useContext(CreateParameterContext)
  if (create === undefined || name === undefined) return null
  return (
    <Anchor
      component="button"
      type="button"
      fz="inherit"
      aria-label={`Create it: ${name}`}
      onClick={() => create(name)}
    >
      Create it
    </Anchor>
  )
}

/** More would push the fields out of sight, for example after pasting a node. The problem list has all of them. */
const shownMax = 6

/** `describedBy`: the element that has the text, so that it is not read twice. */
export function Help({ text, name, describedBy }: { text: string; name: string; describedBy?: string }) {
  return (
    <Tooltip label={text} multiline w={260} events={{ hover: true, focus: true, touch: true }} withinPortal>
      <SmallButton
        variant="transparent"
        size={20}
        aria-label={describedBy === undefined ? `About ${name}: ${text}` : `About ${name}`}
        aria-describedby={describedBy}
      >
        <Info size={13} aria-hidden />
      </SmallButton>
    </Tooltip>
  )
}

/** The value of `aria-describedby` for a control. */
export function describedBy(id: string, description: string, problems: readonly string[]): string | undefined {
  const ids = [...(description === '' ? [] : [`${id}-help`]), ...(problems.length === 0 ? [] : [`${id}-problem`])]
  return ids.length === 0 ? undefined : ids.join(' ')
}
