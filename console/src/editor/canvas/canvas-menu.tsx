import { Menu } from '@mantine/core'
import type { ReactNode } from 'react'
import { type Command, useAllCommands } from '../../ui/commands/commands.ts'
import { Shortcut } from '../../ui/commands/shortcut.tsx'
import { isNote } from '../document/notes.ts'
import type { MenuTarget } from '../state/canvas.ts'
import { useCanvas, useEditor } from '../state/editor-context.ts'

const copying = ['canvas.duplicate', 'canvas.copyText', 'canvas.cutText']
const nodeCommands = [
  'canvas.inspect',
  'run.toNode',
  'canvas.addAfter',
  'canvas.connect',
  'canvas.disconnect',
  '',
  'canvas.pin',
  'canvas.bypass',
  '',
  ...copying,
  'canvas.turn',
  '',
  'canvas.delete',
  'canvas.deleteApart',
]
const paneCommands = [
  'canvas.add',
  'canvas.note',
  'canvas.pasteText',
  '',
  'canvas.selectAll',
  'canvas.arrange',
  'canvas.fit',
]
const noteCommands = ['canvas.inspect', '', ...copying, '', 'canvas.delete']
const wireCommands = ['canvas.insertOnWire', 'canvas.delete']

/** The context menu: the commands of a card, a wire or the canvas. */
export function CanvasMenu() {
  const editor = useEditor()
  const menu = useCanvas((ui) => ui.menu)
  const commands = useAllCommands()
  if (menu === undefined) return null
  const { target, screen } = menu
  const ids = idsFor(target)
  const close = () => editor.canvas.setState({ menu: undefined })
  return (
    <Menu opened onClose={close} position="bottom-start" offset={0} width={312} shadow="md" returnFocus>
      <Menu.Target>
        <span aria-hidden style={{ position: 'fixed', left: screen.x, top: screen.y, width: 1, height: 1 }} />
      </Menu.Target>
      <Menu.Dropdown>{rowsOf(ids, commands)}</Menu.Dropdown>
    </Menu>
  )
}

function idsFor(target: MenuTarget): readonly string[] {
  if (target.kind === 'node') return isNote(target.id) ? noteCommands : nodeCommands
  return target.kind === 'wire' ? wireCommands : paneCommands
}

function rowsOf(ids: readonly string[], commands: readonly Command[]): ReactNode[] {
  return ids.flatMap((id, index) => {
    // biome-ignore lint/suspicious/noArrayIndexKey: the lines do not move
    if (id === '') return [<Menu.Divider key={index} />]
    const command = commands.find((command) => command.id === id)
    if (command === undefined) return []
    return [
      <Menu.Item
        key={id}
        disabled={!(command.isEnabled?.() ?? true)}
        {...(id.startsWith('canvas.delete') ? { color: 'red' } : {})}
        rightSection={command.shortcuts?.[0] === undefined ? null : <Shortcut shortcut={command.shortcuts[0]} />}
        onClick={() => command.run()}
      >
        {command.title}
      </Menu.Item>,
    ]
  })
}
