import { Button, ColorSwatch, Group, Text, Textarea } from '@mantine/core'
import { Check, StickyNote, Trash2 } from 'lucide-react'
import { useId } from 'react'
import { removeNodes } from '../document/edits.ts'
import { changeNote, type NoteColor, noteColors, noteOf } from '../document/notes.ts'
import { useDocument, useEditor } from '../state/editor-context.ts'
import classes from './inspector.module.css'

const colors = Object.keys(noteColors) as NoteColor[]

/** The text and the colour of a note. */
export function NoteInspector({ id }: { id: string }) {
  const store = useEditor().document
  const labelId = useId()
  const text = useDocument(({ document }) => noteOf(document, id)?.text)
  const currentColor = useDocument(({ document }) => noteOf(document, id)?.color)
  if (text === undefined) return null
  return (
    <>
      <div className={classes.head}>
        <div className={classes.title}>
          <StickyNote size={18} aria-hidden />
          <Text component="h2" fw={650}>
            Note
          </Text>
        </div>
        <Text size="sm" c="dimmed">
          A comment for readers. It doesn’t affect executions.
        </Text>
      </div>
      <div className={classes.body}>
        <section className={classes.section} data-path={`layout.${id}.text`}>
          <Textarea
            label="Text"
            autosize
            minRows={4}
            maxRows={16}
            maxLength={4000}
            value={text}
            onChange={({ currentTarget: { value } }) =>
              store.getState().change('Write a note', (document) => changeNote(document, id, { text: value }), {
                key: `${id} text`,
              })
            }
          />
        </section>
        <section className={classes.section}>
          <h3 className={classes.heading} id={labelId}>
            Colour
          </h3>
          <Group gap={8} role="group" aria-labelledby={labelId}>
            {colors.map((color) => (
              <ColorSwatch
                key={color}
                component="button"
                type="button"
                aria-pressed={currentColor === color}
                aria-label={color}
                color={noteColors[color]}
                size={32}
                c="#1d1a17"
                onClick={() =>
                  store.getState().change('Colour a note', (document) => changeNote(document, id, { color }))
                }
              >
                {currentColor === color && <Check size={16} aria-hidden />}
              </ColorSwatch>
            ))}
          </Group>
        </section>
        <Button
          variant="default"
          leftSection={<Trash2 size={16} aria-hidden />}
          onClick={() => store.getState().change('Delete a note', (document) => removeNodes(document, [id]))}
        >
          Delete the note
        </Button>
      </div>
    </>
  )
}
