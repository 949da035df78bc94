import { useCallback, useId } from 'react'
import type { NamedOutput } from '../../api/workflow-document.ts'
import { type OutputKind, outputKindOf, setOutputKind } from '../document/outputs.ts'
import { isWithin, joinPath, setAt } from '../document/path.ts'
import { namedSocket, outputId } from '../document/wires.ts'
import { FieldFrame } from '../form/field-frame.tsx'
import { Segments } from '../form/fields/choice-controls.tsx'
import { SchemaForm } from '../form/schema-form.tsx'
import { useDocument, useEditor } from '../state/editor-context.ts'
import classes from './inspector.module.css'
import { useIssuesOf } from './issues.ts'
import { kindOptions, namedSchemaFor } from './named-output-schema.ts'
import { SocketWires } from './node-sockets.tsx'
import { kinds } from './output-kinds.ts'

/** The settings of an output. */
export function OutputFields({ name, output }: { name: string; output: NamedOutput }) {
  const store = useEditor().document
  const path = joinPath('outputs', name)
  const all = useIssuesOf(path)
  const focus = useDocument((state) => state.focus)
  const id = useId()
  const onChange = useCallback(
    (setting: string, value: unknown) =>
      store
        .getState()
        .change(
          `Change ${setting} of the output ${name}`,
          (document) => setAt(document, joinPath('outputs', name, setting), value),
          { key: joinPath('outputs', name, setting) },
        ),
    [store, name],
  )
  const { node, ...settings } = output
  const kind = outputKindOf(settings)
  const isOfNode = (at: string) => isWithin(at, `${path}.node`)
  const isOfKind = (at: string) => kind === 'pdf' && at === `${path}.format`
  return (
    <>
      <FieldFrame
        title="File"
        description="One image, a set of images in several widths and formats for a web page, or a PDF with a page for each image."
        isRequired={false}
        id={`${id}-kind`}
        labelId={`${id}-kind-label`}
        problems={all.flatMap((issue) => (isOfKind(issue.path) ? issue.message : []))}
        path={`${path}.$kind`}
      >
        <Segments
          id={`${id}-kind`}
          radius="md"
          aria-labelledby={`${id}-kind-label`}
          data={kinds}
          value={kind}
          onChange={(next) =>
            store
              .getState()
              .change(`Change the file of the output ${name}`, (document) =>
                setOutputKind(document, name, next as OutputKind, kindOptions[next as OutputKind]),
              )
          }
        />
      </FieldFrame>
      <div className={classes.socket} data-many data-path={`${path}.node`}>
        <div className={classes.socketName}>{kind === 'pdf' ? 'Pages' : 'Image'}</div>
        <SocketWires
          target={outputId}
          socket={namedSocket(name)}
          name={kind === 'pdf' ? `Page of ${name}` : `Image of ${name}`}
          input={node}
          isMany={kind === 'pdf'}
          path={`${path}.node`}
          placeholder={kind === 'pdf' ? 'Add pages' : 'Choose a node'}
        />
      </div>
      <SchemaForm
        schema={namedSchemaFor(settings)}
        values={settings}
        onChange={onChange}
        path={path}
        issues={all.filter((issue) => !isOfNode(issue.path) && !isOfKind(issue.path))}
        focus={focus}
      />
    </>
  )
}
