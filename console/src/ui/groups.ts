/** The groups of operations in the order of the palette. Their colours are in groups.module.css. */
import {
  Clapperboard,
  Crop,
  Droplets,
  ImagePlus,
  Layers,
  type LucideIcon,
  Palette,
  ScanSearch,
  Sparkles,
  Type,
} from 'lucide-react'
import type { Operation } from '../api/types.ts'

export type Group = Operation['group']

export const groups: Record<Group, { title: string; Icon: LucideIcon }> = {
  source: { title: 'Sources', Icon: ImagePlus },
  ai: { title: 'AI', Icon: Sparkles },
  geometry: { title: 'Size and shape', Icon: Crop },
  colour: { title: 'Colour', Icon: Palette },
  filter: { title: 'Filters', Icon: Droplets },
  combine: { title: 'Combine', Icon: Layers },
  text: { title: 'Text', Icon: Type },
  analyse: { title: 'Analyse', Icon: ScanSearch },
  animation: { title: 'Animation', Icon: Clapperboard },
}
