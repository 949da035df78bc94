/** The tables next to those of workflows and their versions. */

export interface WorkflowTables {
  workflow_uses: WorkflowUseRow
  workflow_users: WorkflowUserRow
  workflow_channels: WorkflowChannelRow
  channel_moves: ChannelMoveRow
  channel_leftovers: ChannelLeftoverRow
}

export interface WorkflowUseRow {
  workflow_id: string
  version: number
  name: string
  used_workflow_id: string
  used_version: number
}

export interface WorkflowUserRow {
  used_workflow_id: string
  workflow_id: string
  /** Time of the workflow that uses the other. */
  created_at: number
  /** The last version that uses it, and the last version of the other that any version uses. */
  version: number
  used_version: number
}

export interface WorkflowChannelRow {
  workflow_id: string
  name: string
  version: number
  moved_at: number
  /** Null for a command of the operator. */
  key_id: string | null
}

export interface ChannelMoveRow {
  workflow_id: string
  channel: string
  /** 1, 2, 3, ... for each channel. */
  sequence: number
  /** 1, 2, 3, ... for all channels of the workflow. */
  workflow_sequence: number
  /** Null: the channel was deleted. */
  version: number | null
  /** Null: the channel was created. */
  from_version: number | null
  is_rollback: 0 | 1
  moved_at: number
  key_id: string | null
}

/** A deleted workflow that still has moves of its channels. */
export interface ChannelLeftoverRow {
  workflow_id: string
}
