/** Every metric, once: `docs/guide/monitoring.md` and the registry are derived from it. Names: https://prometheus.io/docs/practices/naming/ */

export interface MetricDefinition {
  type: 'counter' | 'gauge' | 'histogram'
  help: string
  /** Label -> its values. Each label has a bound that doesn't depend on the number of accounts, workflows or requests. */
  labels?: Record<string, string>
  /** Upper bounds of a histogram. */
  buckets?: readonly number[]
}

const requestSeconds = [0.005, 0.025, 0.1, 0.5, 2.5, 10, 60]
const stepSeconds = [0.001, 0.01, 0.05, 0.25, 1, 5, 30]
const waitSeconds = [0.01, 0.1, 1, 5, 30, 120, 600]
const runSeconds = [0.025, 0.1, 0.5, 2.5, 10, 60, 300]
const callSeconds = [0.5, 1, 2.5, 5, 10, 30, 60, 180]
const attemptSeconds = [0.05, 0.25, 1, 5, 15]
const lagSeconds = [1, 5, 30, 300, 3_600, 21_600, 86_400]

const outcome = '`completed` or `failed`'
const queue = {
  plan: 'Plan of the account',
  state: '`ready`, or `limited` if the account runs as many executions as its plan allows',
}
const program =
  '`inspect` (decodes), `pdf`, `svg`, `convert-svg`, `html`, `text`, `font`, `model` (local models), `library` (Content Credentials), or `other`'
const provider = {
  provider: 'Id of the provider, or `test` for calls of test keys',
  model: 'Name of the model in the catalog, else `other`',
}

export const metricDefinitions = {
  tintype_build_info: {
    type: 'gauge',
    help: 'Always 1. The label is the version.',
    labels: { version: 'Version of Tintype' },
  },
  tintype_http_request_duration_seconds: {
    type: 'histogram',
    help: 'Duration of requests until the response is sent.',
    labels: {
      method: 'HTTP method',
      route:
        'Template of the path, such as `/v1/workflows/{workflowId}`; `other` for the console, the documentation and unknown paths',
      status: 'Class of the status: `2xx`, `4xx` and so on',
    },
    buckets: requestSeconds,
  },
  tintype_executions_total: {
    type: 'counter',
    help: 'Executions that ended.',
    labels: { outcome, reason: 'Reason of a failure (`details.reason`), else empty' },
  },
  tintype_execution_duration_seconds: {
    type: 'histogram',
    help: 'Duration of an attempt of an execution, from its start to the stored output.',
    labels: { outcome },
    buckets: runSeconds,
  },
  tintype_execution_wait_seconds: {
    type: 'histogram',
    help: 'Time from the acceptance of an execution to its first start.',
    buckets: waitSeconds,
  },
  tintype_executions_running: { type: 'gauge', help: 'Executions that run in the process.' },
  tintype_queue_executions: {
    type: 'gauge',
    help: 'Executions of all processes that wait to start.',
    labels: queue,
  },
  tintype_queue_oldest_age_seconds: {
    type: 'gauge',
    help: 'Age of the oldest execution that waits to start.',
    labels: queue,
  },
  tintype_step_duration_seconds: {
    type: 'histogram',
    help: 'Duration of steps that ran. Results from the cache are not included.',
    labels: { operation: 'Id of the operation', outcome: '`completed`, `failed` or `cancelled`' },
    buckets: stepSeconds,
  },
  tintype_cache_lookups_total: {
    type: 'counter',
    help: 'Searches of the step cache.',
    labels: { kind: '`step` for the result of a step, `output` for the file of an output', result: '`hit` or `miss`' },
  },
  tintype_cache_read_bytes_total: { type: 'counter', help: 'Bytes read from the step cache.' },
  tintype_cache_written_bytes_total: { type: 'counter', help: 'Bytes written to the step cache.' },
  tintype_pool_processes: { type: 'gauge', help: 'Processes that decode, draw and run models.', labels: { program } },
  tintype_pool_process_starts_total: { type: 'counter', help: 'Started processes.', labels: { program } },
  tintype_pool_process_ends_total: {
    type: 'counter',
    help: 'Ended processes.',
    labels: {
      program,
      reason:
        'Killed for a limit of the job (`work`, `deadline`, `memory`), because the machine is busy (`busy`), because the caller left (`aborted`), because of its size after a job (`size`), because it was idle (`idle`) or at the end of the service (`stop`); or `crash`',
    },
  },
  tintype_pool_job_repeats_total: {
    type: 'counter',
    help: 'Jobs that run again because their process ended.',
    labels: { program },
  },
  tintype_executor_restarts_total: {
    type: 'counter',
    help: 'Ends of the executor, each followed by the start of another one.',
  },
  tintype_provider_call_duration_seconds: {
    type: 'histogram',
    help: 'Duration of calls of AI models, including the time that they wait for the limit of the provider.',
    labels: {
      ...provider,
      outcome: '`done`, the kind of the problem, `not_sent`, or `open` if the next attempt continues the call',
    },
    buckets: callSeconds,
  },
  tintype_provider_cost_usd_total: {
    type: 'counter',
    help: 'Cost of calls of AI models in US dollars.',
    labels: provider,
  },
  tintype_provider_unknown_costs_total: {
    type: 'counter',
    help: 'Calls of AI models whose cost is not known.',
    labels: provider,
  },
  tintype_webhook_attempt_duration_seconds: {
    type: 'histogram',
    help: 'Duration of attempts to deliver webhooks.',
    labels: { outcome: '`delivered`, `retry` or `failed` (no further attempt)' },
    buckets: attemptSeconds,
  },
  tintype_webhook_lag_seconds: {
    type: 'histogram',
    help: 'Time from the creation of a delivery until it is delivered.',
    buckets: lagSeconds,
  },
  tintype_batch_rows_total: {
    type: 'counter',
    help: 'Rows of batches.',
    labels: { outcome: '`submitted` as an execution, `cancelled` before that, then `completed` or `failed`' },
  },
  tintype_database_connections: {
    type: 'gauge',
    help: 'Connections of the pool to PostgreSQL, and work that waits for one.',
    labels: { state: '`busy`, `idle` or `waiting`' },
  },
  tintype_event_loop_delay_p99_seconds: {
    type: 'gauge',
    help: '99th percentile of the delay of the event loop since the previous scrape.',
  },
  tintype_event_loop_delay_max_seconds: {
    type: 'gauge',
    help: 'Maximum delay of the event loop since the previous scrape.',
  },
  tintype_event_loop_utilization_ratio: {
    type: 'gauge',
    help: 'Share of time in which the event loop was busy, since the previous scrape.',
  },
  process_cpu_seconds_total: { type: 'counter', help: 'CPU time of the process.' },
  process_resident_memory_bytes: { type: 'gauge', help: 'Resident memory of the process.' },
  process_start_time_seconds: { type: 'gauge', help: 'Start of the process in seconds since 1970.' },
  tintype_heap_used_bytes: { type: 'gauge', help: 'Used memory of the JavaScript heap.' },
} as const satisfies Record<string, MetricDefinition>

export type MetricName = keyof typeof metricDefinitions

/** A label of every metric. */
export const processLabel = {
  process: '`service`, `executor` (the child process of a service) or `worker`',
} as const
