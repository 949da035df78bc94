import { Popover, Textarea } from '@mantine/core'
import { type KeyboardEvent, memo, useId, useLayoutEffect, useRef, useState } from 'react'
import { isTemplate } from '../../../../../shared/values.ts'
import { type Completion, closeBraces, complete, completionsAt, typeOver } from './completion.ts'
import { type LineMark, LineNumbers } from './line-numbers.tsx'
import type { TemplateName } from './names.ts'
import classes from './template.module.css'

interface Props {
  value: string
  onChange(value: string): void
  names: readonly TemplateName[]
  id: string
  label?: string | undefined
  describedBy?: string | undefined
  isInvalid?: boolean
  placeholder?: string | undefined
  /** Whether Enter inserts a new line. */
  isMultiline?: boolean
  /** Set for code: line numbers, and marks at lines with problems. */
  marks?: readonly LineMark[] | undefined
  /** Takes the focus when it appears, with the caret at this position. */
  caretAtStart?: number | undefined
  onBlur?(): void
}

/**
 * A text field with completion of templates: arrow keys choose, Tab or Enter inserts, Escape closes. Each rendering measures the height of
 * the text, so its props stay the same while other values change.
 */
export const TemplateEditor = memo(function TemplateEditor({
  value,
  onChange,
  names,
  isMultiline = false,
  marks,
  ...props
}: Props) {
  const { id, label, describedBy, isInvalid, placeholder, caretAtStart, onBlur } = props
  const field = useRef<HTMLTextAreaElement>(null)
  const caretNext = useRef<number | undefined>(caretAtStart)
  /** The position of the caret whose completions are shown. */
  const [completedAt, setCompletedAt] = useState<number>()
  // Names can be loaded after the text before the caret was typed.
  const open = completedAt === undefined ? undefined : completionsAt(value, completedAt, names)
  const [selected, setSelected] = useState(0)
  const listId = useId()

  // biome-ignore lint/correctness/useExhaustiveDependencies: the caret is set after the new text is rendered
  useLayoutEffect(() => {
    const at = caretNext.current
    if (at === undefined || field.current === null) return
    caretNext.current = undefined
    field.current.focus()
    field.current.setSelectionRange(at, at)
    showCompletions(at)
  }, [value, completedAt])

  function showCompletions(caret: number): void {
    setCompletedAt(caret)
    setSelected(0)
  }
  function handleInput(text: string, caret: number): void {
    const withEnd = text.length > value.length ? closeBraces(text, caret) : undefined
    if (withEnd !== undefined) caretNext.current = withEnd.caret
    onChange(withEnd?.text ?? text)
    if (withEnd === undefined) showCompletions(caret)
  }
  function insertCompletion(option: Completion | undefined): void {
    if (open === undefined || option === undefined) return
    const completion = complete(value, open, option)
    caretNext.current = completion.caret
    setCompletedAt(undefined)
    onChange(completion.text)
  }
  function onKeyDown(event: KeyboardEvent<HTMLTextAreaElement>): void {
    const { key, ctrlKey, metaKey, shiftKey } = event
    const { selectionStart, selectionEnd } = event.currentTarget
    const isCompletionKey = key === ' ' && ctrlKey
    const over = selectionStart === selectionEnd && !isCompletionKey ? typeOver(value, selectionStart, key) : undefined
    if (over !== undefined) {
      if (over.text === value) event.currentTarget.setSelectionRange(over.caret, over.caret)
      else {
        caretNext.current = over.caret
        onChange(over.text)
      }
      showCompletions(over.caret)
    } else if (isCompletionKey) showCompletions(selectionStart)
    else if (open === undefined) {
      if (key !== 'Enter' || isMultiline || metaKey || ctrlKey) return
    } else if (key === 'ArrowDown') setSelected((selected + 1) % open.options.length)
    else if (key === 'ArrowUp') setSelected((selected + open.options.length - 1) % open.options.length)
    else if ((key === 'Enter' && !metaKey && !ctrlKey) || (key === 'Tab' && !shiftKey))
      insertCompletion(open.options[selected])
    else if (key === 'Escape') {
      event.stopPropagation()
      setCompletedAt(undefined)
    } else return
    event.preventDefault()
  }
  const isOpen = open !== undefined
  return (
    <Popover
      opened={isOpen}
      withRoles={false}
      position="bottom-start"
      width="target"
      offset={4}
      shadow="md"
      returnFocus={false}
    >
      <Popover.Target>
        <Textarea
          ref={field}
          id={id}
          size="sm"
          autosize
          minRows={marks ? 6 : isMultiline ? 2 : 1}
          maxRows={marks ? 24 : 12}
          wrap={marks ? 'off' : undefined}
          spellCheck={marks === undefined && !isTemplate(value)}
          leftSection={marks && <LineNumbers text={value} marks={marks} field={field} />}
          leftSectionWidth={marks && 40}
          value={value}
          placeholder={placeholder ?? ''}
          error={isInvalid === true}
          aria-label={label}
          aria-describedby={describedBy}
          aria-invalid={isInvalid}
          role="combobox"
          aria-autocomplete="list"
          aria-haspopup="listbox"
          aria-expanded={isOpen}
          aria-controls={isOpen ? listId : undefined}
          aria-activedescendant={isOpen ? `${listId}-${selected}` : undefined}
          classNames={{
            input: [isTemplate(value) || marks ? classes.code : '', marks ? classes.lines : ''].join(' '),
            section: marks ? (classes.gutter ?? '') : '',
          }}
          onChange={({ currentTarget }) => handleInput(currentTarget.value, currentTarget.selectionStart)}
          onKeyDown={onKeyDown}
          onClick={({ currentTarget }) => showCompletions(currentTarget.selectionStart)}
          onBlur={() => {
            setCompletedAt(undefined)
            onBlur?.()
          }}
        />
      </Popover.Target>
      <Popover.Dropdown p={4} className={classes.dropdown ?? ''}>
        <div id={listId} role="listbox" aria-label="Completions" className={classes.list}>
          {open?.options.map((option, index) => (
            <CompletionRow
              key={option.label}
              id={`${listId}-${index}`}
              option={option}
              isChosen={index === selected}
              onChoose={() => insertCompletion(option)}
            />
          ))}
        </div>
      </Popover.Dropdown>
    </Popover>
  )
})

function CompletionRow({
  id,
  option,
  isChosen,
  onChoose,
}: {
  id: string
  option: Completion
  isChosen: boolean
  onChoose(): void
}) {
  return (
    // biome-ignore lint/a11y/useFocusableInteractive: the focus stays in the text; the list is its aria-activedescendant
    // biome-ignore lint/a11y/useKeyWithClickEvents: the text field handles the keys
    <div
      id={id}
      role="option"
      aria-selected={isChosen}
      className={classes.option}
      ref={(row) => {
        if (isChosen) row?.scrollIntoView({ block: 'nearest' })
      }}
      onMouseDown={(event) => event.preventDefault()}
      onClick={onChoose}
    >
      <span className={classes.name}>{option.label}</span>
      <span className={classes.detail}>{option.detail}</span>
    </div>
  )
}
