/** A metric that `/metrics` serves. */
export type Metric = {
  /** What it is: the `HELP` of the text format, and `docs/operations.md`. */
  readonly help: string
  readonly labels?: readonly string[]
  /** Exported with this engine only. */
  readonly engine?: 'sqlite' | 'postgresql'
}

/** Everything that the software measures itself; a counter's name ends with `_total`. */
export const metricList = {
  mapcrate_requests_total: {
    help: 'Requests answered; with cause read_only, writes that were refused because the operator lets nothing be changed.',
    labels: ['service', 'method', 'route', 'status', 'cause'],
  },
  mapcrate_request_seconds: {
    help: 'Time from the first byte of a request to the end of its response, without waiting for changes.',
    labels: ['service', 'method', 'route'],
  },
  mapcrate_quota_refusals_total: {
    help: 'Responses with status 429, by the quota that was used up: requests, writes, failed_attempts, site_account or site_address.',
    labels: ['service', 'quota'],
  },
  mapcrate_platform_calls_total: {
    help: 'Calls to the game platform, by who waits for them: background, visitor or sign-in.',
    labels: ['caller'],
  },
  mapcrate_platform_budget_left: {
    help: 'Calls to the platform left of 50 in the last 60 seconds; 0 while calls pause.',
  },
  mapcrate_platform_paused: {
    help: '1 while calls to the platform pause but for one a minute and for sign-in, 0 otherwise.',
  },
  mapcrate_platform_answer_age_seconds: {
    help: 'Time since the platform last answered a call, to a minute.',
  },
  mapcrate_platform_budget_refusals_total: {
    help: 'Calls to the platform that were postponed because the budget was used up.',
    labels: ['caller'],
  },
  mapcrate_platform_failures_total: {
    help: 'Calls to the platform without a usable answer or kept back by a pause, by what was asked for (beatmaps, rating or player) and why: throttled, down, blocked, set-up or unexpected.',
    labels: ['question', 'trouble'],
  },
  mapcrate_stats_due: { help: 'Packs whose stats are due now.' },
  mapcrate_stats_oldest_due_seconds: {
    help: 'Time for which the stats of the longest waiting pack have been due; 0 if none are.',
  },
  mapcrate_stats_unfinished: {
    help: 'Packs without complete stats, or without ratings that their pages show: due, in progress, or to be retried later.',
  },
  mapcrate_rating_change_age_seconds: {
    help: 'Time since a change of the ratings of the platform was noticed; 0 if none was.',
  },
  mapcrate_recompute_packs_left: {
    help: 'Packs that the recomputation after such a change has not come to yet; 0 while there is none.',
  },
  mapcrate_index_age_seconds: {
    help: 'Time since the search index was last known to be current.',
  },
  mapcrate_index_packs: { help: 'Packs in the search index.' },
  mapcrate_index_bytes: {
    help: 'Size of the search index, as text (identity) and in brotli (br).',
    labels: ['coding'],
  },
  mapcrate_index_builder: { help: '1 in the process that builds the search index, 0 in others.' },
  mapcrate_search_packs: { help: 'Packs that the search finds.' },
  mapcrate_search_pending: {
    help: 'Changes of public packs that the search and the usage of beatmaps do not show yet.',
  },
  mapcrate_search_rebuilding: {
    help: '1 while the search is rebuilt from all packs, 0 otherwise.',
  },
  mapcrate_search_rebuild_left: {
    help: 'Packs that a rebuild of the search has not come to yet; 0 while there is none.',
  },
  mapcrate_announcements_total: {
    help: 'Attempts to announce something on Discord, by how they ended: sent, postponed (a limit, or names of beatmaps that are still looked up), failed, given-up or gone (no such webhook).',
    labels: ['end'],
  },
  mapcrate_announcements_waiting: { help: 'Announcements that are still to be sent.' },
  mapcrate_announcements_oldest_due_seconds: {
    help: 'Time for which the longest waiting announcement has been waiting; 0 if none is.',
  },
  mapcrate_database_seconds: {
    help: 'Time of database statements, without the wait for a connection.',
  },
  mapcrate_write_lock_wait_seconds: {
    help: 'Time that writes waited for their lock, by what they write.',
    labels: ['scope'],
  },
  mapcrate_database_connections_open: {
    help: 'Connections of this process to PostgreSQL.',
    engine: 'postgresql',
  },
  mapcrate_database_connections_in_use: {
    help: 'Connections of this process that execute a call.',
    engine: 'postgresql',
  },
  mapcrate_database_connections_limit: {
    help: 'Connections that this process may open.',
    engine: 'postgresql',
  },
  mapcrate_database_calls_waiting: {
    help: 'Calls that wait for a connection.',
    engine: 'postgresql',
  },
  mapcrate_store_bytes: { help: 'Size of the store file.', engine: 'sqlite' },
  mapcrate_store_wal_bytes: {
    help: 'Size of the write-ahead log of the store file.',
    engine: 'sqlite',
  },
  mapcrate_disk_free_bytes: {
    help: 'Free space for the server on the disk of the store.',
    engine: 'sqlite',
  },
  mapcrate_build_info: {
    help: 'Always 1; the labels are the running version.',
    labels: ['version', 'node', 'engine'],
  },
  mapcrate_draining: { help: '1 from SIGTERM on, when no new requests should be sent here.' },
} as const satisfies Readonly<Record<string, Metric>>

export type MetricName = keyof typeof metricList
