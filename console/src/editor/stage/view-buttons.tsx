import { ActionIcon, Button, Group, Tooltip } from '@mantine/core'
import { Maximize, Plus, X, ZoomIn, ZoomOut } from 'lucide-react'
import { memo } from 'react'
import { useEditor } from '../state/editor-context.ts'
import classes from './stage.module.css'
import { type useStageView, zoomStep } from './use-stage-view.ts'

interface Props extends Pick<ReturnType<typeof useStageView>, 'zoomBy' | 'zoomToFull' | 'fit'> {
  /** The zoom. */
  percent: number
  addAfter(): void
}

/** Buttons that add a node, zoom the picture and close the stage. */
export const ViewButtons = memo(function ViewButtons({ percent, zoomBy, zoomToFull, fit, addAfter }: Props) {
  const { canvas, isReadOnly } = useEditor()
  return (
    <Group gap={2} ml="auto" wrap="nowrap">
      {!isReadOnly && <BarButton label="Add a node after this one (A)" onClick={addAfter} Icon={Plus} />}
      <BarButton label="Zoom out (-)" className={classes.zoom} onClick={() => zoomBy(1 / zoomStep)} Icon={ZoomOut} />
      <Tooltip label="Full size (1)">
        <Button size="compact-sm" variant="subtle" color="gray" onClick={zoomToFull} w={64}>
          {percent} %
        </Button>
      </Tooltip>
      <BarButton label="Zoom in (+)" className={classes.zoom} onClick={() => zoomBy(zoomStep)} Icon={ZoomIn} />
      <BarButton label="Fit (0)" onClick={fit} Icon={Maximize} />
      <BarButton label="Back to the graph (Esc)" onClick={() => canvas.setState({ isStageOpen: false })} Icon={X} />
    </Group>
  )
})

interface BarButtonProps {
  label: string
  className?: string | undefined
  onClick(): void
  Icon: typeof X
}

function BarButton({ label, className = '', onClick, Icon }: BarButtonProps) {
  return (
    <Tooltip label={label}>
      <ActionIcon className={className} variant="subtle" color="gray" size="lg" aria-label={label} onClick={onClick}>
        <Icon size={16} aria-hidden />
      </ActionIcon>
    </Tooltip>
  )
}
