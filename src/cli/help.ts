/** The examples at the end of each help text, and the page of the guide that it links to. */
export interface CommandHelp {
  /** A command line and what it does. */
  examples: readonly (readonly [command: string, purpose: string])[]
  /** The name of a page of the guide, which the service serves at `/guide/<page>`. */
  page: string
}

function alsoJson(command: string, purpose: string, page: string): CommandHelp {
  return {
    examples: [
      [command, purpose],
      [`${command} --json`, 'Print the result as JSON.'],
    ],
    page,
  }
}

/** Help by command, without `tintype`. */
export const commandHelp: Readonly<Record<string, CommandHelp>> = {
  serve: {
    examples: [
      ['tintype', 'Start the service on port 8080.'],
      ['PORT=3000 DATA_DIR=/var/lib/tintype tintype serve', 'Use another port and data directory.'],
    ],
    page: 'configure',
  },
  worker: {
    examples: [
      ['DATABASE_URL=postgres://user:password@db/tintype tintype worker', 'Start a worker for a service.'],
      ['EXECUTIONS_RUNNING_MAX=8 tintype worker', 'Run up to 8 executions at the same time.'],
    ],
    page: 'kubernetes',
  },
  login: {
    examples: [
      ['tintype login', 'Enter the address of a service and an API key.'],
      ['tintype login --url https://images.example.com < key.txt', 'Read the key from a file.'],
    ],
    page: 'command-line',
  },
  logout: alsoJson('tintype logout', 'Delete the stored key: commands use the database again.', 'command-line'),
  completion: {
    examples: [
      ['source <(tintype completion bash)', 'Complete in this bash; needs the package bash-completion.'],
      ['tintype completion fish > ~/.config/fish/completions/tintype.fish', 'Complete in each fish.'],
    ],
    page: 'command-line',
  },
  'workflows list': {
    examples: [
      ['tintype workflows list', 'List the workflows.'],
      ['tintype workflows list --url https://images.example.com --search card', 'Find workflows of a service by name.'],
    ],
    page: 'command-line',
  },
  'workflows show': {
    examples: [
      ['tintype workflows show launch-card', 'Show a workflow and its parameters.'],
      ['tintype workflows show wf_123 --channel live --json', 'Print the version of a channel as JSON.'],
    ],
    page: 'workflows',
  },
  'workflows validate': {
    examples: [
      ['tintype workflows validate card.yaml', 'Validate a file, and save nothing.'],
      ['tintype workflows validate workflows/*.yaml --json', 'Print the problems of several files as JSON.'],
    ],
    page: 'workflows',
  },
  'workflows open': {
    examples: [
      ['tintype workflows open launch-card', 'Open a workflow in the browser.'],
      ['tintype workflows open wf_123 --print', 'Print the address only.'],
    ],
    page: 'console',
  },
  'workflows publish': {
    examples: [
      ['tintype workflows publish wf_123 --note "Larger headline"', 'Publish a draft with a note.'],
      ['tintype workflows publish launch-card --channel live', 'Let executions by the channel run it.'],
    ],
    page: 'versions-and-drafts',
  },
  'workflows delete': {
    examples: [
      ['tintype workflows delete launch-card', 'Delete a workflow.'],
      ['tintype workflows delete wf_123 --local', 'Delete a workflow of the database.'],
    ],
    page: 'workflows',
  },
  'executions list': {
    examples: [
      ['tintype executions list --status failed', 'List executions that failed.'],
      ['tintype executions list --workflow launch-card --limit 10', 'List the newest executions of a workflow.'],
    ],
    page: 'debug-executions',
  },
  'executions show': {
    examples: [
      ['tintype executions show exec_123', 'Show an execution.'],
      ['tintype executions show exec_123 --follow', 'Print its steps until it ends.'],
    ],
    page: 'debug-executions',
  },
  'executions cancel': alsoJson('tintype executions cancel exec_123', 'Cancel an execution.', 'debug-executions'),
  'batches list': {
    examples: [
      ['tintype batches list', 'List the batches.'],
      ['tintype batches list --status running', 'List the running batches.'],
    ],
    page: 'process-many-images',
  },
  'batches show': alsoJson(
    'tintype batches show batch_123',
    'Show a batch and its failed rows.',
    'process-many-images',
  ),
  'batches follow': alsoJson(
    'tintype batches follow batch_123',
    'Show a progress bar until it ends.',
    'process-many-images',
  ),
  'batches results': {
    examples: [
      ['tintype batches results batch_123', 'Download the images as a ZIP file.'],
      ['tintype batches results batch_123 --format csv --out results.csv', 'Download a table of the results.'],
    ],
    page: 'process-many-images',
  },
  'batches pause': alsoJson('tintype batches pause batch_123', 'Pause a batch.', 'process-many-images'),
  'batches resume': alsoJson('tintype batches resume batch_123', 'Resume a batch.', 'process-many-images'),
  'batches cancel': alsoJson('tintype batches cancel batch_123', 'Cancel a batch.', 'process-many-images'),
  'batches delete': alsoJson('tintype batches delete batch_123', 'Delete a batch.', 'process-many-images'),
  'images list': {
    examples: [
      ['tintype images list --source upload', 'List the uploads.'],
      ['tintype images list --search logo --json', 'Find images by their name.'],
    ],
    page: 'command-line',
  },
  'images show': alsoJson('tintype images show img_123', 'Show an image.', 'command-line'),
  'images upload': {
    examples: [
      ['tintype images upload photo.jpg', 'Upload an image.'],
      ['tintype images upload photos/*.jpg --project proj_123', 'Upload several images to a project.'],
    ],
    page: 'command-line',
  },
  'images download': {
    examples: [
      ['tintype images download img_123', 'Save an image as a file with its id.'],
      ['tintype images download img_123 --output photo.webp', 'Save it under another name.'],
    ],
    page: 'command-line',
  },
  'images delete': {
    examples: [
      ['tintype images delete img_123', 'Delete an image.'],
      ['tintype images delete img_123 img_456', 'Delete two images.'],
    ],
    page: 'command-line',
  },
  'projects list': alsoJson('tintype projects list', 'List the projects.', 'command-line'),
  'projects show': alsoJson('tintype projects show proj_123', 'Show a project.', 'command-line'),
  'projects create': {
    examples: [
      ['tintype projects create --name "Spring"', 'Create a project.'],
      [
        'tintype projects create --name "Spring" --description "Cards of the campaign"',
        'Create it with a description.',
      ],
    ],
    page: 'command-line',
  },
  'projects delete': {
    examples: [
      ['tintype projects delete proj_123', 'Delete a project; its contents move to Default.'],
      ['tintype projects delete proj_123 --with-contents', 'Delete its contents, too.'],
    ],
    page: 'command-line',
  },
  audit: {
    examples: [
      ['tintype audit --action workflow.publish', 'Show who published workflows.'],
      ['tintype audit --after 2026-11-01 --before 2026-12-01 --csv', 'Export the entries of a month.'],
    ],
    page: 'audit-log',
  },
  'accounts create': {
    examples: [
      ['tintype accounts create --name "Acme" --plan pro', 'Create an account.'],
      ['tintype accounts create --name "Acme" --plan enterprise --rate-limit 6000', 'Set its own rate limit, too.'],
    ],
    page: 'accounts-and-plans',
  },
  'accounts list': {
    examples: [
      ['tintype accounts list', 'List all accounts.'],
      ['tintype accounts list --json', 'List them as JSON for a script.'],
    ],
    page: 'accounts-and-plans',
  },
  'accounts set-plan': {
    examples: [
      ['tintype accounts set-plan acct_123 pro', 'Move an account to another plan.'],
      ['tintype accounts set-plan acct_123 enterprise --rate-limit 6000', 'Set its own rate limit, too.'],
    ],
    page: 'accounts-and-plans',
  },
  'accounts budget': {
    examples: [
      ['tintype accounts budget acct_123 25.00', 'Limit model calls to 25 US dollars per month.'],
      ['tintype accounts budget acct_123 default', 'Use ACCOUNT_BUDGET_USD_PER_MONTH again.'],
    ],
    page: 'accounts-and-plans',
  },
  'accounts storage': {
    examples: [
      ['tintype accounts storage acct_123 50000000000', 'Limit what the account stores to 50 GB.'],
      ['tintype accounts storage acct_123 default', 'Use ACCOUNT_STORAGE_MAX_BYTES or the number of its plan again.'],
    ],
    page: 'accounts-and-plans',
  },
  'accounts suspend': {
    examples: [
      ['tintype accounts suspend acct_123', 'Refuse its keys, and stop its executions.'],
      ['tintype accounts suspend acct_123 --json', 'Print the account as JSON for a script.'],
    ],
    page: 'accounts-and-plans',
  },
  'accounts resume': {
    examples: [
      ['tintype accounts resume acct_123', 'Accept its keys again.'],
      ['tintype accounts resume acct_123 --json', 'Print the account as JSON for a script.'],
    ],
    page: 'accounts-and-plans',
  },
  'accounts delete': {
    examples: [
      ['tintype accounts delete acct_123', 'Delete the account with all its records and files.'],
      ['tintype accounts delete acct_123 --json', 'Print what was removed as JSON for a script.'],
    ],
    page: 'accounts-and-plans',
  },
  'keys create': {
    examples: [
      ['tintype keys create', 'Create a key with all permissions.'],
      ['tintype keys create --name ci --permissions workflows:execute --expires-in 30d', 'Create a limited key.'],
      ['tintype keys create --name agent --daily-budget 2 --monthly-budget 20', 'Limit its cost for AI models.'],
      ['tintype keys create --test', 'Create a test key: executions are free and call no AI provider.'],
    ],
    page: 'authentication',
  },
  'keys list': {
    examples: [
      ['tintype keys list', 'List the keys of all accounts.'],
      ['tintype keys list --account acct_123', 'List the keys of one account.'],
    ],
    page: 'authentication',
  },
  'keys update': {
    examples: [
      ['tintype keys update key_123 --name agent --daily-budget 5', 'Let the key spend 5 US dollars per day.'],
      ['tintype keys update key_123 --name agent', 'Remove the budgets of the key.'],
    ],
    page: 'authentication',
  },
  'keys revoke': {
    examples: [
      ['tintype keys revoke key_123', 'Revoke a key.'],
      ['tintype keys revoke key_123 --json', 'Print the revoked key as JSON.'],
    ],
    page: 'authentication',
  },
  'keys rotate': {
    examples: [
      ['tintype keys rotate key_123', 'Replace a key; the old one stays valid for a day.'],
      ['tintype keys rotate key_123 --overlap 1h', 'Keep the old key valid for an hour.'],
    ],
    page: 'authentication',
  },
  'signing-keys create': {
    examples: [
      ['tintype signing-keys create --name site', 'Create a key for all workflows and images.'],
      [
        'tintype signing-keys create --workflows card,banner --budget 20',
        'Create a key for two workflows with AI models.',
      ],
    ],
    page: 'delivery-urls',
  },
  'signing-keys list': {
    examples: [
      ['tintype signing-keys list', 'List the signing keys.'],
      ['tintype signing-keys list --account acct_123', 'List those of one account.'],
    ],
    page: 'delivery-urls',
  },
  'signing-keys update': {
    examples: [
      ['tintype signing-keys update skey_123 --name site', 'Let the key sign URLs of all workflows and images.'],
      ['tintype signing-keys update skey_123 --workflows card', 'Let the key sign URLs of one workflow.'],
    ],
    page: 'delivery-urls',
  },
  'signing-keys revoke': {
    examples: [
      ['tintype signing-keys revoke skey_123', 'Reject all URLs of the key.'],
      ['tintype signing-keys revoke skey_123 --json', 'Print the revoked key as JSON.'],
    ],
    page: 'delivery-urls',
  },
  'signing-keys rotate': {
    examples: [
      ['tintype signing-keys rotate skey_123', 'Replace a key; URLs of the old one stay valid for a day.'],
      ['tintype signing-keys rotate skey_123 --overlap 30d', 'Keep its URLs valid for 30 days.'],
    ],
    page: 'delivery-urls',
  },
  'signing-keys sign': {
    examples: [
      ['tintype signing-keys sign skey_123 card@live.webp --param headline=Hello', 'Print the URL of an output.'],
      [
        'tintype signing-keys sign skey_123 img_123.webp --param w=480 --expires-in 7d',
        'Print the URL of a smaller image.',
      ],
    ],
    page: 'delivery-urls',
  },
  usage: {
    examples: [
      ['tintype usage', 'Show the usage of the current month.'],
      ['tintype usage --account acct_123 --month 2026-11', 'Show another month of one account.'],
    ],
    page: 'accounts-and-plans',
  },
  'workflows apply': {
    examples: [
      ['tintype workflows apply card.yaml', 'Save one workflow file.'],
      ['tintype workflows apply workflows/*.yaml --account acct_123', 'Save all workflow files of a folder.'],
      ['tintype workflows apply card.yaml --channel staging', 'Let executions by the channel run the saved version.'],
    ],
    page: 'versions-and-drafts',
  },
  'import-svg': {
    examples: [
      ['tintype import-svg card.svg', 'Import a design, and print the part of the workflow that each layer became.'],
      ['tintype import-svg card.svg --name "Link preview" --dry-run', 'Print the document, and save nothing.'],
    ],
    page: 'svg-templates',
  },
  'workflows export': {
    examples: [
      ['tintype workflows export wf_123 > card.yaml', 'Write a workflow to a YAML file.'],
      ['tintype workflows export wf_123 --json', 'Print it as JSON.'],
    ],
    page: 'versions-and-drafts',
  },
  'workflows run': {
    examples: [
      ['tintype workflows run wf_123', 'Execute a workflow with its default values.'],
      [
        'tintype workflows run launch-card --output card.png --follow',
        'Save the image, and print the steps meanwhile.',
      ],
      ['tintype workflows run wf_123 --param headline="Hello" --param width=1200', 'Pass parameters.'],
      ['tintype workflows run launch-card --channel live', 'Execute the version of a channel, by the slug.'],
    ],
    page: 'workflows',
  },
  'workflows slug': {
    examples: [
      ['tintype workflows slug wf_123 launch-card', 'Set the slug of a workflow.'],
      ['tintype workflows slug launch-card', 'Remove it.'],
    ],
    page: 'versions-and-drafts',
  },
  'workflows channel list': {
    examples: [
      ['tintype workflows channel list launch-card', 'Show the version of each channel.'],
      ['tintype workflows channel list wf_123 --json', 'Print the channels as JSON.'],
    ],
    page: 'versions-and-drafts',
  },
  'workflows channel set': {
    examples: [
      ['tintype workflows channel set launch-card live 3', 'Let executions by the channel live run version 3.'],
      ['tintype workflows channel set wf_123 staging 4 --json', 'Print the channel as JSON.'],
    ],
    page: 'versions-and-drafts',
  },
  'workflows channel rollback': {
    examples: [
      ['tintype workflows channel rollback launch-card live', 'Go back to the version before.'],
      ['tintype workflows channel rollback wf_123 staging --json', 'Print the channel as JSON.'],
    ],
    page: 'versions-and-drafts',
  },
  'workflows channel history': {
    examples: [
      ['tintype workflows channel history launch-card live', 'Show when the channel was moved.'],
      ['tintype workflows channel history wf_123 live --json', 'Print the moves as JSON.'],
    ],
    page: 'versions-and-drafts',
  },
  'workflows channel delete': {
    examples: [
      ['tintype workflows channel delete launch-card staging', 'Delete a channel.'],
      ['tintype workflows channel delete wf_123 staging', 'Delete a channel of a workflow by its id.'],
    ],
    page: 'versions-and-drafts',
  },
  batch: {
    examples: [
      ['tintype batch cards.csv --workflow wf_123', 'Write the images to cards-results.zip.'],
      [
        'tintype batch cards.csv --workflow link-card@live --estimate',
        'Validate the rows, and print the estimated cost.',
      ],
      [
        'tintype batch ads.csv --workflow wf_123 --max-usd 5 --format csv',
        'Limit the cost, and write a table of the results.',
      ],
    ],
    page: 'process-many-images',
  },
  types: {
    examples: [
      ['tintype types --output workflows.d.ts', 'Write the types of all workflows of the data directory.'],
      [
        'tintype types link-card --url https://images.example.com --output workflows.d.ts',
        'Write the types of a workflow of a running service.',
      ],
      ['tintype types --folder workflows --output workflows.d.ts', 'Write the types of workflow files.'],
    ],
    page: 'clients',
  },
  mcp: {
    examples: [
      ['tintype mcp', 'The command that a client starts after "tintype login".'],
      ['TINTYPE_URL=https://images.example.com TINTYPE_KEY=tt_live_... tintype mcp', 'Use this service and this key.'],
    ],
    page: 'agents',
  },
  'fonts add': {
    examples: [
      ['tintype fonts add Brand-Bold.ttf', 'Upload a font.'],
      ['tintype fonts add Brand-*.woff2 --family Brand', 'Upload several fonts as one family.'],
    ],
    page: 'text',
  },
  'fonts list': {
    examples: [
      ['tintype fonts list', 'List the fonts of the only account.'],
      ['tintype fonts list --account acct_123 --json', 'List the fonts of one account as JSON.'],
    ],
    page: 'text',
  },
  'fonts remove': {
    examples: [
      ['tintype fonts remove font_123', 'Delete a font.'],
      ['tintype fonts remove font_123 --account acct_123', 'Delete a font of one of several accounts.'],
    ],
    page: 'text',
  },
  'brand export': {
    examples: [
      ['tintype brand export > brand.yaml', 'Save the values of the account in a file.'],
      ['tintype brand export --project proj_123 --json', 'Print the values of a project as JSON.'],
    ],
    page: 'brand',
  },
  'brand apply': {
    examples: [
      ['tintype brand apply brand.yaml', 'Replace the values of the account.'],
      ['tintype brand apply client.yaml --project proj_123', 'Replace the values of a project.'],
    ],
    page: 'brand',
  },
  'webhooks create': {
    examples: [
      ['tintype webhooks create https://example.com/hook', 'Create an endpoint for all events.'],
      [
        'tintype webhooks create https://example.com/hook --events execution.completed,execution.failed',
        'Create an endpoint for executions.',
      ],
    ],
    page: 'webhooks',
  },
  'webhooks list': {
    examples: [
      ['tintype webhooks list', 'List the endpoints of the only account.'],
      ['tintype webhooks list --account acct_123 --json', 'List the endpoints of one account as JSON.'],
    ],
    page: 'webhooks',
  },
  'webhooks delete': {
    examples: [
      ['tintype webhooks delete whe_123', 'Delete an endpoint.'],
      ['tintype webhooks delete whe_123 --account acct_123', 'Delete an endpoint of one of several accounts.'],
    ],
    page: 'webhooks',
  },
  'webhooks test': {
    examples: [
      ['tintype webhooks test whe_123', 'Send a test event. The running service sends it.'],
      ['tintype webhooks test whe_123 --json', 'Print the delivery as JSON.'],
    ],
    page: 'webhooks',
  },
  'webhooks rotate': {
    examples: [
      ['tintype webhooks rotate whe_123', 'Replace the secret with an overlap of a day.'],
      ['tintype webhooks rotate whe_123 --overlap 1h', 'Replace it with an overlap of an hour.'],
    ],
    page: 'webhooks',
  },
  'webhooks deliveries': {
    examples: [
      ['tintype webhooks deliveries --status failed', 'List failed deliveries.'],
      ['tintype webhooks deliveries --endpoint whe_123 --json', 'List the deliveries to one endpoint as JSON.'],
    ],
    page: 'webhooks',
  },
  'webhooks replay': {
    examples: [
      ['tintype webhooks replay whd_123', 'Send a delivery again. The running service sends it.'],
      ['tintype webhooks replay whd_123 --json', 'Print the delivery as JSON.'],
    ],
    page: 'webhooks',
  },
  'models list': {
    examples: [
      ['tintype models list', 'List the local models and their licenses.'],
      ['tintype models list --json', 'List them as JSON.'],
    ],
    page: 'local-models',
  },
  'models add': {
    examples: [
      ['tintype models add esrgan-slim', 'Install a model.'],
      ['tintype models add birefnet-lite', 'Install a model that cuts out any subject.'],
      ['tintype models add isnet --yes', 'Install a model and accept its license.'],
      ['tintype models add --manifest my-model.yaml', 'Install your own ONNX model.'],
    ],
    page: 'local-models',
  },
  'models remove': {
    examples: [
      ['tintype models remove isnet', 'Remove a model.'],
      ['tintype models remove isnet --json', 'Print the result as JSON.'],
    ],
    page: 'local-models',
  },
  providers: {
    examples: [
      ['tintype providers', 'List the providers and their missing settings.'],
      ['tintype providers --json', 'List them with their models as JSON.'],
    ],
    page: 'providers',
  },
  verify: {
    examples: [
      ['tintype verify card.jpg', 'Show who signed an image, and whether it has changed since.'],
      ['tintype verify card.jpg --reexecute', 'Execute the recorded execution again, and compare the pixels.'],
      ['tintype verify card.jpg --json', 'Print the facts as JSON for a script.'],
    ],
    page: 'content-credentials',
  },
  test: {
    examples: [
      ['tintype test workflows', 'Compare the examples with their golden images.'],
      ['tintype test workflows --update', 'Create or replace golden images.'],
    ],
    page: 'test-workflows',
  },
  export: {
    examples: [
      ['tintype export backup.tar.zst', 'Write all data to a compressed archive.'],
      ['tintype export - | ssh backup "cat > tintype.tar"', 'Send the archive to another machine.'],
    ],
    page: 'backup',
  },
  import: {
    examples: [
      ['DATA_DIR=/tmp/restored tintype import backup.tar.zst', 'Restore an archive to an empty folder.'],
      ['tintype import - < backup.tar', 'Read the archive from standard input.'],
    ],
    page: 'backup',
  },
  diff: {
    examples: [
      ['tintype diff old/card.yaml new/card.yaml --report diff.html', 'Compare two files in a report.'],
      ['tintype diff wf_123@live wf_123@2 --fail-above 0.5', 'Fail if more than 0.5 % of the pixels differ.'],
    ],
    page: 'test-workflows',
  },
}
