// Derived from docs/openapi.json by `npm run derive`: do not edit.

export interface paths {
    "/workflows/execute": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Execute a saved workflow
         * @description Executes the newest version, or the version in `version` or of the channel in `channel`. Synchronous by default: returns 200 with the output. If the execution takes longer than the service waits, returns 202 and the execution continues: poll it. With `async: true`, returns 202 as soon as the execution is stored.
         *
         *     Required permission: `workflows:execute`.
         */
        post: operations["workflows.execute"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/workflows/executions/{executionId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get an execution
         * @description Poll while `status` is `pending` or `running`. A failed execution has `error`, with the fields of an error response.
         *
         *     Required permission: `workflows:read` or `workflows:execute`.
         */
        get: operations["executions.get"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/workflows/executions/{executionId}/document": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the document that an execution runs
         * @description Returns the version of the workflow. For an execution of a draft: the executed part of the draft, as it was when the execution was created. It stays available after the workflow is changed or deleted.
         *
         *     Required permission: `workflows:read`.
         */
        get: operations["executions.getDocument"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/workflows/executions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List executions, newest first
         * @description Required permission: `workflows:read` or `workflows:execute`.
         */
        get: operations["executions.list"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/workflows/executions/{executionId}/steps": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the steps of an execution
         * @description Required permission: `workflows:read` or `workflows:execute`.
         */
        get: operations["executions.steps"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/workflows/executions/{executionId}/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Stream the events of an execution (server-sent events)
         * @description The first event is a `snapshot` with the current state of the execution and its steps. `step` and `execution` events follow with each change. The stream ends after the execution. Events are numbered from 1. To resume a stream, send the number of the last event that you received: you get each later event once. 0 returns all events. Events are removed some days after the end of the execution: a `snapshot` takes their place. A stream may end before the execution, so reconnect in the same way.
         *
         *     Required permission: `workflows:read` or `workflows:execute`.
         */
        get: operations["executions.events"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/workflows/executions/{executionId}/steps/{node}/preview": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the preview of a step
         * @description Returns a WebP image of at most 512 x 512 pixels. Available for executions that were started with `previews: true`. Shows the first image of a list and the first frame of an animation. A preview is kept for some days after it was last requested.
         *
         *     Required permission: `workflows:read` or `workflows:execute`.
         */
        get: operations["executions.stepPreview"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/workflows/executions/{executionId}/cancel": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Cancel an execution
         * @description The execution fails with reason `cancelled`. An execution that has ended is returned unchanged.
         *
         *     Required permission: `workflows:execute`.
         */
        post: operations["executions.cancel"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/workflows/executions/{executionId}/resume": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Resume a failed execution
         * @description Creates a new execution of the same version of the workflow. It reuses the finished steps of the failed execution, which are kept for a week. `resumedFrom` is the id of the failed execution. Parameters in the request replace the previous values, and steps that depend on them run again. Responds like `POST /workflows/execute`.
         *
         *     Required permission: `workflows:execute`.
         */
        post: operations["executions.resume"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/batches": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List batches, newest first
         * @description Required permission: `workflows:read` or `workflows:execute`.
         */
        get: operations["batches.list"];
        put?: never;
        /**
         * Create a batch
         * @description A batch executes one workflow for many rows of parameters. Create it, upload the rows with `PUT /batches/{batchId}/items`, then start it. All rows run one version, also if the workflow or the channel changes later.
         *
         *     Required permission: `workflows:execute`.
         */
        post: operations["batches.create"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/batches/{batchId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a batch and its progress
         * @description Required permission: `workflows:read` or `workflows:execute`.
         */
        get: operations["batches.get"];
        put?: never;
        post?: never;
        /**
         * Delete a batch
         * @description Deletes the batch and its rows. Its executions and their images are kept. Cancel a batch that has not ended first.
         *
         *     Required permission: `workflows:execute`.
         */
        delete: operations["batches.delete"];
        options?: never;
        head?: never;
        /**
         * Change the name or the budget of a batch
         * @description The new budget applies from the next model call. Resume a batch that was paused by its budget.
         *
         *     Required permission: `workflows:execute`.
         */
        patch: operations["batches.update"];
        trace?: never;
    };
    "/batches/{batchId}/items": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the rows of a batch, in the order of the file
         * @description Required permission: `workflows:read` or `workflows:execute`.
         */
        get: operations["batches.items"];
        /**
         * Upload the rows of a batch, as CSV or NDJSON
         * @description Replaces all rows of a batch that was not started. Each row is validated in the same way as the parameters of an execution: if one is invalid, the batch keeps its former rows, and `details.issues` lists the first 100 issues with their `line`, `details.issueCount` their number (the rest of a file with 1000 issues is not read). At most 100000 rows and 67108864 bytes, in UTF-8.
         *
         *     Required permission: `workflows:execute`.
         */
        put: operations["batches.upload"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/batches/{batchId}/items/{key}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a row of a batch
         * @description Required permission: `workflows:read` or `workflows:execute`.
         */
        get: operations["batches.item"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Change parameters of a row
         * @description For rows that failed or were cancelled, and for all rows of a batch that was not started. Parameters that are not in the request stay; null removes a value, so that the default applies. A failed row runs again only after `POST /batches/{batchId}/retry`.
         *
         *     Required permission: `workflows:execute`.
         */
        patch: operations["batches.updateItem"];
        trace?: never;
    };
    "/batches/{batchId}/estimate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Estimate the cost and the duration of a batch
         * @description A dry run of some rows: plans them without executing anything. Results that are in the step cache are free.
         *
         *     Required permission: `workflows:read` or `workflows:execute`.
         */
        get: operations["batches.estimate"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/batches/{batchId}/start": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Start a batch
         * @description The rows become executions, which start after the other executions of the account. Returns the estimate of the cost; get it before the start with `GET /batches/{batchId}/estimate`.
         *
         *     Required permission: `workflows:execute`.
         */
        post: operations["batches.start"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/batches/{batchId}/pause": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Pause a batch
         * @description Rows that have an execution are completed; no other row starts.
         *
         *     Required permission: `workflows:execute`.
         */
        post: operations["batches.pause"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/batches/{batchId}/resume": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Resume a paused batch
         * @description Continues with the rows that have not ended.
         *
         *     Required permission: `workflows:execute`.
         */
        post: operations["batches.resume"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/batches/{batchId}/cancel": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Cancel a batch
         * @description Cancels its executions, and all rows that have not ended. A cancelled batch can't continue.
         *
         *     Required permission: `workflows:execute`.
         */
        post: operations["batches.cancel"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/batches/{batchId}/retry": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Retry rows that failed or were cancelled
         * @description Each of these rows gets a new execution, which resumes the failed one: completed steps do not run again. A completed batch continues; a paused one stays paused. With an empty body `{}`, all of these rows are retried.
         *
         *     Required permission: `workflows:execute`.
         */
        post: operations["batches.retry"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/batches/{batchId}/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Stream the progress of a batch (server-sent events)
         * @description The first event is a `batch` event with the current state. Another one follows with each change, at most once per second, and an `item` event with each row that ends. The stream ends after the batch has ended. To resume a stream, send the number of the last event that you received: rows that ended since then come first. Rows can come twice.
         *
         *     Required permission: `workflows:read` or `workflows:execute`.
         */
        get: operations["batches.events"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/batches/{batchId}/results": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the ZIP files of a batch
         * @description A batch with more images than a ZIP file can have is downloaded in parts: request `results.zip` with `fromRow` and `toRow` of each part.
         *
         *     Required permission: `workflows:read` or `workflows:execute`.
         */
        get: operations["batches.results"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/batches/{batchId}/results.csv": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Download the results of a batch as CSV
         * @description One line for each row: key, status, execution, image, the reason and the message of a failure, and the parameters. A cell that a spreadsheet could run as a formula (it starts with `=`, `+`, `-`, `@`, a tab or a carriage return) has an apostrophe in front. Rows that have not ended have no result yet.
         *
         *     Required permission: `workflows:read` or `workflows:execute`.
         */
        get: operations["batches.resultsCsv"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/batches/{batchId}/results.ndjson": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Download the results of a batch as NDJSON
         * @description One JSON object on each line, as `GET /batches/{batchId}/items` returns it.
         *
         *     Required permission: `workflows:read` or `workflows:execute`.
         */
        get: operations["batches.resultsNdjson"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/batches/{batchId}/results.zip": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Download the images of a batch as a ZIP file
         * @description The images of all completed rows, named by their keys, and `results.csv`. The file is made while it is sent, so its size is not known in advance. Images that were deleted are not in it. A ZIP file has at most 100000 images: download a larger batch in parts, with `fromRow` and `toRow`. `GET /batches/{batchId}/results` lists them.
         *
         *     Required permission: `workflows:read` or `workflows:execute`.
         */
        get: operations["batches.resultsZip"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/workflows": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List workflows, newest first
         * @description Required permission: `workflows:read`.
         */
        get: operations["workflows.list"];
        put?: never;
        /**
         * Create a workflow
         * @description The body is the workflow document, with the optional additional fields `projectId` (default: the project "Default") and `slug`. An account can have 10000 workflows.
         *
         *     Required permission: `workflows:write`.
         */
        post: operations["workflows.create"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/workflows/validate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Validate a workflow document without saving or executing it
         * @description The body is a document, or `{ "document": ..., "parameters": ... }` to validate parameter values as well. Returns all issues and the plan of an execution. With `workflowId` and `variations`, the plan is that of an execution of the draft with these `variations`. With `workflowId` and without a document, validates the saved version that the same request to execute would run: the newest, or the version in `version` or of the channel in `channel`.
         *
         *     Required permission: `workflows:read` or `workflows:write`.
         */
        post: operations["workflows.validate"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/workflows/{workflowId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a workflow and its parameters
         * @description With `version` or `channel`, name, description, parameters and `version` are those of that version.
         *
         *     Required permission: `workflows:read`.
         */
        get: operations["workflows.get"];
        /**
         * Update a workflow
         * @description Saves a new version if the document differs. Running executions keep their version. With `If-Match`, the request is rejected if the workflow was saved in the meantime. With `compare=true`, nothing is saved: the examples of the workflow are executed with the current and the new document, and the response contains the differences. This also requires the permission `workflows:execute`.
         *
         *     Required permission: `workflows:write`.
         */
        put: operations["workflows.replace"];
        post?: never;
        /**
         * Delete a workflow
         * @description Executions of the workflow and their outputs are kept. Rejected as long as other workflows use it in a node of the type `workflow`; the message names them.
         *
         *     Required permission: `workflows:write`.
         */
        delete: operations["workflows.delete"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/workflows/{workflowId}/document": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the document of a workflow
         * @description Returns the newest version, or the version in `version` or of the channel in `channel`.
         *
         *     Required permission: `workflows:read`.
         */
        get: operations["workflows.getDocument"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/workflows/{workflowId}/versions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the versions of a workflow, newest first
         * @description Required permission: `workflows:read`.
         */
        get: operations["workflows.listVersions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/workflows/{workflowId}/slug": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Set the slug of a workflow
         * @description The slug is a name that you can use in place of the id to execute the workflow. It belongs to the workflow, not to a version. The former slug is free for other workflows immediately.
         *
         *     Required permission: `workflows:write`.
         */
        put: operations["workflows.setSlug"];
        post?: never;
        /**
         * Remove the slug of a workflow
         * @description Requests with the slug return 404 afterwards. Repeated requests return the same response.
         *
         *     Required permission: `workflows:write`.
         */
        delete: operations["workflows.deleteSlug"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/workflows/{workflowId}/channels": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the channels of a workflow, by name
         * @description A workflow has at most 20 channels, so there is one page.
         *
         *     Required permission: `workflows:read`.
         */
        get: operations["channels.list"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/workflows/{workflowId}/channels/{name}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a channel
         * @description Required permission: `workflows:read`.
         */
        get: operations["channels.get"];
        /**
         * Point a channel to a version
         * @description Creates the channel if it is missing. Once the response is sent, every new execution by this channel runs the version, in all processes. Running executions keep their version. The move is recorded with its key and time. With `If-Match`, the request is rejected if the channel was moved in the meantime.
         *
         *     Required permission: `workflows:write`.
         */
        put: operations["channels.move"];
        post?: never;
        /**
         * Delete a channel
         * @description Requests by this channel are rejected afterwards. Its moves can still be listed.
         *
         *     Required permission: `workflows:write`.
         */
        delete: operations["channels.delete"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/workflows/{workflowId}/channels/{name}/rollback": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Roll a channel back
         * @description Points the channel to the version before its last move, immediately and in all processes. Repeated rollbacks go back further. The move is recorded with its key and time. With `If-Match`, the request is rejected if the channel was moved in the meantime, so that a repeated request does not go back twice.
         *
         *     Required permission: `workflows:write`.
         */
        post: operations["channels.rollBack"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/workflows/{workflowId}/channels/{name}/moves": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the moves of a channel, newest first
         * @description Includes rollbacks and the deletion of the channel. The newest 1000 moves are kept, and of all channels of a workflow together the newest 20000.
         *
         *     Required permission: `workflows:read`.
         */
        get: operations["channels.listMoves"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/workflows/drafts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List drafts, newest first
         * @description Lists drafts of published and unpublished workflows.
         *
         *     Required permission: `workflows:read`.
         */
        get: operations["drafts.list"];
        put?: never;
        /**
         * Create a draft of a new workflow
         * @description Reserves an id for the workflow. The workflow does not exist until you publish the draft. The document is validated when you publish it. An account can have 10000 drafts.
         *
         *     Required permission: `workflows:write`.
         */
        post: operations["drafts.create"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/workflows/{workflowId}/draft": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a draft
         * @description Required permission: `workflows:read`.
         */
        get: operations["drafts.get"];
        /**
         * Save a draft
         * @description Only the size of the document is checked. If the workflow has no draft, a draft of its newest version is created. With `If-Match`, the request is rejected if the draft was saved, published or deleted in the meantime.
         *
         *     Required permission: `workflows:write`.
         */
        put: operations["drafts.save"];
        post?: never;
        /**
         * Delete a draft
         * @description Deletes the draft only. The published workflow, executions of the draft and their outputs are kept.
         *
         *     Required permission: `workflows:write`.
         */
        delete: operations["drafts.delete"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/workflows/{workflowId}/draft/publish": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Publish a draft as the next version of its workflow
         * @description Validates the document, saves it as a new version and deletes the draft. A draft that equals the newest version creates no new version. Rejected if the workflow was saved after the draft was created, unless `overwrite` is true. With `If-Match`, also rejected if the draft was saved in the meantime.
         *
         *     Required permission: `workflows:write`.
         */
        post: operations["drafts.publish"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/workflows/{workflowId}/draft/execute": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Execute a draft
         * @description Executes the current draft, and stores a copy of the document with the execution. If the workflow has no draft, executes its newest version. Only the nodes that the output needs are validated and executed, or those that `node` needs. Responds like `POST /workflows/execute`.
         *
         *     Required permission: `workflows:execute`.
         */
        post: operations["drafts.execute"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/storage/upload": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Upload an image
         * @description Accepts PNG, JPEG, WebP, AVIF, GIF, TIFF, SVG, PDF and PSD (also PSB). The format is detected from the content. The image is fully decoded to validate it; of a PDF, the first page.
         *
         *     Required permission: `storage:write`.
         */
        post: operations["images.upload"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/storage/images": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List images, newest first
         * @description Required permission: `storage:read`.
         */
        get: operations["images.list"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/storage/images/{imageId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get an image
         * @description Required permission: `storage:read`.
         */
        get: operations["images.get"];
        /**
         * Make an image private or public
         * @description The URLs of a private image require a signature that expires. Responses of the API have such URLs, and a signing key makes others. Takes effect immediately. Copies in browsers and CDNs stay until they expire. An image of a private project stays private.
         *
         *     Required permission: `storage:write`.
         */
        put: operations["images.update"];
        post?: never;
        /**
         * Delete an image
         * @description The URL of the image returns 404 afterwards, and executions of workflows that use it fail. `GET /storage/images/{imageId}/uses` lists these workflows, and the brands that use it.
         *
         *     Required permission: `storage:write`.
         */
        delete: operations["images.delete"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/storage/images/{imageId}/uses": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List workflows and brands that use an image
         * @description Returns the workflows whose newest version or draft contains the id of the image: the newest workflows first, then drafts; and the brands with this image. Check it before you delete an image: executions of these workflows, and of those that read the brand value, fail without it. Earlier versions, and values that callers pass as parameters, are not searched.
         *
         *     Required permission: `workflows:read`.
         */
        get: operations["images.uses"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/images/{file}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Download an image
         * @description Anyone who has the URL can download the image. The id cannot be guessed. The URL of a private image requires a signature, as responses of the API have it.
         *
         *     No API key required.
         */
        get: operations["images.content"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/images/{imageId}/thumbnail": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the thumbnail of an image
         * @description Returns a WebP image of at most 512 x 512 pixels for lists and galleries, for every format: an SVG is drawn, an animation shows its first frame. Other images that are smaller keep their size. Public like the image: anyone who has the id can request it. For a private image, use its `thumbnailUrl`. The first request renders the thumbnail, and it is stored for some days after the last one.
         *
         *     No API key required.
         */
        get: operations["images.thumbnail"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/i/{file}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the output of a workflow, or another size of an image, by a signed URL
         * @description For `<img src>` and CDNs. `{file}` is `<slug>.<ext>`, `<slug>@<version>.<ext>` or `<slug>@<channel>.<ext>` of a workflow whose document allows it with `delivery`, or `<image id>.<ext>`. The extension is the format: png, jpg, webp, avif, gif or tiff, or `auto` for the best format that the client accepts. The query has the parameters of the workflow, or `w`, `h`, `fit`, `dpr` and `q` of an image, and `exp` (Unix seconds), `kid` (the id of a signing key) and `sig` (an HMAC-SHA-256). `/guide/delivery-urls` has the form that is signed, and signers in several languages. The first request executes the workflow, and all later ones get the stored file. At most 8192 characters.
         *
         *     No API key required.
         */
        get: operations["delivery.get"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/verify": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Verify the Content Credentials of a file
         * @description Reports who signed the file (C2PA), whether it has changed since, how it was made, and the same of each ingredient. Nothing is stored, and no request is sent to an address that the file names. With `reexecute=true`, the recorded execution of an output runs again without the cache, as far as it depends on no AI model, and its pixels are compared. This also requires the permission `workflows:execute`.
         *
         *     Required permission: `storage:read`.
         */
        post: operations["credentials.verify"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/fonts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List fonts, newest first
         * @description Required permission: `storage:read`.
         */
        get: operations["fonts.list"];
        put?: never;
        /**
         * Upload a font
         * @description Accepts TTF, OTF and WOFF2. The format is detected from the content. Upload one file for each weight and style, or one variable font. Every character is rendered once to validate the font. Workflows refer to a font by its family or id.
         *
         *     Required permission: `storage:write`.
         */
        post: operations["fonts.upload"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/fonts/{fontId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a font
         * @description Required permission: `storage:read`.
         */
        get: operations["fonts.get"];
        put?: never;
        post?: never;
        /**
         * Delete a font
         * @description Executions that use the font fail afterwards. Existing images are kept.
         *
         *     Required permission: `storage:write`.
         */
        delete: operations["fonts.delete"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/projects": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List projects, newest first
         * @description Required permission: `projects:read`.
         */
        get: operations["projects.list"];
        put?: never;
        /**
         * Create a project
         * @description A project can't be deleted. An account can have 10000 projects.
         *
         *     Required permission: `projects:write`.
         */
        post: operations["projects.create"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/projects/{projectId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a project
         * @description Required permission: `projects:read`.
         */
        get: operations["projects.get"];
        /**
         * Update a project
         * @description Fields that the request omits stay as they are. If `private` changes, that takes effect immediately for all images of the project.
         *
         *     Required permission: `projects:write`.
         */
        put: operations["projects.update"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/brand": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the brand values of the account
         * @description Required permission: `workflows:read`.
         */
        get: operations["brands.get"];
        /**
         * Replace the brand values of the account
         * @description Templates of all workflows read the values, as in `{{ brand.primary }}`. New executions use them; executions that were accepted before keep their values. With `If-Match`, the request is rejected if the brand was saved in the meantime.
         *
         *     Required permission: `workflows:write`.
         */
        put: operations["brands.replace"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/projects/{projectId}/brand": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the brand values of a project
         * @description Its own values, and those of the account that apply to it as well.
         *
         *     Required permission: `workflows:read`.
         */
        get: operations["brands.getOfProject"];
        /**
         * Replace the brand values of a project
         * @description For workflows of the project, a value replaces the value of the account with the same name. With `If-Match`, the request is rejected if the brand of the project was saved in the meantime.
         *
         *     Required permission: `workflows:write`.
         */
        put: operations["brands.replaceOfProject"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operations": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List operations, with the JSON Schema of their params
         * @description Any API key.
         */
        get: operations["operations.list"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/providers": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List AI providers and their models
         * @description Includes providers that are not configured, with the settings that enable them. `local` runs models in the service, without a key. Prices are estimates: the bill of the provider may differ.
         *
         *     Required permission: `workflows:read`.
         */
        get: operations["providers.list"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/usage": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the usage of the account and the cost of its AI model calls
         * @description Sums by month, day, workflow, key and model. A call counts on the day (UTC) on which it ended. Lists of workflows, keys and models contain the 1000 with the highest cost. Cached results cost nothing and do not count as calls.
         *
         *     Required permission: `workflows:read`.
         */
        get: operations["usage.get"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/keys": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List API keys, newest first
         * @description Includes revoked and expired keys of the last 30 days, at most the newest 1000.
         *
         *     Required permission: `all`.
         */
        get: operations["keys.list"];
        put?: never;
        /**
         * Create an API key
         * @description The response is the only one with the full key. An account can have at most 100 valid keys. A key cannot expire later than the key that creates it.
         *
         *     Required permission: `all`.
         */
        post: operations["keys.create"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/keys/{keyId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get an API key
         * @description Also a revoked or expired key. The full key is not stored.
         *
         *     Required permission: `all`.
         */
        get: operations["keys.get"];
        put?: never;
        post?: never;
        /**
         * Revoke an API key
         * @description Takes effect immediately and cannot be undone. Repeated requests return the same response. A key can revoke itself. If no key with the permission `all` is left, only the operator can create one.
         *
         *     Required permission: `all`.
         */
        delete: operations["keys.revoke"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/keys/{keyId}/rotate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Rotate an API key
         * @description Creates a key with the same name, permissions and expiry. The response is the only one with the full key. The old key is revoked after `overlapSeconds`. Rejected if the new key would expire later than the key of the request.
         *
         *     Required permission: `all`.
         */
        post: operations["keys.rotate"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/webhook-endpoints": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List webhook endpoints, newest first
         * @description Required permission: `webhooks:read`.
         */
        get: operations["webhookEndpoints.list"];
        put?: never;
        /**
         * Create a webhook endpoint
         * @description Events of the account are sent to the URL as signed POST requests (Standard Webhooks 1.0). An account can have 20 endpoints.
         *
         *     Required permission: `webhooks:write`.
         */
        post: operations["webhookEndpoints.create"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/webhook-endpoints/{endpointId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a webhook endpoint
         * @description Required permission: `webhooks:read`.
         */
        get: operations["webhookEndpoints.get"];
        /**
         * Update a webhook endpoint
         * @description Replaces all settings: a field that is omitted gets its default. Deliveries that wait are sent to the new URL. An endpoint that is disabled gets no events, and its waiting deliveries fail.
         *
         *     Required permission: `webhooks:write`.
         */
        put: operations["webhookEndpoints.replace"];
        post?: never;
        /**
         * Delete a webhook endpoint
         * @description Its waiting deliveries fail. Its deliveries stay in the log for some days.
         *
         *     Required permission: `webhooks:write`.
         */
        delete: operations["webhookEndpoints.delete"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/webhook-endpoints/{endpointId}/secret": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the secret of a webhook endpoint
         * @description Required permission: `webhooks:write`.
         */
        get: operations["webhookEndpoints.getSecret"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/webhook-endpoints/{endpointId}/secret/rotate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Rotate the secret of a webhook endpoint
         * @description For `overlapSeconds`, webhooks have signatures of both secrets, so that the receiver can change its secret at any time.
         *
         *     Required permission: `webhooks:write`.
         */
        post: operations["webhookEndpoints.rotateSecret"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/webhook-endpoints/{endpointId}/test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send a test event to a webhook endpoint
         * @description Sends an event of the type `webhook.test`. `GET /webhook-deliveries/{deliveryId}` has the response of the receiver.
         *
         *     Required permission: `webhooks:write`.
         */
        post: operations["webhookEndpoints.test"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/webhook-secret": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the secret for webhook URLs of executions
         * @description Signs the webhooks to the `webhookUrl` of an execution. Each webhook endpoint has its own secret.
         *
         *     Required permission: `webhooks:write`.
         */
        get: operations["webhookSecret.get"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/webhook-secret/rotate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Rotate the secret for webhook URLs of executions
         * @description For `overlapSeconds`, webhooks have signatures of both secrets.
         *
         *     Required permission: `webhooks:write`.
         */
        post: operations["webhookSecret.rotate"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/webhook-deliveries": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List webhook deliveries, newest first
         * @description Ended deliveries stay in the log for some days.
         *
         *     Required permission: `webhooks:read`.
         */
        get: operations["webhookDeliveries.list"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/webhook-deliveries/{deliveryId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a webhook delivery, with its body and attempts
         * @description Required permission: `webhooks:read`.
         */
        get: operations["webhookDeliveries.get"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/webhook-deliveries/{deliveryId}/replay": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send a webhook delivery again
         * @description Sends the same body with the same `webhook-id`, with a new series of attempts. A delivery that is pending is returned unchanged.
         *
         *     Required permission: `webhooks:write`.
         */
        post: operations["webhookDeliveries.replay"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/signing-keys": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List signing keys, newest first
         * @description Includes revoked and expired keys of the last 30 days, at most the newest 1000.
         *
         *     Required permission: `all`.
         */
        get: operations["signingKeys.list"];
        put?: never;
        /**
         * Create a signing key
         * @description A signing key signs delivery URLs and URLs of images. It can't send requests to the API. Only the responses that create or rotate a key have its secret. An account can have at most 100 valid signing keys.
         *
         *     Required permission: `all`.
         */
        post: operations["signingKeys.create"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/signing-keys/{keyId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a signing key
         * @description Without the secret. Also a revoked or expired key.
         *
         *     Required permission: `all`.
         */
        get: operations["signingKeys.get"];
        /**
         * Update a signing key
         * @description Replaces all settings: a setting that the request omits gets its default. The secret, the expiry and signed URLs stay as they are. Takes effect immediately.
         *
         *     Required permission: `all`.
         */
        put: operations["signingKeys.update"];
        post?: never;
        /**
         * Revoke a signing key
         * @description All URLs with the key are rejected immediately. Copies in browsers and CDNs stay until they expire. Cannot be undone. Repeated requests return the same response.
         *
         *     Required permission: `all`.
         */
        delete: operations["signingKeys.revoke"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/signing-keys/{keyId}/rotate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Rotate a signing key
         * @description Creates a key with the same settings and expiry. Both keys share one budget. The response has the new secret. URLs with the old key are rejected after `overlapSeconds`. Files that exist are used for URLs of both keys, so caches stay warm.
         *
         *     Required permission: `all`.
         */
        post: operations["signingKeys.rotate"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/signing-keys/{keyId}/urls": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Sign a delivery URL
         * @description For trying delivery URLs, and for clients without the secret. A URL that would be rejected is not signed: the response says why, which a response to the URL itself does not. It executes nothing. `/guide/delivery-urls` has signers for several languages, which need no request.
         *
         *     Required permission: `all`.
         */
        post: operations["signingKeys.sign"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/session": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the account and permissions of the key
         * @description Any API key.
         */
        get: operations["session.get"];
        put?: never;
        /**
         * Sign in to the console
         * @description Sets the cookie `tintype_session`, which authenticates requests of the console. The session has the permissions of the key and ends when the key is revoked or expires. Other clients send the key in the `Authorization` header.
         *
         *     No API key required.
         */
        post: operations["session.create"];
        /**
         * Sign out of the console
         * @description Ends the session of the cookie, if there is one, and deletes the cookie. The key remains valid.
         *
         *     No API key required.
         */
        delete: operations["session.delete"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/openapi.json": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the OpenAPI 3.1 document
         * @description No API key required.
         */
        get: operations["service.openapi"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/docs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Open the API reference
         * @description No API key required.
         */
        get: operations["service.docs"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/docs/{file}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a file of the API reference
         * @description No API key required.
         */
        get: operations["service.docsFile"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/health/live": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Check that the process is running
         * @description No API key required.
         */
        get: operations["service.live"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/health/ready": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Check that the service is ready: the database and the image storage can be read and written
         * @description No API key required.
         */
        get: operations["service.ready"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/.well-known/security.txt": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the security contact (RFC 9116)
         * @description Available if the operator has set `SECURITY_CONTACT`.
         *
         *     No API key required.
         */
        get: operations["service.securityTxt"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export interface webhooks {
    "execution.completed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * An execution of a published workflow completed.
         * @description Sent to webhook endpoints, signed as Standard Webhooks 1.0 describes. Respond with 2xx within 15 seconds. Other responses are retried for three days, and 410 disables the endpoint.
         */
        post: operations["webhooks.executionCompleted"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "execution.failed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * An execution of a published workflow failed, or was cancelled.
         * @description Sent to webhook endpoints, signed as Standard Webhooks 1.0 describes. Respond with 2xx within 15 seconds. Other responses are retried for three days, and 410 disables the endpoint.
         */
        post: operations["webhooks.executionFailed"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "batch.completed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * All rows of a batch have ended. Again after a retry.
         * @description Sent to webhook endpoints, signed as Standard Webhooks 1.0 describes. Respond with 2xx within 15 seconds. Other responses are retried for three days, and 410 disables the endpoint.
         */
        post: operations["webhooks.batchCompleted"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "workflow.published": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A new version of a workflow was saved or published.
         * @description Sent to webhook endpoints, signed as Standard Webhooks 1.0 describes. Respond with 2xx within 15 seconds. Other responses are retried for three days, and 410 disables the endpoint.
         */
        post: operations["webhooks.workflowPublished"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "budget.reached": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * The account has spent 80 % or 100 % of its budget of the month. Once per month for each.
         * @description Sent to webhook endpoints, signed as Standard Webhooks 1.0 describes. Respond with 2xx within 15 seconds. Other responses are retried for three days, and 410 disables the endpoint.
         */
        post: operations["webhooks.budgetReached"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "key.expiring": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * An API key expires in 7 days.
         * @description Sent to webhook endpoints, signed as Standard Webhooks 1.0 describes. Respond with 2xx within 15 seconds. Other responses are retried for three days, and 410 disables the endpoint.
         */
        post: operations["webhooks.keyExpiring"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "webhook.disabled": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Another webhook endpoint of the account was disabled after failures.
         * @description Sent to webhook endpoints, signed as Standard Webhooks 1.0 describes. Respond with 2xx within 15 seconds. Other responses are retried for three days, and 410 disables the endpoint.
         */
        post: operations["webhooks.webhookDisabled"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "webhook.test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A test of an endpoint: `POST /webhook-endpoints/{endpointId}/test`.
         * @description Sent to webhook endpoints, signed as Standard Webhooks 1.0 describes. Respond with 2xx within 15 seconds. Other responses are retried for three days, and 410 disables the endpoint.
         */
        post: operations["webhooks.webhookTest"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export interface components {
    schemas: {
        /**
         * @example {
         *       "executionId": "exec_06h15xnfhg00ww4d3x48s1b7wznh",
         *       "status": "pending"
         *     }
         */
        AcceptedExecution: {
            executionId: string;
            /** @enum {string} */
            status: "pending" | "running";
        };
        /** @description Activity of the entire account. Requests count on the day (UTC) of the response, executions on the day on which they ended. Absent if `workflowId` or `keyId` is set. The number of requests may be some seconds behind. */
        Activity: {
            totals: components["schemas"]["ActivityTotals"];
            /** @description All days of the range, oldest first. */
            days: components["schemas"]["ActivityDay"][];
        };
        ActivityDay: {
            day: string;
            /** @description Number of requests with a key of the account. */
            requests: number;
            /** @description Number of requests with status 4xx or 503. */
            refused: number;
            /** @description Number of executions that ended: `completed` plus `failed`. */
            executions: number;
            completed: number;
            failed: number;
            /** @description Number of failed executions by `details.reason`, most frequent first. */
            failures: components["schemas"]["FailureCount"][];
            /** @description Milliseconds from the accepted request to the stored output of completed executions, accurate to 1 %. Null if none completed. */
            duration: components["schemas"]["Durations"] | null;
        };
        ActivityTotals: {
            /** @description Number of requests with a key of the account. */
            requests: number;
            /** @description Number of requests with status 4xx or 503. */
            refused: number;
            /** @description Number of executions that ended: `completed` plus `failed`. */
            executions: number;
            completed: number;
            failed: number;
            /** @description Number of failed executions by `details.reason`, most frequent first. */
            failures: components["schemas"]["FailureCount"][];
            /** @description Milliseconds from the accepted request to the stored output of completed executions, accurate to 1 %. Null if none completed. */
            duration: components["schemas"]["Durations"] | null;
        };
        ApiKey: {
            id: string;
            name: string;
            /** @description The first 12 characters of the key. */
            prefix: string;
            permissions: ("workflows:read" | "workflows:execute" | "workflows:write" | "storage:read" | "storage:write" | "projects:read" | "projects:write" | "webhooks:read" | "webhooks:write" | "all")[];
            /**
             * Format: date-time
             * @description ISO 8601, UTC.
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description ISO 8601, UTC.
             */
            expiresAt?: string;
            /**
             * Format: date-time
             * @description ISO 8601, UTC. In the future if the key was rotated and is still active.
             */
            revokedAt?: string;
            /**
             * Format: date-time
             * @description ISO 8601, UTC. Updated at most once a minute.
             */
            lastUsedAt?: string;
            /** @description Whether this request used the key. */
            current: boolean;
        };
        ApiKeyPage: {
            keys: components["schemas"]["ApiKey"][];
            /** @description Total number of matching results. */
            total: number;
            /** @description Whether more results follow this page. */
            hasMore: boolean;
        };
        Batch: {
            id: string;
            name: string;
            /**
             * @description `created`: rows can be uploaded. `completed`: every row has ended, completed or failed. `cancelled`: rows that had not ended are cancelled.
             * @enum {string}
             */
            status: "created" | "running" | "paused" | "completed" | "cancelled";
            /**
             * @description Why it is paused. `budget`: a model call could have exceeded `maxUsd`. Increase it, then resume the batch. `storage`: the account stores its maximum. Delete images, then resume the batch.
             * @enum {string}
             */
            pauseReason?: "requested" | "budget" | "storage";
            /** @description Whether rows are being uploaded. */
            uploading: boolean;
            workflowId: string;
            /** @description The version that all rows run, chosen when the batch was created. */
            workflowVersion: number;
            /** @description Parameters of every row without its own value. */
            defaults: {
                [key: string]: unknown;
            };
            /** @description The brand values that the workflow reads, as they were when the request was accepted. Absent if it reads none. */
            brand?: {
                [key: string]: string;
            };
            /** @description The limit of the cost of AI model calls. */
            maxUsd?: number;
            counts: components["schemas"]["BatchCounts"];
            cost?: components["schemas"]["ExecutionCost"];
            /**
             * Format: date-time
             * @description ISO 8601, UTC.
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description ISO 8601, UTC.
             */
            startedAt?: string;
            /**
             * Format: date-time
             * @description ISO 8601, UTC.
             */
            completedAt?: string;
            /**
             * Format: date-time
             * @description When the last row will have ended, at the rate since the batch was started or continued. Absent until a row has ended.
             */
            expectedCompletionAt?: string;
        };
        BatchCompletedWebhook: {
            /** @enum {string} */
            type: "batch.completed";
            /**
             * Format: date-time
             * @description Time of the event, ISO 8601, UTC.
             */
            timestamp: string;
            data: components["schemas"]["EndedBatch"];
        };
        /** @description Number of rows by status. */
        BatchCounts: {
            /** @description Number of rows. */
            total: number;
            pending: number;
            running: number;
            completed: number;
            failed: number;
            cancelled: number;
        };
        BatchEstimate: {
            /** @description Number of rows that have not ended. */
            rows: number;
            /** @description Number of rows that were planned for the estimate, at most 50, evenly spaced. */
            sampledRows: number;
            /** @description Estimated cost of AI model calls in US dollars. Null if a price is unknown. */
            cost: components["schemas"]["CostRange"] | null;
            /** @description Milliseconds until the last row ends, if nothing else runs. Null if an operation of the workflow has not run yet. */
            expectedDuration: number | null;
        };
        /** @description Each event of the stream has `id`, `event` and `data` (one line of JSON). This is the data: of `batch` or `item`. The stream starts with `retry`, and comments keep it alive. */
        BatchEvent: components["schemas"]["Batch"] | components["schemas"]["BatchItem"];
        BatchItem: {
            /** @description Identifies the row in the batch. */
            key: string;
            /** @description Number of the row in the file, from 1. */
            row: number;
            /** @enum {string} */
            status: "pending" | "running" | "completed" | "failed" | "cancelled";
            /** @description The values of the row, without the defaults of the batch. */
            parameters: {
                [key: string]: unknown;
            };
            /** @description The last execution of the row. */
            executionId?: string;
            output?: components["schemas"]["ExecutionOutput"];
            /** @description The outputs that `outputs` of the workflow declares, in its order and without the primary output. Absent if the workflow has none. */
            outputs?: components["schemas"]["NamedOutput"][];
            error?: components["schemas"]["ExecutionError"];
            /**
             * Format: date-time
             * @description ISO 8601, UTC.
             */
            endedAt?: string;
        };
        BatchItemPage: {
            items: components["schemas"]["BatchItem"][];
            /** @description Total number of matching results. */
            total: number;
            /** @description Whether more results follow this page. */
            hasMore: boolean;
        };
        BatchPage: {
            batches: components["schemas"]["Batch"][];
            /** @description Total number of matching results. */
            total: number;
            /** @description Whether more results follow this page. */
            hasMore: boolean;
        };
        /**
         * @example {
         *       "zipParts": [
         *         {
         *           "fromRow": 1,
         *           "toRow": 50000
         *         },
         *         {
         *           "fromRow": 50001,
         *           "toRow": 80000
         *         }
         *       ]
         *     }
         */
        BatchResults: {
            /** @description One part if `results.zip` can have the images of all rows. None if the batch has no rows. */
            zipParts: components["schemas"]["BatchZipPart"][];
        };
        BatchZipPart: {
            /** @description Number of the first row. */
            fromRow: number;
            /** @description Number of the last row. */
            toRow: number;
        };
        BatchesCreateRequest: {
            /** @description The id or the slug of the workflow. */
            workflowId: string;
            /** @description The version that all rows run. Default: the newest version. */
            version?: number;
            /** @description The channel whose current version all rows run, such as `live`. Not together with `version`. */
            channel?: string;
            /** @description Name of the batch. Default: the name of the workflow. */
            name?: string;
            /** @description Parameters of every row without its own value. At most 65536 bytes as JSON. */
            defaults?: {
                [key: string]: unknown;
            };
            /** @description The most that the AI model calls of the batch may cost in US dollars. The batch is paused before a call that could exceed it. */
            maxUsd?: number;
            /** @description Send the event `batch.completed` to this URL, in addition to the webhook endpoints of the account. It is signed with the secret of `GET /webhook-secret`. */
            webhookUrl?: string;
        };
        BatchesRetryRequest: {
            /** @description Retry only the rows with these keys. Default: all. */
            keys?: string[];
        };
        BatchesUpdateItemRequest: {
            /** @description Values by parameter name. */
            parameters: {
                [key: string]: unknown;
            };
        };
        BatchesUpdateRequest: {
            /** @description Name of the batch. Default: the name of the workflow. */
            name?: string;
            /** @description As in `POST /batches`. Null removes the limit. */
            maxUsd?: number | null;
        };
        /**
         * @example {
         *       "values": {
         *         "primary": {
         *           "type": "color",
         *           "value": "#0f766e"
         *         },
         *         "heading": {
         *           "type": "font",
         *           "value": "Inter"
         *         },
         *         "logo": {
         *           "type": "image",
         *           "value": "img_06h15xnfhw00snp469yjg5mdfjbs"
         *         },
         *         "slogan": {
         *           "type": "text",
         *           "value": "Fresh every day"
         *         }
         *       },
         *       "updatedAt": "2026-11-25T13:48:06.118Z"
         *     }
         */
        Brand: {
            /** @description The values by name. */
            values: {
                [key: string]: components["schemas"]["BrandValue"];
            };
            /**
             * Format: date-time
             * @description Absent if it was never saved.
             */
            updatedAt?: string;
        };
        BrandImageUse: {
            /** @description Null for the brand of the account. */
            projectId: string | null;
            projectName?: string;
            /** @description Names of the brand values. */
            values: string[];
        };
        BrandValue: {
            /** @enum {string} */
            type: "color" | "font" | "image" | "text";
            /** @description A colour as in CSS, the family or id of a font, an image id or http(s) URL, or any text, which can be empty. */
            value: string;
            description?: string;
        };
        BrandValueInput: {
            /** @enum {string} */
            type: "color" | "font" | "image" | "text";
            /** @description A colour as in CSS, the family or id of a font, an image id or http(s) URL, or any text, which can be empty. */
            value: string;
            description?: string;
        };
        BrandsReplaceOfProjectRequest: {
            /** @description The values by name. */
            values: {
                [key: string]: components["schemas"]["BrandValueInput"];
            };
        };
        BrandsReplaceRequest: {
            /** @description The values by name. */
            values: {
                [key: string]: components["schemas"]["BrandValueInput"];
            };
        };
        /** @description Budget of the account in the current month (UTC). */
        Budget: {
            month: string;
            /** @description Budget of the month. Null if unlimited. */
            monthUsd: number | null;
            spentUsd: number;
            /** @description Reserved for calls that have not ended. */
            reservedUsd: number;
        };
        BudgetReachedWebhook: {
            /** @enum {string} */
            type: "budget.reached";
            /**
             * Format: date-time
             * @description Time of the event, ISO 8601, UTC.
             */
            timestamp: string;
            data: components["schemas"]["ReachedBudget"];
        };
        Channel: {
            name: string;
            /** @description The version that executions by this channel run. */
            version: number;
            /**
             * Format: date-time
             * @description ISO 8601, UTC.
             */
            movedAt: string;
            /** @description The id of the API key of the move. Absent for a command of the operator. */
            keyId?: string;
        };
        ChannelList: {
            channels: components["schemas"]["Channel"][];
        };
        ChannelMove: {
            /** @description The version after the move. Absent if the channel was deleted. */
            version?: number;
            /** @description The version before the move. Absent if the channel was created. */
            from?: number;
            /**
             * @description The move rolled an earlier move back.
             * @enum {boolean}
             */
            rollback?: true;
            /**
             * Format: date-time
             * @description ISO 8601, UTC.
             */
            movedAt: string;
            /** @description The id of the API key of the move. Absent for a command of the operator. */
            keyId?: string;
        };
        ChannelMovePage: {
            moves: components["schemas"]["ChannelMove"][];
            /** @description Total number of matching results. */
            total: number;
            /** @description Whether more results follow this page. */
            hasMore: boolean;
        };
        ChannelsMoveRequest: {
            /** @description A published version of the workflow. */
            version: number;
        };
        ComparedExample: {
            name: string;
            /** @description One of `outputs`. Absent for the primary output. */
            output?: string;
            /** @description Of an output that is a PDF, from 1. */
            page?: number;
            /**
             * @description `same`: equal bytes. `encoded`: the same pixels in another format or quality. `different`: other pixels. `resized`: another size or number of frames. `failed`: at least one execution failed; its error replaces the image.
             * @enum {string}
             */
            result: "same" | "encoded" | "different" | "resized" | "failed";
            before: components["schemas"]["ImageFacts"] | components["schemas"]["FailedComparison"];
            after: components["schemas"]["ImageFacts"] | components["schemas"]["FailedComparison"];
            /** @description Share of pixels that differ, 0 to 1, before encoding. */
            differing: number | null;
            /** @description Largest difference of a channel, 0 to 255. */
            maxDifference: number | null;
            /** @description Peak signal-to-noise ratio in dB. Null if all pixels are equal or the sizes differ. */
            psnr: number | null;
        };
        /** @description With `compare=true`: the differences between the current and the new document. Nothing was saved. */
        Comparison: {
            examples: components["schemas"]["ComparedExample"][];
        };
        /**
         * @example {
         *       "executionId": "exec_06h15xnfhg00ww4d3x48s1b7wznh",
         *       "status": "completed",
         *       "output": {
         *         "url": "https://images.example.com/images/img_06h15xnfhw00snp469yjg5mdfjbs.webp",
         *         "width": 1200,
         *         "height": 630,
         *         "format": "webp",
         *         "imageId": "img_06h15xnfhw00snp469yjg5mdfjbs"
         *       },
         *       "duration": 348
         *     }
         */
        CompletedExecution: {
            executionId: string;
            /** @enum {string} */
            status: "completed";
            output: components["schemas"]["ExecutionOutput"];
            /** @description The outputs that `outputs` of the workflow declares, in its order and without the primary output. Absent if the workflow has none. */
            outputs?: components["schemas"]["NamedOutput"][];
            /** @description Problems of the steps that did not stop the execution, such as characters that no font has. Absent if there are none. */
            warnings?: components["schemas"]["ExecutionWarning"][];
            /** @description Milliseconds from the accepted request to the stored output. */
            duration: number;
            cost?: components["schemas"]["ExecutionCost"];
        };
        CostRange: {
            minUsd: number;
            maxUsd: number;
        };
        CredentialAction: {
            /** @description Such as `c2pa.created`, `c2pa.opened`, `c2pa.placed`, `c2pa.edited`. */
            action: string;
            /** @description URI of the IPTC vocabulary. */
            digitalSourceType?: string;
            /** @description The model or program that did it. */
            softwareAgent?: string;
            description?: string;
            when?: string;
        };
        CredentialIngredient: {
            title: string;
            /** @description `parentOf`: it was changed. `componentOf`: it is a part. */
            relationship: string;
            mediaType?: string;
            /** @description Null if it had no credentials when it was used. */
            credentials: components["schemas"]["CredentialManifest"] | null;
        };
        CredentialManifest: {
            /**
             * @description `trusted`: unchanged since a trusted signer signed it. `valid`: unchanged, but the signer is unknown. `invalid`: changed, or not signed correctly. Of an ingredient: when it was used.
             * @enum {string}
             */
            state: "trusted" | "valid" | "invalid";
            problems: components["schemas"]["CredentialProblem"][];
            title?: string;
            signer: components["schemas"]["CredentialSigner"] | null;
            /** @description The program that wrote it, such as `Tintype 1.0.0`. */
            claimGenerator?: string;
            actions: components["schemas"]["CredentialAction"][];
            ingredients: components["schemas"]["CredentialIngredient"][];
            /** @description Facts that Tintype recorded: label to data. If a manifest is in the file several times, only its first report has them. */
            assertions: {
                [key: string]: unknown;
            };
        };
        CredentialProblem: {
            /** @description A status code of C2PA, such as `assertion.dataHash.mismatch`, or one that starts with `tintype.`. */
            code: string;
            message: string;
        };
        CredentialSigner: {
            /** @description Organization in the certificate. */
            issuer?: string;
            /** @description Name in the certificate. */
            commonName?: string;
            /** @description Such as `Es256`. */
            algorithm?: string;
            /** @description Time of the time stamp. Without a time stamp, the time is unknown. */
            time?: string;
            /** @description The certificate is the one of this service. */
            isOwn: boolean;
        };
        CredentialsReport: {
            /**
             * @description `trusted`: unchanged since a trusted signer signed it. `valid`: unchanged, but the signer is unknown. `invalid`: changed, or not signed correctly. Of an ingredient: when it was used.
             * @enum {string}
             */
            state: "trusted" | "valid" | "invalid";
            problems: components["schemas"]["CredentialProblem"][];
            title?: string;
            signer: components["schemas"]["CredentialSigner"] | null;
            /** @description The program that wrote it, such as `Tintype 1.0.0`. */
            claimGenerator?: string;
            actions: components["schemas"]["CredentialAction"][];
            ingredients: components["schemas"]["CredentialIngredient"][];
            /** @description Facts that Tintype recorded: label to data. If a manifest is in the file several times, only its first report has them. */
            assertions: {
                [key: string]: unknown;
            };
            /** @description Actions, ingredients or facts were left out, because there are too many. */
            isShortened: boolean;
        };
        CredentialsVerifyRequest: {
            /**
             * Format: binary
             * @description The content of the file.
             */
            file: string;
        };
        DayUsage: {
            day: string;
            /** @description Number of successful AI model calls. */
            calls: number;
            /** @description Number of failed AI model calls. */
            failures: number;
            /** @description US dollars. Includes the maximum cost of calls with unknown cost, if it is known. */
            costUsd: number;
            /** @description Number of calls with unknown cost. */
            unknownCosts: number;
        };
        DeclaredOutput: {
            name: string;
            /** @enum {string} */
            kind: "image" | "set" | "pdf";
        };
        /** @description Models to try, in this order, if a node names no model. */
        DefaultModels: {
            generate: string[];
            edit: string[];
            inpaint: string[];
            "remove-background": string[];
            upscale: string[];
            describe: string[];
            write: string[];
            judge: string[];
        };
        Deleted: {
            deleted: boolean;
        };
        /**
         * @description Allows delivery URLs, which execute the workflow by a signed GET. Without it, they are rejected.
         * @example {
         *       "parameters": [
         *         "headline",
         *         "photo"
         *       ],
         *       "sources": [
         *         "images.example.com"
         *       ],
         *       "maxAge": 3600
         *     }
         */
        Delivery: {
            /** @description The parameters that a URL can have. Default: none. */
            parameters?: string[];
            /** @description The hosts of image URLs that a parameter can have, such as `images.example.com` or `*.example.com`. Images of the account need no entry. Default: none. */
            sources?: string[];
            /** @description Seconds that browsers and CDNs can cache the output of a channel or of the newest version. Default: 300. The output of a numbered version never changes. */
            maxAge?: number;
            /** @description The image to respond with if the output is not ready in time, or the execution fails. Default: none, the response is 503. */
            fallback?: string;
            /** @description Whether a URL can run steps that may cost money, such as AI models of a provider. Such a URL needs a signing key with a monthly budget. Default: false. */
            paid?: boolean;
        };
        /**
         * @description Allows delivery URLs, which execute the workflow by a signed GET. Without it, they are rejected.
         * @example {
         *       "parameters": [
         *         "headline",
         *         "photo"
         *       ],
         *       "sources": [
         *         "images.example.com"
         *       ],
         *       "maxAge": 3600
         *     }
         */
        DeliveryInput: {
            /** @description The parameters that a URL can have. Default: none. */
            parameters?: string[];
            /** @description The hosts of image URLs that a parameter can have, such as `images.example.com` or `*.example.com`. Images of the account need no entry. Default: none. */
            sources?: string[];
            /** @description Seconds that browsers and CDNs can cache the output of a channel or of the newest version. Default: 300. The output of a numbered version never changes. */
            maxAge?: number;
            /** @description The image to respond with if the output is not ready in time, or the execution fails. Default: none, the response is 503. */
            fallback?: string;
            /** @description Whether a URL can run steps that may cost money, such as AI models of a provider. Such a URL needs a signing key with a monthly budget. Default: false. */
            paid?: boolean;
        };
        DisabledWebhookEndpoint: {
            endpointId: string;
            url: string;
            /** @enum {string} */
            reason: "gone" | "failing" | "backlog" | "caller";
        };
        Draft: {
            /** @description The id of the workflow. For an unpublished workflow, the reserved id. */
            workflowId: string;
            /** @description The name in the document, or `Untitled`. */
            name: string;
            projectId: string;
            /** @description The version that the draft is based on. 0 for an unpublished workflow. */
            baseVersion: number;
            /** @description Increases with each save. Also the `ETag`. */
            revision: number;
            /**
             * Format: date-time
             * @description ISO 8601, UTC.
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description ISO 8601, UTC.
             */
            updatedAt: string;
            /** @description The workflow document: any JSON object. It is validated when it is executed or published. */
            document: {
                [key: string]: unknown;
            };
        };
        DraftPage: {
            drafts: components["schemas"]["DraftSummary"][];
            /** @description Total number of matching results. */
            total: number;
            /** @description Whether more results follow this page. */
            hasMore: boolean;
        };
        DraftSummary: {
            /** @description The id of the workflow. For an unpublished workflow, the reserved id. */
            workflowId: string;
            /** @description The name in the document, or `Untitled`. */
            name: string;
            projectId: string;
            /** @description The version that the draft is based on. 0 for an unpublished workflow. */
            baseVersion: number;
            /** @description Increases with each save. Also the `ETag`. */
            revision: number;
            /**
             * Format: date-time
             * @description ISO 8601, UTC.
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description ISO 8601, UTC.
             */
            updatedAt: string;
            lastOutput?: components["schemas"]["LastOutput"];
        };
        DraftsCreateRequest: {
            /** @description The workflow document: any JSON object. It is validated when it is executed or published. */
            document?: {
                [key: string]: unknown;
            };
            /** @description The project of the workflow. Default: the project "Default". */
            projectId?: string;
        };
        DraftsExecuteRequest: {
            /** @description Values by parameter name. */
            parameters?: {
                [key: string]: unknown;
            };
            /** @description Execute up to this node. Its image becomes the output, in the default format. */
            node?: string;
            /** @description Store a preview of each step result, available during and after the execution. Default: false. */
            previews?: boolean;
            /** @description Reuse random results, such as those of AI models without a seed, instead of calling the models again. A node whose settings and inputs are unchanged reuses the result that an earlier execution of this workflow with `variations` created. The object maps node ids to variations, any text: a new text requests a new result, and an earlier text returns its result. A node that is not listed has its own id as its variation, and an id that is not a node of the workflow is rejected. Results are kept in the step cache. Default: random results are not reused. */
            variations?: {
                [key: string]: string;
            };
            /** @description Return an execution id immediately instead of waiting for the output. Default: false. */
            async?: boolean;
            /** @description Send the event `execution.completed` or `execution.failed` of this execution to this URL, in addition to the webhook endpoints of the account. It is signed with the secret of `GET /webhook-secret`. */
            webhookUrl?: string;
        };
        DraftsPublishRequest: {
            /** @description A note for the list of versions. */
            note?: string;
            /** @description Publish even if the workflow was saved after the draft was created. Default: false. */
            overwrite?: boolean;
        };
        DraftsSaveRequest: {
            /** @description The workflow document: any JSON object. It is validated when it is executed or published. */
            document: {
                [key: string]: unknown;
            };
        };
        Durations: {
            median: number;
            /** @description 95th percentile. */
            p95: number;
        };
        EndedBatch: {
            id: string;
            name?: string;
            /**
             * @description `created`: rows can be uploaded. `completed`: every row has ended, completed or failed. `cancelled`: rows that had not ended are cancelled.
             * @enum {string}
             */
            status: "created" | "running" | "paused" | "completed" | "cancelled";
            /**
             * @description Why it is paused. `budget`: a model call could have exceeded `maxUsd`. Increase it, then resume the batch. `storage`: the account stores its maximum. Delete images, then resume the batch.
             * @enum {string}
             */
            pauseReason?: "requested" | "budget" | "storage";
            /** @description Whether rows are being uploaded. */
            uploading?: boolean;
            workflowId?: string;
            /** @description The version that all rows run, chosen when the batch was created. */
            workflowVersion?: number;
            /** @description Parameters of every row without its own value. */
            defaults?: {
                [key: string]: unknown;
            };
            /** @description The brand values that the workflow reads, as they were when the request was accepted. Absent if it reads none. */
            brand?: {
                [key: string]: string;
            };
            /** @description The limit of the cost of AI model calls. */
            maxUsd?: number;
            counts?: components["schemas"]["BatchCounts"];
            cost?: components["schemas"]["ExecutionCost"];
            /**
             * Format: date-time
             * @description ISO 8601, UTC.
             */
            createdAt?: string;
            /**
             * Format: date-time
             * @description ISO 8601, UTC.
             */
            startedAt?: string;
            /**
             * Format: date-time
             * @description ISO 8601, UTC.
             */
            completedAt?: string;
            /**
             * Format: date-time
             * @description When the last row will have ended, at the rate since the batch was started or continued. Absent until a row has ended.
             */
            expectedCompletionAt?: string;
            /**
             * @description The event would have more than 20480 bytes, so it has ids and the status only.
             * @enum {boolean}
             */
            isShortened?: true;
        };
        EndedExecution: {
            executionId: string;
            workflowId: string;
            /** @enum {string} */
            status: "pending" | "running" | "completed" | "failed";
            output?: components["schemas"]["ExecutionOutput"];
            /** @description The outputs that `outputs` of the workflow declares, in its order and without the primary output. Absent if the workflow has none. */
            outputs?: components["schemas"]["NamedOutput"][];
            /** @description Problems of the steps that did not stop the execution, such as characters that no font has. Absent if there are none. */
            warnings?: components["schemas"]["ExecutionWarning"][];
            error?: components["schemas"]["ExecutionError"];
            /** @description Milliseconds from the accepted request to the end of the execution. */
            duration?: number;
            /**
             * Format: date-time
             * @description ISO 8601, UTC.
             */
            startedAt?: string;
            /**
             * Format: date-time
             * @description ISO 8601, UTC.
             */
            completedAt?: string;
            /**
             * Format: date-time
             * @description ISO 8601, UTC.
             */
            createdAt?: string;
            workflowVersion?: number;
            /** @description The values with defaults, as templates see them. A `data:` URL is replaced by the id of its stored image. */
            parameters?: {
                [key: string]: string | number | boolean | {
                    [key: string]: unknown;
                } | unknown[];
            };
            /** @description The brand values that the workflow reads, as they were when the request was accepted. Absent if it reads none. */
            brand?: {
                [key: string]: string;
            };
            /** @description The batch that the execution runs a row of. */
            batchId?: string;
            /**
             * @description Previews of the step results are stored.
             * @enum {boolean}
             */
            previews?: true;
            /** @description The signing key of the delivery URL that started it. Its output is not listed in storage. */
            signingKeyId?: string;
            /** @description The failed execution that this execution resumes. */
            resumedFrom?: string;
            /**
             * @description The execution ran a draft. `workflowVersion` is absent.
             * @enum {boolean}
             */
            draft?: true;
            /** @description The last node that was executed. */
            node?: string;
            /** @description The variations of the request, by node. */
            variations?: {
                [key: string]: string;
            };
            cost?: components["schemas"]["ExecutionCost"];
            /**
             * @description The event would have more than 20480 bytes, so it has ids and the status only.
             * @enum {boolean}
             */
            isShortened?: true;
        };
        /**
         * @example {
         *       "error": {
         *         "code": "invalid_request",
         *         "message": "\"parameters.headline\" is required (string).",
         *         "details": {
         *           "issues": [
         *             {
         *               "path": "parameters.headline",
         *               "message": "is required (string)"
         *             }
         *           ],
         *           "docs": "https://images.example.com/guide/errors#invalid_request",
         *           "requestId": "req_0d3ks8tvn400f0j2qg6xw5p8rm1c"
         *         }
         *       }
         *     }
         */
        Error: {
            error: components["schemas"]["ErrorBody"];
        };
        ErrorBody: {
            /** @enum {string} */
            code: "forbidden" | "internal_error" | "invalid_request" | "method_not_allowed" | "not_found" | "rate_limited" | "unauthorized" | "unavailable" | "workflow_failed";
            /** @description Text for people, which can change in any release. Branch on `code` and `details.reason`, never on `message`. */
            message: string;
            details: components["schemas"]["ErrorDetails"];
        };
        ErrorDetails: {
            requestId: string;
            /**
             * Format: uri
             * @description The documentation of the code, or of the reason if there is one. Missing with `DOCS=false`.
             */
            docs?: string;
            /** @description Number of issues of an uploaded file. `issues` has the first ones. */
            issueCount?: number;
            /** @description Number of rows of an uploaded file that were read. */
            rowCount?: number;
            /** @description The methods of the path, for `method_not_allowed`. */
            allow?: string[];
            /** @description The quota of the account that was reached: batches, batchesRunning, batchRows, drafts, fonts, keys, projects, signingKeys, storageBytes, webhookEndpoints, workflows. */
            quota?: string;
            /** @description The permission that the key lacks. */
            permission?: string | null;
            /** @description The plan of the account, if it has no API access. */
            plan?: string;
            retryAfterSeconds?: number;
            limit?: number;
            /**
             * @description Why the output of a delivery URL is missing, also in the header `Tintype-Status`.
             * @enum {string}
             */
            deliveryStatus?: "pending" | "failed" | "busy" | "invalid";
            /**
             * @description Why the execution failed.
             * @enum {string}
             */
            reason?: "cancelled" | "input_invalid" | "input_not_found" | "internal" | "limit_exceeded" | "provider_not_configured" | "provider_rate_limited" | "provider_refused" | "provider_unavailable" | "timeout" | "worker_lost";
            /** @description All issues of an `invalid_request`, or the values that a step or an output could not use. */
            issues?: components["schemas"]["Issue"][];
            executionId?: string;
            /** @description The node of the failed step. */
            node?: string;
            /** @description The operation of the failed step. */
            operation?: string;
            /** @description The output in `outputs` of the workflow that failed. */
            output?: string;
            /** @description The AI provider of the call. */
            provider?: string;
            /** @description The model as `provider/model`. */
            model?: string;
            /** @description The kind of the error: not_configured, auth, quota, rate_limited, invalid_request, unsupported, refused, down, timeout, bad_output, no_output, expired, outcome_unknown, cancelled, circuit_open or budget. After `outcome_unknown`, the provider may have completed and billed the call. */
            problem?: string;
            /** @description HTTP status of the response of the provider. */
            status?: number;
            /** @description The id that the provider assigned to the request or job. */
            providerRequestId?: string;
            /**
             * @description Whether the call was billed.
             * @enum {string}
             */
            billed?: "no" | "yes" | "unknown";
            /**
             * @description The budget that was too small for the call.
             * @enum {string}
             */
            budget?: "execution" | "batch" | "account" | "signing key";
        } & {
            [key: string]: unknown;
        };
        /**
         * @example {
         *       "executionId": "exec_06h15xnfhg00ww4d3x48s1b7wznh",
         *       "workflowId": "wf_06h15x0nmw0097a6m4hdb288e0ha",
         *       "status": "completed",
         *       "output": {
         *         "url": "https://images.example.com/images/img_06h15xnfhw00snp469yjg5mdfjbs.webp",
         *         "width": 1200,
         *         "height": 630,
         *         "format": "webp",
         *         "imageId": "img_06h15xnfhw00snp469yjg5mdfjbs"
         *       },
         *       "duration": 348,
         *       "startedAt": "2026-11-25T13:48:06.123Z",
         *       "completedAt": "2026-11-25T13:48:06.466Z",
         *       "createdAt": "2026-11-25T13:48:06.118Z",
         *       "workflowVersion": 1,
         *       "parameters": {
         *         "headline": "Hello from Tintype"
         *       }
         *     }
         */
        Execution: {
            executionId: string;
            workflowId: string;
            /** @enum {string} */
            status: "pending" | "running" | "completed" | "failed";
            output?: components["schemas"]["ExecutionOutput"];
            /** @description The outputs that `outputs` of the workflow declares, in its order and without the primary output. Absent if the workflow has none. */
            outputs?: components["schemas"]["NamedOutput"][];
            /** @description Problems of the steps that did not stop the execution, such as characters that no font has. Absent if there are none. */
            warnings?: components["schemas"]["ExecutionWarning"][];
            error?: components["schemas"]["ExecutionError"];
            /** @description Milliseconds from the accepted request to the end of the execution. */
            duration?: number;
            /**
             * Format: date-time
             * @description ISO 8601, UTC.
             */
            startedAt?: string;
            /**
             * Format: date-time
             * @description ISO 8601, UTC.
             */
            completedAt?: string;
            /**
             * Format: date-time
             * @description ISO 8601, UTC.
             */
            createdAt?: string;
            workflowVersion?: number;
            /** @description The values with defaults, as templates see them. A `data:` URL is replaced by the id of its stored image. */
            parameters?: {
                [key: string]: string | number | boolean | {
                    [key: string]: unknown;
                } | unknown[];
            };
            /** @description The brand values that the workflow reads, as they were when the request was accepted. Absent if it reads none. */
            brand?: {
                [key: string]: string;
            };
            /** @description The batch that the execution runs a row of. */
            batchId?: string;
            /**
             * @description Previews of the step results are stored.
             * @enum {boolean}
             */
            previews?: true;
            /** @description The signing key of the delivery URL that started it. Its output is not listed in storage. */
            signingKeyId?: string;
            /** @description The failed execution that this execution resumes. */
            resumedFrom?: string;
            /**
             * @description The execution ran a draft. `workflowVersion` is absent.
             * @enum {boolean}
             */
            draft?: true;
            /** @description The last node that was executed. */
            node?: string;
            /** @description The variations of the request, by node. */
            variations?: {
                [key: string]: string;
            };
            cost?: components["schemas"]["ExecutionCost"];
        };
        ExecutionCompletedWebhook: {
            /** @enum {string} */
            type: "execution.completed";
            /**
             * Format: date-time
             * @description Time of the event, ISO 8601, UTC.
             */
            timestamp: string;
            data: components["schemas"]["EndedExecution"];
        };
        /** @description Cost of the AI model calls. Absent if there were none. */
        ExecutionCost: {
            /** @description US dollars. */
            usd: number;
            /** @description Number of calls with unknown cost. `usd` includes their maximum cost, if it is known. */
            unknown?: number;
        };
        ExecutionError: {
            code: string;
            message: string;
            details: components["schemas"]["FailureDetails"];
        };
        /** @description Each event of the stream has `id`, `event` and `data` (one line of JSON). This is the data: of `snapshot`, `step` or `execution`. The stream starts with `retry`, and comments keep it alive. */
        ExecutionEvent: components["schemas"]["ExecutionSnapshotEvent"] | components["schemas"]["Step"] | components["schemas"]["ExecutionStatusEvent"];
        ExecutionFailedWebhook: {
            /** @enum {string} */
            type: "execution.failed";
            /**
             * Format: date-time
             * @description Time of the event, ISO 8601, UTC.
             */
            timestamp: string;
            data: components["schemas"]["EndedExecution"];
        };
        /**
         * @example {
         *       "url": "https://images.example.com/images/img_06h15xnfhw00snp469yjg5mdfjbs.webp",
         *       "width": 1200,
         *       "height": 630,
         *       "format": "webp",
         *       "imageId": "img_06h15xnfhw00snp469yjg5mdfjbs"
         *     }
         */
        ExecutionOutput: {
            url: string;
            width: number;
            height: number;
            /** @enum {string} */
            format: "png" | "jpeg" | "webp" | "avif" | "gif" | "tiff" | "svg" | "pdf" | "psd";
            imageId?: string;
            /** @description A signed URL of a small WebP of the image, for lists and galleries. Valid for at least a day. It changes once a day. Absent if the account has no private images: then use the path `/images/{imageId}/thumbnail`. */
            thumbnailUrl?: string;
            /**
             * @description Whether a generative AI model made the pixels. `generated`: all of them. `composite`: a part of them, or it edited the image. Absent if no known model did. The file has the corresponding mark in its metadata (IPTC digital source type).
             * @enum {string}
             */
            origin?: "generated" | "composite";
        };
        ExecutionPage: {
            executions: components["schemas"]["Execution"][];
            /** @description Total number of matching results. */
            total: number;
            /** @description Whether more results follow this page. */
            hasMore: boolean;
        };
        /** @description The current state of the execution and its steps. The `id` is that of the last event that the snapshot includes. */
        ExecutionSnapshotEvent: {
            execution: components["schemas"]["Execution"];
            steps: components["schemas"]["Step"][];
        };
        /** @description The status of the execution changed. */
        ExecutionStatusEvent: {
            executionId: string;
            /**
             * @description With `pending` or `running`, the execution restarts: discard the steps that you received. No event follows `completed` or `failed`.
             * @enum {string}
             */
            status: "pending" | "running" | "completed" | "failed";
            /**
             * Format: date-time
             * @description ISO 8601, UTC.
             */
            at: string;
            /**
             * Format: date-time
             * @description ISO 8601, UTC.
             */
            startedAt?: string;
            /**
             * Format: date-time
             * @description ISO 8601, UTC.
             */
            completedAt?: string;
            output?: components["schemas"]["ExecutionOutput"];
            /** @description The outputs that `outputs` of the workflow declares, in its order and without the primary output. Absent if the workflow has none. */
            outputs?: components["schemas"]["NamedOutput"][];
            error?: components["schemas"]["ExecutionError"];
            /** @description Milliseconds from the accepted request to the end of the execution. */
            duration?: number;
            cost?: components["schemas"]["ExecutionCost"];
        };
        ExecutionWarning: {
            node: string;
            message: string;
        };
        ExecutionsResumeRequest: {
            /** @description Parameters to change, by name. */
            parameters?: {
                [key: string]: unknown;
            };
            /** @description Return an execution id immediately instead of waiting for the output. Default: false. */
            async?: boolean;
            /** @description Send the event `execution.completed` or `execution.failed` of this execution to this URL, in addition to the webhook endpoints of the account. It is signed with the secret of `GET /webhook-secret`. */
            webhookUrl?: string;
        };
        ExpiringKey: {
            keyId: string;
            name: string;
            prefix: string;
            /**
             * Format: date-time
             * @description ISO 8601, UTC.
             */
            expiresAt: string;
        };
        FailedComparison: {
            error: components["schemas"]["ExecutionError"];
        };
        FailureCount: {
            reason: string;
            count: number;
        };
        FailureDetails: {
            /**
             * @description Why the execution failed.
             * @enum {string}
             */
            reason?: "cancelled" | "input_invalid" | "input_not_found" | "internal" | "limit_exceeded" | "provider_not_configured" | "provider_rate_limited" | "provider_refused" | "provider_unavailable" | "timeout" | "worker_lost";
            /** @description All issues of an `invalid_request`, or the values that a step or an output could not use. */
            issues?: components["schemas"]["Issue"][];
            executionId?: string;
            /** @description The node of the failed step. */
            node?: string;
            /** @description The operation of the failed step. */
            operation?: string;
            /** @description The output in `outputs` of the workflow that failed. */
            output?: string;
            /** @description The AI provider of the call. */
            provider?: string;
            /** @description The model as `provider/model`. */
            model?: string;
            /** @description The kind of the error: not_configured, auth, quota, rate_limited, invalid_request, unsupported, refused, down, timeout, bad_output, no_output, expired, outcome_unknown, cancelled, circuit_open or budget. After `outcome_unknown`, the provider may have completed and billed the call. */
            problem?: string;
            /** @description HTTP status of the response of the provider. */
            status?: number;
            /** @description The id that the provider assigned to the request or job. */
            providerRequestId?: string;
            /**
             * @description Whether the call was billed.
             * @enum {string}
             */
            billed?: "no" | "yes" | "unknown";
            /**
             * @description The budget that was too small for the call.
             * @enum {string}
             */
            budget?: "execution" | "batch" | "account" | "signing key";
        } & {
            [key: string]: unknown;
        };
        Font: {
            id: string;
            /** @description Name of the font family. The files of a family differ in weight and style. */
            family: string;
            /** @enum {string} */
            format: "ttf" | "otf" | "woff2";
            /** @description Lightest weight, 1 to 1000. */
            weightMin: number;
            /** @description Boldest weight. Equals `weightMin`, except for variable fonts. */
            weightMax: number;
            italic: boolean;
            /** @description Bytes. */
            size: number;
            /**
             * Format: date-time
             * @description ISO 8601, UTC.
             */
            createdAt: string;
        };
        FontPage: {
            fonts: components["schemas"]["Font"][];
            /** @description Total number of matching results. */
            total: number;
            /** @description Whether more results follow this page. */
            hasMore: boolean;
        };
        FontsUploadRequest: {
            /**
             * Format: binary
             * @description The content of the file.
             */
            file: string;
            /** @description Name of the font family. Default: the name in the file. */
            family?: string;
        };
        FreeSizes: {
            free: components["schemas"]["SizeRange"];
        };
        Health: {
            /** @enum {string} */
            status: "ok";
        };
        /**
         * @example {
         *       "id": "img_06h15xnfhw00snp469yjg5mdfjbs",
         *       "url": "https://images.example.com/images/img_06h15xnfhw00snp469yjg5mdfjbs.jpg",
         *       "name": "dandelion.jpg",
         *       "size": 184213,
         *       "format": "jpeg",
         *       "width": 1600,
         *       "height": 1067,
         *       "createdAt": "2026-11-25T13:48:06.118Z"
         *     }
         */
        Image: {
            id: string;
            url: string;
            /** @description A signed URL of a small WebP of the image, for lists and galleries. Valid for at least a day. It changes once a day. */
            thumbnailUrl?: string;
            /**
             * @description The image or its project is private: its URLs require a signature. `url` has one, and is valid for at least a day.
             * @enum {boolean}
             */
            private?: true;
            /** @description File name. */
            name: string;
            /** @description Bytes. */
            size: number;
            /** @enum {string} */
            format: "png" | "jpeg" | "webp" | "avif" | "gif" | "tiff" | "svg" | "pdf" | "psd";
            width: number;
            height: number;
            /**
             * @description Whether a generative AI model made the pixels. `generated`: all of them. `composite`: a part of them, or it edited the image. Absent if no known model did. The file has the corresponding mark in its metadata (IPTC digital source type).
             * @enum {string}
             */
            origin?: "generated" | "composite";
            /**
             * @description The state of the Content Credentials of the file when it was stored. `trusted`: not changed since it was signed by a certificate that this service trusts. `valid`: not changed, but the signer is unknown. `invalid`: changed, or not signed correctly. Absent without credentials.
             * @enum {string}
             */
            credentials?: "trusted" | "valid" | "invalid";
            /**
             * Format: date-time
             * @description ISO 8601, UTC.
             */
            createdAt: string;
            projectId?: string;
        };
        ImageFacts: {
            width: number;
            height: number;
            /** @enum {string} */
            format: "png" | "jpeg" | "webp" | "avif" | "gif" | "tiff" | "svg" | "pdf" | "psd";
            /** @description Bytes. */
            size: number;
        };
        ImagePage: {
            images: components["schemas"]["ImageSummary"][];
            /** @description Total number of matching results. */
            total: number;
            /** @description Whether more results follow this page. */
            hasMore: boolean;
        };
        ImageSummary: {
            id: string;
            url: string;
            /** @description A signed URL of a small WebP of the image, for lists and galleries. Valid for at least a day. It changes once a day. */
            thumbnailUrl?: string;
            /**
             * @description The image or its project is private: its URLs require a signature. `url` has one, and is valid for at least a day.
             * @enum {boolean}
             */
            private?: true;
            name: string;
            size: number;
            /**
             * Format: date-time
             * @description ISO 8601, UTC.
             */
            createdAt: string;
        };
        ImageUse: {
            workflowId: string;
            /** @description Name of the workflow, or of a draft that was never published. */
            name: string;
            /** @description The newest version, if it names the image. */
            version?: number;
            /** @description Whether the draft of the workflow names the image. */
            draft: boolean;
        };
        ImageUses: {
            workflows: components["schemas"]["ImageUse"][];
            /** @description Not set if no brand uses the image. */
            brands?: components["schemas"]["BrandImageUse"][];
            /** @description Whether others may use the image: only the newest 1000 workflows, drafts and projects are searched, at most 16777216 bytes of each, until 20 of them are found. */
            hasMore: boolean;
        };
        ImagesUpdateRequest: {
            /** @description Whether the URLs of the image require a signature. */
            private: boolean;
        };
        ImagesUploadRequest: {
            /**
             * Format: binary
             * @description The content of the file.
             */
            file: string;
            /** @description The project of the image. */
            projectId?: string;
            /** @description File name. Default: the name of the uploaded file. */
            name?: string;
            /**
             * @description Whether the URLs of the image require a signature that expires, as responses of the API have it. Default: false.
             * @enum {string}
             */
            private?: "true" | "false";
        };
        Issue: {
            path: string;
            message: string;
            /** @description The line of an uploaded file, or of a longer text such as a style sheet. Lines and columns start at 1. */
            line?: number;
            column?: number;
        };
        KeyExpiringWebhook: {
            /** @enum {string} */
            type: "key.expiring";
            /**
             * Format: date-time
             * @description Time of the event, ISO 8601, UTC.
             */
            timestamp: string;
            data: components["schemas"]["ExpiringKey"];
        };
        KeyUsage: {
            /** @description Null for executions that the operator started by command. */
            keyId: string | null;
            /** @description Number of successful AI model calls. */
            calls: number;
            /** @description Number of failed AI model calls. */
            failures: number;
            /** @description US dollars. Includes the maximum cost of calls with unknown cost, if it is known. */
            costUsd: number;
            /** @description Number of calls with unknown cost. */
            unknownCosts: number;
        };
        KeysCreateRequest: {
            name?: string;
            /** @description Default: `all`. Duplicates are removed. */
            permissions?: ("workflows:read" | "workflows:execute" | "workflows:write" | "storage:read" | "storage:write" | "projects:read" | "projects:write" | "webhooks:read" | "webhooks:write" | "all")[];
            /** @description Days (24 hours each) until the key expires. Default: never. */
            expiresInDays?: number;
        };
        KeysRotateRequest: {
            /** @description Seconds until the old key is revoked. Default: 86400 (one day). */
            overlapSeconds?: number;
        };
        /** @description With `include=lastOutput`: the output of the most recent completed execution. Absent if the image was deleted. */
        LastOutput: {
            executionId: string;
            url: string;
            width: number;
            height: number;
            /** @enum {string} */
            format: "png" | "jpeg" | "webp" | "avif" | "gif" | "tiff" | "svg" | "pdf" | "psd";
            /** @description A signed URL of a small WebP of the image, for lists and galleries. Valid for at least a day. It changes once a day. Absent if the account has no private images: then use the path `/images/{imageId}/thumbnail`. */
            thumbnailUrl?: string;
            /**
             * Format: date-time
             * @description ISO 8601, UTC.
             */
            completedAt: string;
        };
        ListedSizes: {
            listed: string[];
        };
        /** @description Only of local models. */
        LocalModel: {
            /** @description The id of the operation that uses it. */
            operation: string;
            /** @description SPDX identifier. */
            license: string;
            /** @description SHA-512 of the package or SHA-256 of the file, with the name of the algorithm. Null if it is not known before the installation. */
            hash: string | null;
        };
        ModelCall: {
            /** @description `provider/model`. */
            model: string;
            /** @description `done`, or the kind of the error. */
            outcome: string;
            /** @description US dollars. Null if the cost is unknown. */
            costUsd: number | null;
            /** @description `reported`: by the provider. `computed`: from the usage and the price table. `assumed`: the maximum cost, because it is unknown whether the call was billed. */
            costSource: ("reported" | "computed" | "assumed") | null;
            /** @description The id that the provider assigned to the request or job. */
            requestId?: string;
        };
        /** @description Features that are not listed are not supported. */
        ModelCapability: {
            sizes?: components["schemas"]["ListedSizes"] | components["schemas"]["FreeSizes"];
            aspectRatios?: string[];
            seed?: boolean;
            transparency?: boolean;
            /** @description Maximum number of input images, excluding the mask. */
            imagesMax?: number;
            scales?: number[];
            /** @description Whether the model accepts a prompt. */
            prompt?: boolean;
            /** @description Whether the provider makes the model respond in JSON of a `schema`. For other models, the schema is part of the prompt. */
            structuredOutput?: boolean;
            /** @description US dollars. Null if unknown. The `...Max` fields limit the amount that is reserved from a budget. */
            price: components["schemas"]["ModelPrice"] | null;
        };
        ModelPrice: {
            /** @description Unit of the price: call, image, megapixel, unit, second or (a million) tokens. */
            per: string;
            /** @description Month of the price list. */
            asOf: string;
            usd?: number;
            unitsMax?: number;
            secondsMax?: number;
            inputUsd?: number;
            outputUsd?: number;
            inputMax?: number;
            outputMax?: number;
        };
        ModelUsage: {
            model: string;
            /** @description Number of successful AI model calls. */
            calls: number;
            /** @description Number of failed AI model calls. */
            failures: number;
            /** @description US dollars. Includes the maximum cost of calls with unknown cost, if it is known. */
            costUsd: number;
            /** @description Number of calls with unknown cost. */
            unknownCosts: number;
        };
        MonthUsage: {
            month: string;
            /** @description Number of successful AI model calls. */
            calls: number;
            /** @description Number of failed AI model calls. */
            failures: number;
            /** @description US dollars. Includes the maximum cost of calls with unknown cost, if it is known. */
            costUsd: number;
            /** @description Number of calls with unknown cost. */
            unknownCosts: number;
        };
        NamedOutput: {
            url: string;
            width: number;
            height: number;
            /** @enum {string} */
            format: "png" | "jpeg" | "webp" | "avif" | "gif" | "tiff" | "svg" | "pdf" | "psd";
            imageId: string;
            /** @description A signed URL of a small WebP of the image, for lists and galleries. Valid for at least a day. It changes once a day. Absent if the account has no private images: then use the path `/images/{imageId}/thumbnail`. */
            thumbnailUrl?: string;
            /** @description Bytes. */
            size: number;
            /**
             * @description Whether a generative AI model made the pixels. `generated`: all of them. `composite`: a part of them, or it edited the image. Absent if no known model did. The file has the corresponding mark in its metadata (IPTC digital source type).
             * @enum {string}
             */
            origin?: "generated" | "composite";
            /** @description The name in `outputs` of the workflow. */
            name: string;
            /** @description Of a PDF. `width` and `height` are those of the first page, in pixels at its density. */
            pages?: number;
            /** @description Of a set: all files, format by format, each from the smallest width. `url` is the widest file of the last format, for clients that can't choose. */
            files?: components["schemas"]["OutputFile"][];
            /** @description Of a set: the value of the HTML attribute `srcset`, by format. */
            srcset?: {
                [key: string]: string;
            };
            /** @description Of a set: the dominant colour as `#rrggbb`, for the time until a file is loaded. */
            color?: string;
            /** @description Of a set: a BlurHash. */
            blurhash?: string;
        };
        NamedOutputSettings: {
            /** @description The node of the image. For a PDF, a list of nodes gives the pages in their order. */
            node: string | string[];
            /** @description `auto` chooses `png`, `jpeg` or `webp` by content. Default: `webp` for an animation, `png` if the image has transparency or `lossless` is true, otherwise `jpeg`. `pdf` makes a document with a page for each image; it can't be a template. Can be a template. */
            format?: unknown;
            /** @description File name of the output image. Can be a template. */
            name?: unknown;
            /** @description Quality of lossy compression. `auto` chooses the lowest one without visible differences, in at most three encodes. No effect on lossless formats. Default: 80, avif 50. Can be a template. */
            quality?: unknown;
            /** @description CPU time spent on a smaller file at the same quality. Default: medium. Can be a template. */
            effort?: unknown;
            /** @description Whether to encode without loss. Default: true for png, false for other formats. Can be a template. */
            lossless?: unknown;
            /** @description Chroma subsampling. `4:4:4` stores the colour of each pixel, better for text and red edges. `4:2:0` stores one colour for 2 x 2 pixels. Default: jpeg 4:2:0, avif 4:4:4. Can be a template. */
            chroma?: unknown;
            /** @description Whether browsers can show a preview of the entire image while it loads. Can be a template. */
            progressive?: unknown;
            /** @description Maximum file size. Chooses the highest quality that fits. `quality` is the upper bound. Can be a template. */
            maxBytes?: unknown;
            /** @description Whether to copy EXIF (including location, without thumbnail), XMP, IPTC and density of the first source. Default: strip. Can be a template. */
            metadata?: unknown;
            /** @description Colour profile. `srgb` (default) embeds no profile, `p3` embeds Display P3, `keep` embeds the RGB profile of the first source. Can be a template. */
            profile?: unknown;
            /** @description Whether the output is signed with Content Credentials (C2PA), which record how it was made. `auto` (default): if an AI model made any of its pixels, or a source has credentials. Can be a template. */
            credentials?: unknown;
            /** @description Whether a JPEG keeps the gain map of an HDR photo, with which screens show its highlights brighter than white. Only if all steps resize, crop, flip or turn the photo. Default: keep. Can be a template. */
            hdr?: unknown;
            /** @description Pixels per inch for printing. Pixels stay unchanged. Can be a template. */
            density?: unknown;
            /** @description Width of the file. The height is proportional, and the image is never enlarged. Can be a template. */
            width?: unknown;
            /** @description Makes a set with a file for each width. The image is never enlarged: instead of larger widths, the set has one file with the width of the image. Can be a template. */
            widths?: unknown;
            /** @description Makes a set with a file for each format. Put the format that every browser can show last. Can be a template. */
            formats?: unknown;
            /** @description Size of the pages of a PDF. Default: the size of each image at `density`, with its margin. Can be a template. */
            pageSize?: unknown;
            /** @description Width of the pages, instead of `pageSize`. Can be a template. */
            pageWidth?: unknown;
            /** @description Height of the pages, instead of `pageSize`. Can be a template. */
            pageHeight?: unknown;
            /** @description Of a `pageSize`. `auto` (default): each page as its image. Can be a template. */
            orientation?: unknown;
            /** @description White space on each side of a page. Default: 0. Can be a template. */
            margin?: unknown;
        };
        NamedOutputSettingsInput: {
            /** @description The node of the image. For a PDF, a list of nodes gives the pages in their order. */
            node: string | string[];
            /** @description `auto` chooses `png`, `jpeg` or `webp` by content. Default: `webp` for an animation, `png` if the image has transparency or `lossless` is true, otherwise `jpeg`. `pdf` makes a document with a page for each image; it can't be a template. Can be a template. */
            format?: unknown;
            /** @description File name of the output image. Can be a template. */
            name?: unknown;
            /** @description Quality of lossy compression. `auto` chooses the lowest one without visible differences, in at most three encodes. No effect on lossless formats. Default: 80, avif 50. Can be a template. */
            quality?: unknown;
            /** @description CPU time spent on a smaller file at the same quality. Default: medium. Can be a template. */
            effort?: unknown;
            /** @description Whether to encode without loss. Default: true for png, false for other formats. Can be a template. */
            lossless?: unknown;
            /** @description Chroma subsampling. `4:4:4` stores the colour of each pixel, better for text and red edges. `4:2:0` stores one colour for 2 x 2 pixels. Default: jpeg 4:2:0, avif 4:4:4. Can be a template. */
            chroma?: unknown;
            /** @description Whether browsers can show a preview of the entire image while it loads. Can be a template. */
            progressive?: unknown;
            /** @description Maximum file size. Chooses the highest quality that fits. `quality` is the upper bound. Can be a template. */
            maxBytes?: unknown;
            /** @description Whether to copy EXIF (including location, without thumbnail), XMP, IPTC and density of the first source. Default: strip. Can be a template. */
            metadata?: unknown;
            /** @description Colour profile. `srgb` (default) embeds no profile, `p3` embeds Display P3, `keep` embeds the RGB profile of the first source. Can be a template. */
            profile?: unknown;
            /** @description Whether the output is signed with Content Credentials (C2PA), which record how it was made. `auto` (default): if an AI model made any of its pixels, or a source has credentials. Can be a template. */
            credentials?: unknown;
            /** @description Whether a JPEG keeps the gain map of an HDR photo, with which screens show its highlights brighter than white. Only if all steps resize, crop, flip or turn the photo. Default: keep. Can be a template. */
            hdr?: unknown;
            /** @description Pixels per inch for printing. Pixels stay unchanged. Can be a template. */
            density?: unknown;
            /** @description Width of the file. The height is proportional, and the image is never enlarged. Can be a template. */
            width?: unknown;
            /** @description Makes a set with a file for each width. The image is never enlarged: instead of larger widths, the set has one file with the width of the image. Can be a template. */
            widths?: unknown;
            /** @description Makes a set with a file for each format. Put the format that every browser can show last. Can be a template. */
            formats?: unknown;
            /** @description Size of the pages of a PDF. Default: the size of each image at `density`, with its margin. Can be a template. */
            pageSize?: unknown;
            /** @description Width of the pages, instead of `pageSize`. Can be a template. */
            pageWidth?: unknown;
            /** @description Height of the pages, instead of `pageSize`. Can be a template. */
            pageHeight?: unknown;
            /** @description Of a `pageSize`. `auto` (default): each page as its image. Can be a template. */
            orientation?: unknown;
            /** @description White space on each side of a page. Default: 0. Can be a template. */
            margin?: unknown;
        };
        NewApiKey: {
            id: string;
            name: string;
            /** @description The first 12 characters of the key. */
            prefix: string;
            permissions: ("workflows:read" | "workflows:execute" | "workflows:write" | "storage:read" | "storage:write" | "projects:read" | "projects:write" | "webhooks:read" | "webhooks:write" | "all")[];
            /**
             * Format: date-time
             * @description ISO 8601, UTC.
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description ISO 8601, UTC.
             */
            expiresAt?: string;
            /**
             * Format: date-time
             * @description ISO 8601, UTC. In the future if the key was rotated and is still active.
             */
            revokedAt?: string;
            /**
             * Format: date-time
             * @description ISO 8601, UTC. Updated at most once a minute.
             */
            lastUsedAt?: string;
            /** @description Whether this request used the key. */
            current: boolean;
            /** @description The full key. Returned only in this response, and not stored. */
            key: string;
        };
        NewSigningKey: {
            /** @description The `kid` of URLs. */
            id: string;
            name: string;
            /** @description Ids. Absent for all workflows. */
            workflows?: string[];
            images: boolean;
            monthlyBudgetUsd: number;
            /** @description Spent and reserved in this calendar month (UTC). Absent without a budget. */
            spentUsd?: number;
            /**
             * Format: date-time
             * @description ISO 8601, UTC.
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description ISO 8601, UTC.
             */
            expiresAt?: string;
            /**
             * Format: date-time
             * @description ISO 8601, UTC. In the future if the key was rotated and its URLs are still valid.
             */
            revokedAt?: string;
            /**
             * Format: date-time
             * @description ISO 8601, UTC. Updated at most once a minute.
             */
            lastUsedAt?: string;
            /** @description The secret. Returned only in this response. */
            secret: string;
        };
        NewWebhookEndpoint: {
            id: string;
            url: string;
            description: string;
            /** @description Absent if all types are sent. */
            eventTypes?: ("execution.completed" | "execution.failed" | "batch.completed" | "workflow.published" | "budget.reached" | "key.expiring" | "webhook.disabled")[];
            disabled: boolean;
            /**
             * Format: date-time
             * @description ISO 8601, UTC.
             */
            disabledAt?: string;
            /**
             * @description `gone`: the receiver returned 410. `failing`: no delivery succeeded for 5 days. `backlog`: more than 50000 deliveries were waiting. `caller`: by a request.
             * @enum {string}
             */
            disabledReason?: "gone" | "failing" | "backlog" | "caller";
            /**
             * Format: date-time
             * @description The first failed attempt since the last successful delivery.
             */
            failingSince?: string;
            /**
             * Format: date-time
             * @description ISO 8601, UTC.
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description ISO 8601, UTC.
             */
            updatedAt: string;
            /** @description Signs webhooks: `whsec_` and base64, as in Standard Webhooks. */
            secret: string;
            /**
             * Format: date-time
             * @description After a rotation: until then, webhooks have a signature of the old secret, too.
             */
            previousSecretUntil?: string;
        };
        NumberParameter: {
            /** @description Name of the parameter in templates and requests. */
            name: string;
            /** @description Whether each execution must pass a value. */
            required?: boolean;
            description?: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "number";
            default?: number;
            /** @description Minimum value. */
            minimum?: number;
            /** @description Maximum value. */
            maximum?: number;
        };
        NumberParameterInput: {
            /** @description Name of the parameter in templates and requests. */
            name: string;
            /** @description Whether each execution must pass a value. */
            required?: boolean;
            description?: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "number";
            default?: number;
            /** @description Minimum value. */
            minimum?: number;
            /** @description Maximum value. */
            maximum?: number;
        };
        OpenApiDocument: {
            openapi: string;
        } & {
            [key: string]: unknown;
        };
        Operation: {
            /** @description The value of `type` in a node. */
            id: string;
            version: number;
            title: string;
            summary: string;
            /** @description Synonyms and tasks for a search, such as "overlay" and "merge" for `composite`. */
            keywords: string[];
            /** @enum {string} */
            group: "source" | "ai" | "geometry" | "colour" | "filter" | "combine" | "text" | "analyse" | "animation";
            inputs: components["schemas"]["Socket"][];
            /** @description JSON Schema of the params. */
            params: unknown;
            outputs: components["schemas"]["OperationOutputs"];
            /**
             * @description Effect on transparency. `kept`: each pixel keeps its alpha. `moved`: alpha moves with the pixels. `made`: the operation sets alpha.
             * @enum {string}
             */
            alpha: "kept" | "moved" | "made";
            /**
             * @description Effect on animations. `each`: processes each frame separately. `whole`: processes all frames together. `first`: uses the first frame only. `none`: has no image input.
             * @enum {string}
             */
            frames: "each" | "whole" | "first" | "none";
            /** @description The capability that the AI model needs, as in `GET /providers`. Null if the operation uses no AI model. */
            asks: ("generate" | "edit" | "inpaint" | "remove-background" | "upscale" | "describe" | "write" | "judge") | null;
            /** @description Whether the same inputs and params always produce the same result. False if this depends on a param such as a seed. */
            deterministic: boolean;
            examples: components["schemas"]["OperationExample"][];
        };
        OperationExample: {
            name: string;
            params: {
                [key: string]: unknown;
            };
        };
        OperationOutputs: {
            /** @description Description of the output image. Null if the operation has no output image. */
            image: string | null;
            values: {
                [key: string]: unknown;
            };
            structured?: components["schemas"]["StructuredValue"];
        };
        Operations: {
            operations: components["schemas"]["Operation"][];
        };
        /** @description The file and the new output. */
        OutputDifference: {
            sameSize: boolean;
            /** @description Share of the pixels, 0 to 1. */
            differing: number | null;
            /** @description The largest difference of a channel, 0 to 255. */
            maxDifference: number | null;
        };
        OutputFile: {
            url: string;
            width: number;
            height: number;
            /** @enum {string} */
            format: "png" | "jpeg" | "webp" | "avif" | "gif" | "tiff" | "svg" | "pdf" | "psd";
            imageId: string;
            /** @description A signed URL of a small WebP of the image, for lists and galleries. Valid for at least a day. It changes once a day. Absent if the account has no private images: then use the path `/images/{imageId}/thumbnail`. */
            thumbnailUrl?: string;
            /** @description Bytes. */
            size: number;
            /**
             * @description Whether a generative AI model made the pixels. `generated`: all of them. `composite`: a part of them, or it edited the image. Absent if no known model did. The file has the corresponding mark in its metadata (IPTC digital source type).
             * @enum {string}
             */
            origin?: "generated" | "composite";
        };
        OutputSettings: {
            /** @description The id of a node, or `<node>.<output>` for a named output of a node of the type `workflow`. */
            node: string;
            /** @description `auto` chooses by content: `png` for flat graphics, `jpeg` for photos, `webp` for transparent photos and animations. Default: `webp` for an animation, `png` if the image has transparency or `lossless` is true, otherwise `jpeg`. jpeg, avif and tiff encode the first frame. Can be a template. */
            format?: unknown;
            /** @description File name of the output image. Can be a template. */
            name?: unknown;
            /** @description Quality of lossy compression. `auto` chooses the lowest one without visible differences, in at most three encodes. No effect on lossless formats. Default: 80, avif 50. Can be a template. */
            quality?: unknown;
            /** @description CPU time spent on a smaller file at the same quality. Default: medium. Can be a template. */
            effort?: unknown;
            /** @description Whether to encode without loss. Default: true for png, false for other formats. Can be a template. */
            lossless?: unknown;
            /** @description Chroma subsampling. `4:4:4` stores the colour of each pixel, better for text and red edges. `4:2:0` stores one colour for 2 x 2 pixels. Default: jpeg 4:2:0, avif 4:4:4. Can be a template. */
            chroma?: unknown;
            /** @description Whether browsers can show a preview of the entire image while it loads. Can be a template. */
            progressive?: unknown;
            /** @description Maximum file size. Chooses the highest quality that fits. `quality` is the upper bound. Can be a template. */
            maxBytes?: unknown;
            /** @description Whether to copy EXIF (including location, without thumbnail), XMP, IPTC and density of the first source. Default: strip. Can be a template. */
            metadata?: unknown;
            /** @description Colour profile. `srgb` (default) embeds no profile, `p3` embeds Display P3, `keep` embeds the RGB profile of the first source. Can be a template. */
            profile?: unknown;
            /** @description Whether the output is signed with Content Credentials (C2PA), which record how it was made. `auto` (default): if an AI model made any of its pixels, or a source has credentials. Can be a template. */
            credentials?: unknown;
            /** @description Whether a JPEG keeps the gain map of an HDR photo, with which screens show its highlights brighter than white. Only if all steps resize, crop, flip or turn the photo. Default: keep. Can be a template. */
            hdr?: unknown;
            /** @description Pixels per inch for printing. Pixels stay unchanged. Can be a template. */
            density?: unknown;
        };
        OutputSettingsInput: {
            /** @description The id of a node, or `<node>.<output>` for a named output of a node of the type `workflow`. */
            node: string;
            /** @description `auto` chooses by content: `png` for flat graphics, `jpeg` for photos, `webp` for transparent photos and animations. Default: `webp` for an animation, `png` if the image has transparency or `lossless` is true, otherwise `jpeg`. jpeg, avif and tiff encode the first frame. Can be a template. */
            format?: unknown;
            /** @description File name of the output image. Can be a template. */
            name?: unknown;
            /** @description Quality of lossy compression. `auto` chooses the lowest one without visible differences, in at most three encodes. No effect on lossless formats. Default: 80, avif 50. Can be a template. */
            quality?: unknown;
            /** @description CPU time spent on a smaller file at the same quality. Default: medium. Can be a template. */
            effort?: unknown;
            /** @description Whether to encode without loss. Default: true for png, false for other formats. Can be a template. */
            lossless?: unknown;
            /** @description Chroma subsampling. `4:4:4` stores the colour of each pixel, better for text and red edges. `4:2:0` stores one colour for 2 x 2 pixels. Default: jpeg 4:2:0, avif 4:4:4. Can be a template. */
            chroma?: unknown;
            /** @description Whether browsers can show a preview of the entire image while it loads. Can be a template. */
            progressive?: unknown;
            /** @description Maximum file size. Chooses the highest quality that fits. `quality` is the upper bound. Can be a template. */
            maxBytes?: unknown;
            /** @description Whether to copy EXIF (including location, without thumbnail), XMP, IPTC and density of the first source. Default: strip. Can be a template. */
            metadata?: unknown;
            /** @description Colour profile. `srgb` (default) embeds no profile, `p3` embeds Display P3, `keep` embeds the RGB profile of the first source. Can be a template. */
            profile?: unknown;
            /** @description Whether the output is signed with Content Credentials (C2PA), which record how it was made. `auto` (default): if an AI model made any of its pixels, or a source has credentials. Can be a template. */
            credentials?: unknown;
            /** @description Whether a JPEG keeps the gain map of an HDR photo, with which screens show its highlights brighter than white. Only if all steps resize, crop, flip or turn the photo. Default: keep. Can be a template. */
            hdr?: unknown;
            /** @description Pixels per inch for printing. Pixels stay unchanged. Can be a template. */
            density?: unknown;
        };
        /** @description A parameter of the workflow: a number, or a string, which can be an image id or URL. */
        Parameter: components["schemas"]["StringParameter"] | components["schemas"]["NumberParameter"];
        /** @description A parameter of the workflow: a number, or a string, which can be an image id or URL. */
        ParameterInput: components["schemas"]["StringParameterInput"] | components["schemas"]["NumberParameterInput"];
        PlannedFile: {
            width?: number;
            format?: string;
        };
        PlannedOutput: {
            name: string;
            /** @description The node of the image, or the nodes of the pages. */
            nodes: string[];
            /** @description Resolved settings. Null if they are not known yet. */
            settings: {
                [key: string]: unknown;
            } | null;
            /** @description The files: the width is at most this one, and a missing width or format depends on the image. Null if they are not known yet. */
            files: components["schemas"]["PlannedFile"][] | null;
        };
        PlannedStep: {
            node: string;
            operation: string;
            /**
             * @description `decide`: known only after other nodes have run. `unneeded`: no other node uses the result.
             * @enum {string}
             */
            action: "run" | "skip" | "decide" | "unneeded";
            /** @description Resolved params, including defaults. Null if they are known only after other nodes have run. */
            params: {
                [key: string]: unknown;
            } | null;
            /** @description The node that is processed in the same call of the image library, without an intermediate image. The id of this node if it is fused with the encoding. */
            fusedWith: string | null;
            /** @description `cache`: the node would not run, because its result or the result of a later node is cached. */
            servedFrom: "cache" | null;
            /** @description Milliseconds: the median of the operation in recent executions of the account. */
            expectedDuration: number | null;
            /** @description Estimated cost of AI model calls in US dollars. Null if a price is unknown. */
            cost?: components["schemas"]["CostRange"] | null;
            /** @description Identifies the work of the step: its settings and all that it depends on. Compare it with the steps of an execution with `previews: true`. Absent for `unneeded`. */
            fingerprint?: string;
        };
        /**
         * @example {
         *       "id": "proj_06h15x0nmc00a1tqg3m5y0w2v8fk",
         *       "name": "Spring campaign",
         *       "description": "",
         *       "createdAt": "2026-11-25T13:48:06.118Z",
         *       "updatedAt": "2026-11-25T13:48:06.118Z"
         *     }
         */
        Project: {
            id: string;
            name: string;
            description: string;
            /**
             * @description The URLs of its images require a signature.
             * @enum {boolean}
             */
            private?: true;
            /**
             * Format: date-time
             * @description ISO 8601, UTC.
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description ISO 8601, UTC.
             */
            updatedAt: string;
        };
        ProjectBrand: {
            projectId: string;
            /** @description The values of the project by name. */
            values: {
                [key: string]: components["schemas"]["BrandValue"];
            };
            /** @description The values of the account that the project does not replace. */
            inherited: {
                [key: string]: components["schemas"]["BrandValue"];
            };
            /**
             * Format: date-time
             * @description Absent if it was never saved.
             */
            updatedAt?: string;
        };
        ProjectPage: {
            projects: components["schemas"]["Project"][];
            /** @description Total number of matching results. */
            total: number;
            /** @description Whether more results follow this page. */
            hasMore: boolean;
        };
        ProjectsCreateRequest: {
            name: string;
            description?: string;
            /** @description Whether the URLs of all images of the project, also of outputs of its workflows, require a signature that expires. */
            private?: boolean;
        };
        ProjectsUpdateRequest: {
            name?: string;
            description?: string;
            /** @description Whether the URLs of all images of the project, also of outputs of its workflows, require a signature that expires. */
            private?: boolean;
        };
        Provider: {
            /** @description The part before the slash in the name of a model. */
            id: string;
            title: string;
            summary: string;
            docsUrl: string | null;
            configured: boolean;
            /** @description Settings that are missing to enable the provider. */
            missing: string[];
            /** @description Reason why the provider is not configured. */
            problem: string | null;
            capabilities: ("generate" | "edit" | "inpaint" | "remove-background" | "upscale" | "describe" | "write" | "judge")[];
            models: components["schemas"]["ProviderModel"][];
        };
        ProviderModel: {
            /** @description `provider/model`. A name that ends in `*` matches all models with this prefix. */
            model: string;
            /** @description Features by capability. */
            can: {
                [key: string]: components["schemas"]["ModelCapability"];
            };
            defaultFor: ("generate" | "edit" | "inpaint" | "remove-background" | "upscale" | "describe" | "write" | "judge")[];
            /** @description Reason why the model is unavailable although its provider is configured, such as a model that is not installed. */
            problem: string | null;
            local?: components["schemas"]["LocalModel"];
        };
        Providers: {
            providers: components["schemas"]["Provider"][];
            defaults: components["schemas"]["DefaultModels"];
        };
        PublishedWorkflow: {
            id: string;
            version: number;
            name?: string;
            projectId?: string;
            slug?: string;
            /**
             * Format: date-time
             * @description ISO 8601, UTC.
             */
            createdAt?: string;
            /**
             * Format: date-time
             * @description ISO 8601, UTC.
             */
            updatedAt?: string;
            /**
             * @description The event would have more than 20480 bytes, so it has ids and the status only.
             * @enum {boolean}
             */
            isShortened?: true;
        };
        ReachedBudget: {
            /** @description Such as `2026-11`, in UTC. */
            month: string;
            /** @description Percent of the budget: 80 or 100. */
            threshold: number;
            budgetUsd: number;
            /** @description With threshold 100 it can be lower than the budget: the next model call would exceed it. */
            spentUsd: number;
        };
        ReexecutedStep: {
            node: string;
            operation: string;
            /**
             * @description `unknown`: its pixels were not recorded. `skipped`: it was not executed again.
             * @enum {string}
             */
            result: "equal" | "different" | "unknown" | "skipped";
            message?: string;
        };
        Reexecution: {
            /**
             * @description `equal`: the output has the same pixels. `partial`: the output depends on an AI model, and all steps that could be compared have the same pixels. `different`: the pixels of the output or of a step differ. `impossible`: see the message.
             * @enum {string}
             */
            result: "equal" | "partial" | "different" | "impossible";
            /** @description One or more sentences. */
            message: string;
            executionId?: string;
            workflowId?: string;
            /** @description Missing for a draft. */
            workflowVersion?: number;
            /** @description In the order of work. */
            steps: components["schemas"]["ReexecutedStep"][];
            firstDifference?: components["schemas"]["StepDifference"];
            output?: components["schemas"]["OutputDifference"];
        };
        RetriedBatch: {
            batch: components["schemas"]["Batch"];
            /** @description Number of rows. */
            retried: number;
        };
        RotatedApiKey: {
            id: string;
            name: string;
            /** @description The first 12 characters of the key. */
            prefix: string;
            permissions: ("workflows:read" | "workflows:execute" | "workflows:write" | "storage:read" | "storage:write" | "projects:read" | "projects:write" | "webhooks:read" | "webhooks:write" | "all")[];
            /**
             * Format: date-time
             * @description ISO 8601, UTC.
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description ISO 8601, UTC.
             */
            expiresAt?: string;
            /**
             * Format: date-time
             * @description ISO 8601, UTC. In the future if the key was rotated and is still active.
             */
            revokedAt?: string;
            /**
             * Format: date-time
             * @description ISO 8601, UTC. Updated at most once a minute.
             */
            lastUsedAt?: string;
            /** @description Whether this request used the key. */
            current: boolean;
            /** @description The full key. Returned only in this response, and not stored. */
            key: string;
            replaced: components["schemas"]["ApiKey"];
        };
        RotatedSigningKey: {
            /** @description The `kid` of URLs. */
            id: string;
            name: string;
            /** @description Ids. Absent for all workflows. */
            workflows?: string[];
            images: boolean;
            monthlyBudgetUsd: number;
            /** @description Spent and reserved in this calendar month (UTC). Absent without a budget. */
            spentUsd?: number;
            /**
             * Format: date-time
             * @description ISO 8601, UTC.
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description ISO 8601, UTC.
             */
            expiresAt?: string;
            /**
             * Format: date-time
             * @description ISO 8601, UTC. In the future if the key was rotated and its URLs are still valid.
             */
            revokedAt?: string;
            /**
             * Format: date-time
             * @description ISO 8601, UTC. Updated at most once a minute.
             */
            lastUsedAt?: string;
            /** @description The secret. Returned only in this response. */
            secret: string;
            replaced: components["schemas"]["SigningKey"];
        };
        Session: {
            account: components["schemas"]["SessionAccount"];
            key: components["schemas"]["SessionKey"];
            /**
             * Format: uri
             * @description The documentation of the service. Missing with `DOCS=false`.
             */
            docsUrl?: string;
        };
        SessionAccount: {
            id: string;
            name: string;
            /** @enum {string} */
            plan: "free" | "starter" | "pro" | "enterprise";
        };
        SessionCreateRequest: {
            /** @description An API key. */
            key: string;
        };
        SessionKey: {
            id: string;
            name: string;
            /** @description The first characters of the key. */
            prefix: string;
            permissions: ("workflows:read" | "workflows:execute" | "workflows:write" | "storage:read" | "storage:write" | "projects:read" | "projects:write" | "webhooks:read" | "webhooks:write" | "all")[];
            /**
             * Format: date-time
             * @description ISO 8601, UTC.
             */
            expiresAt?: string;
        };
        SignedUrl: {
            /** Format: uri */
            url: string;
            /**
             * Format: date-time
             * @description ISO 8601, UTC.
             */
            expiresAt: string;
        };
        SigningKey: {
            /** @description The `kid` of URLs. */
            id: string;
            name: string;
            /** @description Ids. Absent for all workflows. */
            workflows?: string[];
            images: boolean;
            monthlyBudgetUsd: number;
            /** @description Spent and reserved in this calendar month (UTC). Absent without a budget. */
            spentUsd?: number;
            /**
             * Format: date-time
             * @description ISO 8601, UTC.
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description ISO 8601, UTC.
             */
            expiresAt?: string;
            /**
             * Format: date-time
             * @description ISO 8601, UTC. In the future if the key was rotated and its URLs are still valid.
             */
            revokedAt?: string;
            /**
             * Format: date-time
             * @description ISO 8601, UTC. Updated at most once a minute.
             */
            lastUsedAt?: string;
        };
        SigningKeyPage: {
            signingKeys: components["schemas"]["SigningKey"][];
            /** @description Total number of matching results. */
            total: number;
            /** @description Whether more results follow this page. */
            hasMore: boolean;
        };
        SigningKeysCreateRequest: {
            name?: string;
            /** @description The ids or slugs of the workflows whose URLs the key signs. Default: all workflows of the account that allow delivery URLs. Duplicates are removed. */
            workflows?: string[];
            /** @description Whether the key signs URLs of all images of the account, also of private images. Default: true without `workflows`, otherwise false. */
            images?: boolean;
            /** @description The most that executions by URLs of the key can spend on AI models in a calendar month (UTC), in US dollars. Default: 0. Workflows with `delivery.paid` require more than 0. */
            monthlyBudgetUsd?: number;
            /** @description Days (24 hours each) until all URLs of the key are rejected. Default: never. */
            expiresInDays?: number;
        };
        SigningKeysRotateRequest: {
            /** @description Seconds until URLs with the old key are rejected. Default: 86400 (one day). */
            overlapSeconds?: number;
        };
        SigningKeysSignRequest: {
            /** @description The last part of the path: `card.webp`, `card@3.webp`, `card@live.auto` or `<image id>.webp`. */
            file: string;
            /** @description The parameters of the workflow, or `w`, `h`, `fit`, `dpr` and `q` of an image. A text stays as it is; other values become JSON. */
            parameters?: {
                [key: string]: unknown;
            };
            /** @description Default: 2592000 (30 days). */
            expiresInSeconds?: number;
        };
        SigningKeysUpdateRequest: {
            name?: string;
            /** @description The ids or slugs of the workflows whose URLs the key signs. Default: all workflows of the account that allow delivery URLs. Duplicates are removed. */
            workflows?: string[];
            /** @description Whether the key signs URLs of all images of the account, also of private images. Default: true without `workflows`, otherwise false. */
            images?: boolean;
            /** @description The most that executions by URLs of the key can spend on AI models in a calendar month (UTC), in US dollars. Default: 0. Workflows with `delivery.paid` require more than 0. */
            monthlyBudgetUsd?: number;
        };
        SizeRange: {
            sideMin: number;
            sideMax: number;
            /** @description Width and height must be multiples of this number. */
            step?: number;
            pixelsMax?: number;
        };
        Socket: {
            name: string;
            description: string;
            required: boolean;
            many: boolean;
        };
        StartedBatch: {
            batch: components["schemas"]["Batch"];
            estimate: components["schemas"]["BatchEstimate"];
        };
        Step: {
            node: string;
            operation: string;
            /** @enum {string} */
            status: "pending" | "running" | "completed" | "skipped" | "failed" | "cancelled";
            /**
             * Format: date-time
             * @description ISO 8601, UTC.
             */
            startedAt?: string;
            /** @description Milliseconds. */
            duration?: number;
            width?: number;
            height?: number;
            /** @description Number of images, if the step ran over a list. `width` and `height` are the size of the first image. */
            count?: number;
            /** @description Names of the outputs in `outputs` that the image becomes. */
            outputs?: string[];
            /**
             * @description Whether a generative AI model made the pixels. `generated`: all of them. `composite`: a part of them, or it edited the image. Absent if no known model did. The file has the corresponding mark in its metadata (IPTC digital source type).
             * @enum {string}
             */
            origin?: "generated" | "composite";
            /**
             * @description Source of the result, if the step did not run. `cache`: the step cache; also if a later step was cached and this result was not needed. `resumed`: the execution that this execution resumes.
             * @enum {string}
             */
            servedFrom?: "cache" | "resumed";
            /** @description AI model calls of the step in their order, including earlier attempts. */
            calls?: components["schemas"]["ModelCall"][];
            /** @description Identifies the work of the step: its settings and all that it depends on. Only for executions with `previews: true`. Compare it with `POST /workflows/validate` to find the steps that a change affects. */
            fingerprint?: string;
            /** @description Problems that did not stop the execution, such as characters that no font has, or a source whose Content Credentials are invalid. */
            warnings?: string[];
            preview?: components["schemas"]["StepPreview"];
            error?: components["schemas"]["StepError"];
        };
        StepDifference: {
            node: string;
            operation: string;
            message: string;
        };
        StepError: {
            message: string;
            details: components["schemas"]["FailureDetails"];
        };
        /** @description Preview of the result, if the execution was started with `previews: true`. */
        StepPreview: {
            url: string;
            width: number;
            height: number;
        };
        Steps: {
            executionId: string;
            steps: components["schemas"]["Step"][];
        };
        /** @description Storage of the account now. */
        StorageUsage: {
            /** @description Bytes of images, of rows of batches, and of texts of at least 16 KiB: versions of workflows, drafts, parameters of executions, and stored responses of requests with an `Idempotency-Key`. Files of delivery URLs do not count. */
            bytes: number;
            /** @description When `bytes` reaches it, uploads, executions and long documents get 403 `forbidden`. Null if unlimited. */
            maxBytes: number | null;
        };
        StringParameter: {
            /** @description Name of the parameter in templates and requests. */
            name: string;
            /** @description Whether each execution must pass a value. */
            required?: boolean;
            description?: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "string";
            /** @description Text. For `format: boolean` also true or false, for `format: json` also the value. */
            default?: unknown;
            /** @description Allowed values. */
            enum?: string[];
            /** @description Labels of the values of `enum` in forms, by value. */
            labels?: {
                [key: string]: string;
            };
            /**
             * @description Format of the text. `image`: an image id, URL or `data:` URL. `boolean` and `json` also accept the value itself, and templates see the value.
             * @enum {string}
             */
            format?: "image" | "color" | "url" | "date" | "multiline" | "font" | "model" | "boolean" | "enum" | "json";
            /** @description JSON Schema 2020-12 of the value, for `format: json`: an object or an array. Keywords: type, title, description, default, enum, properties, required, additionalProperties, items, minItems, maxItems, minLength, maxLength, minimum, maximum, format. */
            schema?: {
                [key: string]: unknown;
            };
        };
        StringParameterInput: {
            /** @description Name of the parameter in templates and requests. */
            name: string;
            /** @description Whether each execution must pass a value. */
            required?: boolean;
            description?: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "string";
            /** @description Text. For `format: boolean` also true or false, for `format: json` also the value. */
            default?: unknown;
            /** @description Allowed values. */
            enum?: string[];
            /** @description Labels of the values of `enum` in forms, by value. */
            labels?: {
                [key: string]: string;
            };
            /**
             * @description Format of the text. `image`: an image id, URL or `data:` URL. `boolean` and `json` also accept the value itself, and templates see the value.
             * @enum {string}
             */
            format?: "image" | "color" | "url" | "date" | "multiline" | "font" | "model" | "boolean" | "enum" | "json";
            /** @description JSON Schema 2020-12 of the value, for `format: json`: an object or an array. Keywords: type, title, description, default, enum, properties, required, additionalProperties, items, minItems, maxItems, minLength, maxLength, minimum, maximum, format. */
            schema?: {
                [key: string]: unknown;
            };
        };
        /** @description A value whose JSON Schema is a param of the node. */
        StructuredValue: {
            value: string;
            param: string;
        };
        TestWebhook: {
            /** @enum {string} */
            type: "webhook.test";
            /**
             * Format: date-time
             * @description Time of the event, ISO 8601, UTC.
             */
            timestamp: string;
            data: components["schemas"]["WebhookTest"];
        };
        Usage: {
            /** @description First day. */
            from: string;
            /** @description Last day. */
            to: string;
            totals: components["schemas"]["UsageTotals"];
            months: components["schemas"]["MonthUsage"][];
            days: components["schemas"]["DayUsage"][];
            workflows: components["schemas"]["WorkflowUsage"][];
            keys: components["schemas"]["KeyUsage"][];
            models: components["schemas"]["ModelUsage"][];
            budget: components["schemas"]["Budget"];
            storage: components["schemas"]["StorageUsage"];
            activity?: components["schemas"]["Activity"];
        };
        UsageTotals: {
            /** @description Number of successful AI model calls. */
            calls: number;
            /** @description Number of failed AI model calls. */
            failures: number;
            /** @description US dollars. Includes the maximum cost of calls with unknown cost, if it is known. */
            costUsd: number;
            /** @description Number of calls with unknown cost. */
            unknownCosts: number;
        };
        Validation: {
            valid: boolean;
            issues: components["schemas"]["Issue"][];
            warnings: components["schemas"]["Issue"][];
            steps: components["schemas"]["PlannedStep"][];
            /** @description Milliseconds from start to stored output, estimated from recent executions of the account. Null if an operation has not run yet. */
            expectedDuration: number | null;
            /** @description Estimated cost of AI model calls in US dollars. Null if a price is unknown. */
            cost: components["schemas"]["CostRange"] | null;
            /** @description Resolved output settings. Null if they are not known yet. */
            output: {
                [key: string]: unknown;
            } | null;
            /** @description The outputs in `outputs`. Absent if the workflow has none, or is not valid. */
            outputs?: components["schemas"]["PlannedOutput"][];
        };
        VerifiedFile: {
            /** @enum {string} */
            format: "png" | "jpeg" | "webp" | "avif" | "gif" | "tiff" | "svg" | "pdf" | "psd";
            /** @description Bytes. */
            size: number;
            /** @description Hash of the bytes, in hex. */
            sha256: string;
            /** @description Null if the file has no Content Credentials. */
            credentials: components["schemas"]["CredentialsReport"] | null;
            /** @description With `reexecute=true`. Null if the file has no facts of an execution. */
            reexecution?: components["schemas"]["Reexecution"] | null;
        };
        WebhookAttempt: {
            /**
             * Format: date-time
             * @description ISO 8601, UTC.
             */
            at: string;
            /** @description Milliseconds. */
            duration: number;
            /** @description HTTP status of the response. Absent without a response. */
            status?: number;
            /** @description The first 1024 bytes of the response. */
            response: string;
            /** @description Why it counts as failed. */
            problem?: string;
        };
        WebhookDelivery: {
            id: string;
            /** @description Absent for the `webhookUrl` of an execution. */
            endpointId?: string;
            url: string;
            /** @description The header `webhook-id`: the same for all endpoints, attempts and replays of an event. */
            eventId: string;
            /** @description The type of the event, or `webhook.test`. */
            eventType: string;
            /**
             * @description `failed`: no attempt follows.
             * @enum {string}
             */
            status: "pending" | "delivered" | "failed";
            /** @description Number of attempts since the last replay. */
            attempts: number;
            /**
             * Format: date-time
             * @description Of a pending delivery. Later than the attempt that is running.
             */
            nextAttemptAt?: string;
            /** @description Reason why it failed without another attempt: `endpoint_disabled`, `endpoint_deleted` or `backlog`. */
            problem?: string;
            /**
             * Format: date-time
             * @description ISO 8601, UTC.
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description ISO 8601, UTC.
             */
            endedAt?: string;
        };
        WebhookDeliveryDetails: {
            id: string;
            /** @description Absent for the `webhookUrl` of an execution. */
            endpointId?: string;
            url: string;
            /** @description The header `webhook-id`: the same for all endpoints, attempts and replays of an event. */
            eventId: string;
            /** @description The type of the event, or `webhook.test`. */
            eventType: string;
            /**
             * @description `failed`: no attempt follows.
             * @enum {string}
             */
            status: "pending" | "delivered" | "failed";
            /** @description Number of attempts since the last replay. */
            attempts: number;
            /**
             * Format: date-time
             * @description Of a pending delivery. Later than the attempt that is running.
             */
            nextAttemptAt?: string;
            /** @description Reason why it failed without another attempt: `endpoint_disabled`, `endpoint_deleted` or `backlog`. */
            problem?: string;
            /**
             * Format: date-time
             * @description ISO 8601, UTC.
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description ISO 8601, UTC.
             */
            endedAt?: string;
            /** @description The JSON text that is sent, the same in each attempt. */
            body: string;
            /** @description The attempts, oldest first, at most the newest 30. */
            log: components["schemas"]["WebhookAttempt"][];
        };
        WebhookDeliveryPage: {
            deliveries: components["schemas"]["WebhookDelivery"][];
            /** @description Total number of matching results. */
            total: number;
            /** @description Whether more results follow this page. */
            hasMore: boolean;
        };
        WebhookDisabledWebhook: {
            /** @enum {string} */
            type: "webhook.disabled";
            /**
             * Format: date-time
             * @description Time of the event, ISO 8601, UTC.
             */
            timestamp: string;
            data: components["schemas"]["DisabledWebhookEndpoint"];
        };
        WebhookEndpoint: {
            id: string;
            url: string;
            description: string;
            /** @description Absent if all types are sent. */
            eventTypes?: ("execution.completed" | "execution.failed" | "batch.completed" | "workflow.published" | "budget.reached" | "key.expiring" | "webhook.disabled")[];
            disabled: boolean;
            /**
             * Format: date-time
             * @description ISO 8601, UTC.
             */
            disabledAt?: string;
            /**
             * @description `gone`: the receiver returned 410. `failing`: no delivery succeeded for 5 days. `backlog`: more than 50000 deliveries were waiting. `caller`: by a request.
             * @enum {string}
             */
            disabledReason?: "gone" | "failing" | "backlog" | "caller";
            /**
             * Format: date-time
             * @description The first failed attempt since the last successful delivery.
             */
            failingSince?: string;
            /**
             * Format: date-time
             * @description ISO 8601, UTC.
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description ISO 8601, UTC.
             */
            updatedAt: string;
        };
        /**
         * @example {
         *       "url": "https://example.com/webhooks/tintype",
         *       "eventTypes": [
         *         "execution.completed",
         *         "execution.failed"
         *       ]
         *     }
         */
        WebhookEndpointInput: {
            /** @description URL of the receiver. Must start with `https://`, unless the operator allows the host. */
            url: string;
            description?: string;
            /** @description Types of events to send. Default: all types, also those of later versions. Duplicates are removed. */
            eventTypes?: ("execution.completed" | "execution.failed" | "batch.completed" | "workflow.published" | "budget.reached" | "key.expiring" | "webhook.disabled")[];
            /** @description Whether nothing is sent. Default: false. */
            disabled?: boolean;
        };
        WebhookEndpointPage: {
            endpoints: components["schemas"]["WebhookEndpoint"][];
            /** @description Total number of matching results. */
            total: number;
            /** @description Whether more results follow this page. */
            hasMore: boolean;
        };
        WebhookEndpointsRotateSecretRequest: {
            /** @description Seconds for which webhooks have signatures of both secrets. Default: 86400 (one day). Must be 0 as long as the secret before still signs: it ends both. */
            overlapSeconds?: number;
        };
        WebhookSecret: {
            /** @description Signs webhooks: `whsec_` and base64, as in Standard Webhooks. */
            secret: string;
            /**
             * Format: date-time
             * @description After a rotation: until then, webhooks have a signature of the old secret, too.
             */
            previousSecretUntil?: string;
        };
        WebhookSecretRotateRequest: {
            /** @description Seconds for which webhooks have signatures of both secrets. Default: 86400 (one day). Must be 0 as long as the secret before still signs: it ends both. */
            overlapSeconds?: number;
        };
        WebhookTest: {
            endpointId: string;
            message: string;
        };
        /**
         * @example {
         *       "id": "wf_06h15x0nmw0097a6m4hdb288e0ha",
         *       "name": "Link preview card",
         *       "description": "",
         *       "projectId": "proj_06h15x0nmc00a1tqg3m5y0w2v8fk",
         *       "parameters": [
         *         {
         *           "name": "headline",
         *           "type": "string",
         *           "required": true
         *         }
         *       ],
         *       "inputSchema": {
         *         "type": "object",
         *         "properties": {
         *           "headline": {
         *             "type": "string"
         *           }
         *         },
         *         "required": [
         *           "headline"
         *         ],
         *         "additionalProperties": false
         *       },
         *       "createdAt": "2026-11-25T13:48:06.118Z",
         *       "updatedAt": "2026-11-25T13:48:06.118Z",
         *       "version": 1
         *     }
         */
        Workflow: {
            id: string;
            name: string;
            description: string;
            projectId: string;
            /** @description Name of the workflow in requests and URLs. Absent if it has none. */
            slug?: string;
            parameters: components["schemas"]["Parameter"][];
            /** @description A JSON Schema (2020-12) of the whole `parameters` object of a request: it accepts exactly what executing the workflow accepts. */
            inputSchema: {
                [key: string]: unknown;
            };
            /**
             * Format: date-time
             * @description ISO 8601, UTC.
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description ISO 8601, UTC.
             */
            updatedAt?: string;
            /** @description The newest version, which executions run by default. */
            version?: number;
            warnings?: components["schemas"]["Issue"][];
            /** @description The outputs in `outputs` of the document: an image, a set of files of one image, or a PDF. Absent if there are none. */
            outputs?: components["schemas"]["DeclaredOutput"][];
            /** @description With `GET`: the workflows that use this one in a node of the type `workflow`, the newest first, at most 100. Absent if there are none. With users, the workflow can't be deleted. */
            usedBy?: components["schemas"]["WorkflowUser"][];
        };
        /**
         * @example {
         *       "name": "Square",
         *       "parameters": [
         *         {
         *           "name": "photo",
         *           "type": "string",
         *           "required": true,
         *           "description": "An image id or URL"
         *         }
         *       ],
         *       "nodes": {
         *         "photo": {
         *           "type": "image",
         *           "params": {
         *             "source": "{{ photo }}"
         *           }
         *         },
         *         "square": {
         *           "type": "resize",
         *           "inputs": {
         *             "image": "photo"
         *           },
         *           "params": {
         *             "width": 600,
         *             "height": 600
         *           }
         *         }
         *       },
         *       "output": {
         *         "node": "square",
         *         "format": "webp"
         *       }
         *     }
         */
        WorkflowDocument: {
            /** @description Not only white space. */
            name: string;
            description?: string;
            parameters?: components["schemas"]["Parameter"][];
            nodes: {
                [key: string]: components["schemas"]["WorkflowNode"];
            };
            output: components["schemas"]["OutputSettings"];
            /** @description Further outputs of each execution, by name: an image, a set of images in several widths and formats, or a PDF. All outputs come from one run of the nodes. */
            outputs?: {
                [key: string]: components["schemas"]["NamedOutputSettings"];
            };
            /** @description Examples for comparing versions. Executions ignore them. */
            examples?: components["schemas"]["WorkflowExample"][];
            delivery?: components["schemas"]["Delivery"];
            /** @description Positions of nodes in the console. Has no effect on executions. */
            layout?: unknown;
        };
        /**
         * @example {
         *       "name": "Square",
         *       "parameters": [
         *         {
         *           "name": "photo",
         *           "type": "string",
         *           "required": true,
         *           "description": "An image id or URL"
         *         }
         *       ],
         *       "nodes": {
         *         "photo": {
         *           "type": "image",
         *           "params": {
         *             "source": "{{ photo }}"
         *           }
         *         },
         *         "square": {
         *           "type": "resize",
         *           "inputs": {
         *             "image": "photo"
         *           },
         *           "params": {
         *             "width": 600,
         *             "height": 600
         *           }
         *         }
         *       },
         *       "output": {
         *         "node": "square",
         *         "format": "webp"
         *       }
         *     }
         */
        WorkflowDocumentInput: {
            /** @description Not only white space. */
            name: string;
            description?: string;
            parameters?: components["schemas"]["ParameterInput"][];
            nodes: {
                [key: string]: components["schemas"]["WorkflowNodeInput"];
            };
            output: components["schemas"]["OutputSettingsInput"];
            /** @description Further outputs of each execution, by name: an image, a set of images in several widths and formats, or a PDF. All outputs come from one run of the nodes. */
            outputs?: {
                [key: string]: components["schemas"]["NamedOutputSettingsInput"];
            };
            /** @description Examples for comparing versions. Executions ignore them. */
            examples?: components["schemas"]["WorkflowExampleInput"][];
            delivery?: components["schemas"]["DeliveryInput"];
            /** @description Positions of nodes in the console. Has no effect on executions. */
            layout?: unknown;
        };
        WorkflowExample: {
            /** @description Name of the example, and file name of its golden image. */
            name: string;
            /** @description Parameter values, as in a request to execute the workflow. */
            parameters?: {
                [key: string]: unknown;
            };
        };
        WorkflowExampleInput: {
            /** @description Name of the example, and file name of its golden image. */
            name: string;
            /** @description Parameter values, as in a request to execute the workflow. */
            parameters?: {
                [key: string]: unknown;
            };
        };
        /**
         * @example {
         *       "name": "Square",
         *       "parameters": [
         *         {
         *           "name": "photo",
         *           "type": "string",
         *           "required": true,
         *           "description": "An image id or URL"
         *         }
         *       ],
         *       "nodes": {
         *         "photo": {
         *           "type": "image",
         *           "params": {
         *             "source": "{{ photo }}"
         *           }
         *         },
         *         "square": {
         *           "type": "resize",
         *           "inputs": {
         *             "image": "photo"
         *           },
         *           "params": {
         *             "width": 600,
         *             "height": 600
         *           }
         *         }
         *       },
         *       "output": {
         *         "node": "square",
         *         "format": "webp"
         *       }
         *     }
         */
        WorkflowInput: {
            /** @description Not only white space. */
            name: string;
            description?: string;
            parameters?: components["schemas"]["ParameterInput"][];
            nodes: {
                [key: string]: components["schemas"]["WorkflowNodeInput"];
            };
            output: components["schemas"]["OutputSettingsInput"];
            /** @description Further outputs of each execution, by name: an image, a set of images in several widths and formats, or a PDF. All outputs come from one run of the nodes. */
            outputs?: {
                [key: string]: components["schemas"]["NamedOutputSettingsInput"];
            };
            /** @description Examples for comparing versions. Executions ignore them. */
            examples?: components["schemas"]["WorkflowExampleInput"][];
            delivery?: components["schemas"]["DeliveryInput"];
            /** @description Positions of nodes in the console. Has no effect on executions. */
            layout?: unknown;
            /** @description The project of the workflow. Default: the project "Default" for a new workflow, otherwise the current project. */
            projectId?: string;
            /** @description Name of the workflow in requests and URLs, unique in the account: a-z, then a-z 0-9 -, at most 63. Not `drafts`, `execute`, `executions` or `validate`. Default: none for a new workflow, otherwise the current slug. */
            slug?: string;
        };
        WorkflowNode: {
            /** @description The id of an operation from `GET /operations`, or `workflow` for a saved workflow. */
            type: string;
            /** @description The workflow that a node of the type `workflow` uses: its slug or id, and the version, as `link-card@7`. Its parameters are the params of the node, its image parameters also the inputs, and its outputs the images. */
            workflow?: string;
            /** @description Image inputs: socket name to node id, or to a list of node ids if the socket accepts several. */
            inputs?: {
                [key: string]: string | string[];
            };
            /** @description Params of the operation. Each value is a literal or a template. `GET /operations` has the JSON Schema for each operation. */
            params?: {
                [key: string]: unknown;
            };
            /** @description Runs the node once for each value of a list, or a number of times, and returns a list of images. A list, a count, or a template that renders to one. Templates of the node can use `item` (the value) and `index` (from 0). */
            each?: unknown;
            /** @description Whether results are read from and written to the step cache. Default: true. With false, the node and all nodes that depend on it always run. */
            cache?: boolean;
            /** @description A template. If it renders to an empty text, `false` or `0`, the node is skipped and returns its first input. */
            when?: string | boolean;
        };
        WorkflowNodeInput: {
            /** @description The id of an operation from `GET /operations`, or `workflow` for a saved workflow. */
            type: string;
            /** @description The workflow that a node of the type `workflow` uses: its slug or id, and the version, as `link-card@7`. Its parameters are the params of the node, its image parameters also the inputs, and its outputs the images. */
            workflow?: string;
            /** @description Image inputs: socket name to node id, or to a list of node ids if the socket accepts several. */
            inputs?: {
                [key: string]: string | string[];
            };
            /** @description Params of the operation. Each value is a literal or a template. `GET /operations` has the JSON Schema for each operation. */
            params?: {
                [key: string]: unknown;
            };
            /** @description Runs the node once for each value of a list, or a number of times, and returns a list of images. A list, a count, or a template that renders to one. Templates of the node can use `item` (the value) and `index` (from 0). */
            each?: unknown;
            /** @description Whether results are read from and written to the step cache. Default: true. With false, the node and all nodes that depend on it always run. */
            cache?: boolean;
            /** @description A template. If it renders to an empty text, `false` or `0`, the node is skipped and returns its first input. */
            when?: string | boolean;
        };
        WorkflowPage: {
            workflows: components["schemas"]["WorkflowSummary"][];
            /** @description Total number of matching results. */
            total: number;
            /** @description Whether more results follow this page. */
            hasMore: boolean;
        };
        WorkflowPublishedWebhook: {
            /** @enum {string} */
            type: "workflow.published";
            /**
             * Format: date-time
             * @description Time of the event, ISO 8601, UTC.
             */
            timestamp: string;
            data: components["schemas"]["PublishedWorkflow"];
        };
        WorkflowReplacement: {
            id: string;
            name: string;
            description: string;
            projectId: string;
            /** @description Name of the workflow in requests and URLs. Absent if it has none. */
            slug?: string;
            parameters: components["schemas"]["Parameter"][];
            /** @description A JSON Schema (2020-12) of the whole `parameters` object of a request: it accepts exactly what executing the workflow accepts. */
            inputSchema: {
                [key: string]: unknown;
            };
            /**
             * Format: date-time
             * @description ISO 8601, UTC.
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description ISO 8601, UTC.
             */
            updatedAt?: string;
            /** @description The newest version, which executions run by default. */
            version?: number;
            warnings?: components["schemas"]["Issue"][];
            /** @description The outputs in `outputs` of the document: an image, a set of files of one image, or a PDF. Absent if there are none. */
            outputs?: components["schemas"]["DeclaredOutput"][];
            /** @description With `GET`: the workflows that use this one in a node of the type `workflow`, the newest first, at most 100. Absent if there are none. With users, the workflow can't be deleted. */
            usedBy?: components["schemas"]["WorkflowUser"][];
            comparison?: components["schemas"]["Comparison"];
        };
        WorkflowSummary: {
            id: string;
            name: string;
            projectId: string;
            /**
             * Format: date-time
             * @description ISO 8601, UTC.
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description ISO 8601, UTC.
             */
            updatedAt: string;
            /** @description With `include=version`. Absent if it has none. */
            slug?: string;
            /** @description With `include=version`: the newest version. */
            version?: number;
            lastOutput?: components["schemas"]["LastOutput"];
        };
        WorkflowUsage: {
            workflowId: string;
            /** @description Number of successful AI model calls. */
            calls: number;
            /** @description Number of failed AI model calls. */
            failures: number;
            /** @description US dollars. Includes the maximum cost of calls with unknown cost, if it is known. */
            costUsd: number;
            /** @description Number of calls with unknown cost. */
            unknownCosts: number;
        };
        WorkflowUser: {
            workflowId: string;
            name: string;
            slug?: string;
            /** @description The newest version of that workflow that uses this one. */
            version: number;
            /** @description The newest version of this workflow that it uses. */
            usedVersion: number;
        };
        WorkflowVersion: {
            version: number;
            /**
             * Format: date-time
             * @description ISO 8601, UTC.
             */
            createdAt: string;
            /** @description The note of the publisher. */
            note?: string;
        };
        WorkflowVersionPage: {
            versions: components["schemas"]["WorkflowVersion"][];
            /** @description Total number of matching results. */
            total: number;
            /** @description Whether more results follow this page. */
            hasMore: boolean;
        };
        /**
         * @example {
         *       "workflowId": "wf_06h15x0nmw0097a6m4hdb288e0ha",
         *       "parameters": {
         *         "headline": "Hello from Tintype"
         *       }
         *     }
         */
        WorkflowsExecuteRequest: {
            /** @description The id or the slug of the workflow. */
            workflowId: string;
            /** @description Values by parameter name. */
            parameters?: {
                [key: string]: unknown;
            };
            /** @description The version to execute. Default: the newest version. */
            version?: number;
            /** @description The channel whose version to execute, such as `live`. Not together with `version`. */
            channel?: string;
            /** @description Store a preview of each step result, available during and after the execution. Default: false. */
            previews?: boolean;
            /** @description Return an execution id immediately instead of waiting for the output. Default: false. */
            async?: boolean;
            /** @description Send the event `execution.completed` or `execution.failed` of this execution to this URL, in addition to the webhook endpoints of the account. It is signed with the secret of `GET /webhook-secret`. */
            webhookUrl?: string;
        };
        WorkflowsSetSlugRequest: {
            /** @description Name of the workflow in requests and URLs, unique in the account: a-z, then a-z 0-9 -, at most 63. Not `drafts`, `execute`, `executions` or `validate`. */
            slug: string;
        };
        WorkflowsValidateRequest: components["schemas"]["WorkflowDocumentInput"] | {
            document: components["schemas"]["WorkflowDocumentInput"];
            parameters?: {
                [key: string]: unknown;
            };
            /** @description The project whose brand values the templates read. Default: the project "Default". */
            projectId?: string;
            /** @description The workflow whose results `variations` reuses. */
            workflowId?: string;
            /** @description Reuse random results, such as those of AI models without a seed, instead of calling the models again. A node whose settings and inputs are unchanged reuses the result that an earlier execution of this workflow with `variations` created. The object maps node ids to variations, any text: a new text requests a new result, and an earlier text returns its result. A node that is not listed has its own id as its variation, and an id that is not a node of the workflow is rejected. Results are kept in the step cache. Default: random results are not reused. */
            variations?: {
                [key: string]: string;
            };
        } | {
            /** @description The id or the slug of the workflow. */
            workflowId: string;
            /** @description The version to validate. Default: the newest version. */
            version?: number;
            /** @description The channel whose version to validate. Not together with `version`. */
            channel?: string;
            parameters?: {
                [key: string]: unknown;
            };
        };
    };
    responses: {
        /** @description `invalid_request`: The body, a field, a query parameter or an upload is invalid. `details.issues` lists all issues. */
        InvalidRequest: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description `unauthorized`: The `Authorization` header is missing or malformed, the API key is unknown, expired or revoked, or the session of the console has ended. */
        Unauthorized: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description `forbidden`: The API key is valid but lacks the permission in `details.permission`, the account is on the Free plan or has reached the quota in `details.quota`, or a page of another origin sent the request with the session of the console. */
        Forbidden: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description `rate_limited`: A limit was reached: requests per minute, waiting executions or open event streams of the account, or sign-ins or requests with a wrong key from this address. `details.limit` is the limit. */
        RateLimited: {
            headers: {
                "Retry-After": components["headers"]["Retry-After"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /**
         * @description `internal_error`: An unexpected error of the service. The log has the cause under `details.requestId`.
         *
         *     `workflow_failed`: `details.reason` is the reason. `details.node` and `details.operation` are the failed step.
         */
        InternalErrorOrWorkflowFailed: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description `unavailable`: The service is shutting down, has reached its limit of waiting executions or running comparisons, or cannot reach its database or image storage. Also returned if no executor starts within 20 seconds, and if a thumbnail is not ready in time. */
        Unavailable: {
            headers: {
                "Retry-After": components["headers"]["Retry-After"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description `not_found`: The id or the path is unknown, was deleted, or belongs to another account. */
        NotFound: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description `internal_error`: An unexpected error of the service. The log has the cause under `details.requestId`. */
        InternalError: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description `invalid_request`: The body, a field, a query parameter or an upload is invalid. `details.issues` lists all issues. */
        PublicInvalidRequest: {
            headers: {
                /** @description Why the image of a delivery URL is missing: `pending`, `failed`, `busy` or `invalid`. */
                "Tintype-Status"?: string;
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description `internal_error`: An unexpected error of the service. The log has the cause under `details.requestId`. */
        PublicInternalError: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description `unavailable`: The service is shutting down, has reached its limit of waiting executions or running comparisons, or cannot reach its database or image storage. Also returned if no executor starts within 20 seconds, and if a thumbnail is not ready in time. */
        PublicUnavailable: {
            headers: {
                "Retry-After": components["headers"]["Retry-After"];
                /** @description Why the image of a delivery URL is missing: `pending`, `failed`, `busy` or `invalid`. */
                "Tintype-Status"?: string;
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description `not_found`: The id or the path is unknown, was deleted, or belongs to another account. */
        PublicNotFound: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description `forbidden`: The API key is valid but lacks the permission in `details.permission`, the account is on the Free plan or has reached the quota in `details.quota`, or a page of another origin sent the request with the session of the console. */
        PublicForbidden: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description `unauthorized`: The `Authorization` header is missing or malformed, the API key is unknown, expired or revoked, or the session of the console has ended. */
        PublicUnauthorized: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description `rate_limited`: A limit was reached: requests per minute, waiting executions or open event streams of the account, or sign-ins or requests with a wrong key from this address. `details.limit` is the limit. */
        PublicRateLimited: {
            headers: {
                "Retry-After": components["headers"]["Retry-After"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
    };
    parameters: never;
    requestBodies: never;
    headers: {
        /** @description Id of the request, also in `details.requestId` of an error. */
        "X-Request-Id": string;
        /** @description Seconds to wait before retrying. */
        "Retry-After": number;
        /** @description Requests allowed per minute. */
        "X-RateLimit-Limit": number;
        /** @description Requests left in this minute. */
        "X-RateLimit-Remaining": number;
        /** @description End of this minute, as a Unix timestamp. */
        "X-RateLimit-Reset": number;
        /** @description Requests left, and seconds until the reset: `"requests";r=299;t=42`. */
        RateLimit: string;
        /** @description The limit and its window in seconds: `"requests";q=300;w=60`. */
        "RateLimit-Policy": string;
    };
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    "workflows.execute": {
        parameters: {
            query?: never;
            header?: {
                /** @description A retry with the same key and body within 24 hours returns the first response. A different body with the same key is rejected. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["WorkflowsExecuteRequest"];
            };
        };
        responses: {
            /** @description The execution completed. */
            200: {
                headers: {
                    /** @description `true` if this is the first response to the same `Idempotency-Key`, again. */
                    "Idempotent-Replayed"?: string;
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CompletedExecution"];
                };
            };
            /** @description The execution was accepted and continues. Poll the URL in `Location`. */
            202: {
                headers: {
                    /** @description URL of the execution. */
                    Location?: string;
                    /** @description `true` if this is the first response to the same `Idempotency-Key`, again. */
                    "Idempotent-Replayed"?: string;
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AcceptedExecution"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalErrorOrWorkflowFailed"];
            503: components["responses"]["Unavailable"];
        };
    };
    "executions.get": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the execution. */
                executionId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The execution. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Execution"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    "executions.getDocument": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the execution. */
                executionId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The document. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WorkflowDocument"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    "executions.list": {
        parameters: {
            query?: {
                /** @description Maximum number of results to return. */
                limit?: number;
                /** @description Number of results to skip. */
                offset?: number;
                /** @description Return only executions of this workflow. */
                workflowId?: string;
                /** @description Return only executions with this status. */
                status?: "pending" | "running" | "completed" | "failed";
                /** @description Return only executions created at or after this time. ISO 8601: a time such as 2026-11-21T10:00:00Z, or a date, which means 00:00 UTC. */
                createdAfter?: string;
                /** @description Return only executions created before this time. ISO 8601: a time such as 2026-11-21T10:00:00Z, or a date, which means 00:00 UTC. */
                createdBefore?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of executions. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ExecutionPage"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    "executions.steps": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the execution. */
                executionId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The steps in the order of the plan. Empty before the execution starts. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Steps"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    "executions.events": {
        parameters: {
            query?: {
                /** @description Same as the header `Last-Event-ID`, for clients that cannot send headers. The header takes precedence. */
                after?: number;
            };
            header?: {
                /** @description The `id` of the last event that you received. The stream starts with the next event instead of a snapshot. */
                "Last-Event-ID"?: string;
            };
            path: {
                /** @description The id of the execution. */
                executionId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The event stream. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "text/event-stream": components["schemas"]["ExecutionEvent"];
                };
            };
            /** @description The execution has ended, and you received its last event. Do not reconnect. */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    "executions.stepPreview": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the execution. */
                executionId: string;
                /** @description The id of the node. */
                node: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The preview. */
            200: {
                headers: {
                    /** @description For `If-None-Match`. */
                    ETag?: string;
                    /** @description How long the response can be cached. */
                    "Cache-Control"?: string;
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "image/webp": string;
                };
            };
            /** @description Not modified: the `ETag` matches `If-None-Match`. */
            304: {
                headers: {
                    /** @description For `If-None-Match`. */
                    ETag?: string;
                    /** @description How long the response can be cached. */
                    "Cache-Control"?: string;
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    "executions.cancel": {
        parameters: {
            query?: never;
            header?: {
                /** @description A retry with the same key and body within 24 hours returns the first response. A different body with the same key is rejected. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description The id of the execution. */
                executionId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The current state of the execution. */
            200: {
                headers: {
                    /** @description `true` if this is the first response to the same `Idempotency-Key`, again. */
                    "Idempotent-Replayed"?: string;
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Execution"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    "executions.resume": {
        parameters: {
            query?: never;
            header?: {
                /** @description A retry with the same key and body within 24 hours returns the first response. A different body with the same key is rejected. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description The id of the failed execution. */
                executionId: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["ExecutionsResumeRequest"];
            };
        };
        responses: {
            /** @description The execution completed. */
            200: {
                headers: {
                    /** @description `true` if this is the first response to the same `Idempotency-Key`, again. */
                    "Idempotent-Replayed"?: string;
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CompletedExecution"];
                };
            };
            /** @description The execution was accepted and continues. Poll the URL in `Location`. */
            202: {
                headers: {
                    /** @description URL of the execution. */
                    Location?: string;
                    /** @description `true` if this is the first response to the same `Idempotency-Key`, again. */
                    "Idempotent-Replayed"?: string;
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AcceptedExecution"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalErrorOrWorkflowFailed"];
            503: components["responses"]["Unavailable"];
        };
    };
    "batches.list": {
        parameters: {
            query?: {
                /** @description Maximum number of results to return. */
                limit?: number;
                /** @description Number of results to skip. */
                offset?: number;
                /** @description Return only batches with this status. */
                status?: "created" | "running" | "paused" | "completed" | "cancelled";
                /** @description Return only batches of this workflow. */
                workflowId?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of batches. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BatchPage"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    "batches.create": {
        parameters: {
            query?: never;
            header?: {
                /** @description A retry with the same key and body within 24 hours returns the first response. A different body with the same key is rejected. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["BatchesCreateRequest"];
            };
        };
        responses: {
            /** @description The batch was created. */
            201: {
                headers: {
                    /** @description URL of the batch. */
                    Location?: string;
                    /** @description `true` if this is the first response to the same `Idempotency-Key`, again. */
                    "Idempotent-Replayed"?: string;
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Batch"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    "batches.get": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the batch. */
                batchId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The batch. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Batch"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    "batches.delete": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the batch. */
                batchId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The batch was deleted. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Deleted"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    "batches.update": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the batch. */
                batchId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["BatchesUpdateRequest"];
            };
        };
        responses: {
            /** @description The batch. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Batch"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    "batches.items": {
        parameters: {
            query?: {
                /** @description Maximum number of results to return. */
                limit?: number;
                /** @description Number of results to skip. */
                offset?: number;
                /** @description Return only rows with this status. */
                status?: "pending" | "running" | "completed" | "failed" | "cancelled";
            };
            header?: never;
            path: {
                /** @description The id of the batch. */
                batchId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of rows. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BatchItemPage"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    "batches.upload": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the batch. */
                batchId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "text/csv": string;
                "application/x-ndjson": string;
            };
        };
        responses: {
            /** @description The rows were stored. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Batch"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    "batches.item": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the batch. */
                batchId: string;
                /** @description The key of the row. */
                key: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The row. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BatchItem"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    "batches.updateItem": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the batch. */
                batchId: string;
                /** @description The key of the row. */
                key: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["BatchesUpdateItemRequest"];
            };
        };
        responses: {
            /** @description The row. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BatchItem"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    "batches.estimate": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the batch. */
                batchId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The estimate. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BatchEstimate"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    "batches.start": {
        parameters: {
            query?: never;
            header?: {
                /** @description A retry with the same key and body within 24 hours returns the first response. A different body with the same key is rejected. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description The id of the batch. */
                batchId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The batch was started. */
            200: {
                headers: {
                    /** @description `true` if this is the first response to the same `Idempotency-Key`, again. */
                    "Idempotent-Replayed"?: string;
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["StartedBatch"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    "batches.pause": {
        parameters: {
            query?: never;
            header?: {
                /** @description A retry with the same key and body within 24 hours returns the first response. A different body with the same key is rejected. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description The id of the batch. */
                batchId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The batch is paused. */
            200: {
                headers: {
                    /** @description `true` if this is the first response to the same `Idempotency-Key`, again. */
                    "Idempotent-Replayed"?: string;
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Batch"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    "batches.resume": {
        parameters: {
            query?: never;
            header?: {
                /** @description A retry with the same key and body within 24 hours returns the first response. A different body with the same key is rejected. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description The id of the batch. */
                batchId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The batch continues. */
            200: {
                headers: {
                    /** @description `true` if this is the first response to the same `Idempotency-Key`, again. */
                    "Idempotent-Replayed"?: string;
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Batch"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    "batches.cancel": {
        parameters: {
            query?: never;
            header?: {
                /** @description A retry with the same key and body within 24 hours returns the first response. A different body with the same key is rejected. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description The id of the batch. */
                batchId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The batch is cancelled. Its last rows end in the next seconds. */
            200: {
                headers: {
                    /** @description `true` if this is the first response to the same `Idempotency-Key`, again. */
                    "Idempotent-Replayed"?: string;
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Batch"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    "batches.retry": {
        parameters: {
            query?: never;
            header?: {
                /** @description A retry with the same key and body within 24 hours returns the first response. A different body with the same key is rejected. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description The id of the batch. */
                batchId: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["BatchesRetryRequest"];
            };
        };
        responses: {
            /** @description The rows wait for their execution. */
            200: {
                headers: {
                    /** @description `true` if this is the first response to the same `Idempotency-Key`, again. */
                    "Idempotent-Replayed"?: string;
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RetriedBatch"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    "batches.events": {
        parameters: {
            query?: {
                /** @description Same as the header `Last-Event-ID`, for clients that cannot send headers. The header takes precedence. */
                after?: number;
            };
            header?: {
                /** @description The `id` of the last event that you received. */
                "Last-Event-ID"?: string;
            };
            path: {
                /** @description The id of the batch. */
                batchId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The event stream. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "text/event-stream": components["schemas"]["BatchEvent"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    "batches.results": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the batch. */
                batchId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The parts. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BatchResults"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    "batches.resultsCsv": {
        parameters: {
            query?: {
                /** @description Return only rows with this status. */
                status?: "pending" | "running" | "completed" | "failed" | "cancelled";
            };
            header?: never;
            path: {
                /** @description The id of the batch. */
                batchId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The file. */
            200: {
                headers: {
                    /** @description The name of the file. */
                    "Content-Disposition"?: string;
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "text/csv": string;
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    "batches.resultsNdjson": {
        parameters: {
            query?: {
                /** @description Return only rows with this status. */
                status?: "pending" | "running" | "completed" | "failed" | "cancelled";
            };
            header?: never;
            path: {
                /** @description The id of the batch. */
                batchId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The file. */
            200: {
                headers: {
                    /** @description The name of the file. */
                    "Content-Disposition"?: string;
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/x-ndjson": string;
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    "batches.resultsZip": {
        parameters: {
            query?: {
                /** @description Only rows from this number. Default: 1. */
                fromRow?: number;
                /** @description Only rows to this number. Default: the last. */
                toRow?: number;
            };
            header?: never;
            path: {
                /** @description The id of the batch. */
                batchId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The file. */
            200: {
                headers: {
                    /** @description The name of the file. */
                    "Content-Disposition"?: string;
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/zip": string;
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    "workflows.list": {
        parameters: {
            query?: {
                /** @description Maximum number of results to return. */
                limit?: number;
                /** @description Number of results to skip. */
                offset?: number;
                /** @description Return only workflows of this project. */
                projectId?: string;
                /** @description Return only items whose name contains this text. Case-insensitive. */
                search?: string;
                /** @description Include the output of the most recent completed execution of each workflow, or its slug and newest version. */
                include?: "lastOutput" | "version";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of workflows. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WorkflowPage"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    "workflows.create": {
        parameters: {
            query?: never;
            header?: {
                /** @description A retry with the same key and body within 24 hours returns the first response. A different body with the same key is rejected. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["WorkflowInput"];
            };
        };
        responses: {
            /** @description The workflow was saved as version 1. */
            201: {
                headers: {
                    /** @description URL of the workflow. */
                    Location?: string;
                    /** @description Version, for `If-Match`. */
                    ETag?: string;
                    /** @description `true` if this is the first response to the same `Idempotency-Key`, again. */
                    "Idempotent-Replayed"?: string;
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Workflow"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    "workflows.validate": {
        parameters: {
            query?: never;
            header?: {
                /** @description A retry with the same key and body within 24 hours returns the first response. A different body with the same key is rejected. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["WorkflowsValidateRequest"];
            };
        };
        responses: {
            /** @description The issues and the plan. */
            200: {
                headers: {
                    /** @description `true` if this is the first response to the same `Idempotency-Key`, again. */
                    "Idempotent-Replayed"?: string;
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Validation"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    "workflows.get": {
        parameters: {
            query?: {
                /** @description Version number. Default: the newest version. */
                version?: number;
                /** @description Return the version of this channel. Not together with `version`. */
                channel?: string;
            };
            header?: never;
            path: {
                /** @description The id or the slug of the workflow. */
                workflowId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The workflow. */
            200: {
                headers: {
                    /** @description The version: the newest one, for `If-Match`, or the chosen one. */
                    ETag?: string;
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Workflow"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    "workflows.replace": {
        parameters: {
            query?: {
                /** @description Compare the outputs of the examples instead of saving. */
                compare?: "true" | "false";
            };
            header?: {
                /** @description The ETag of the version that you changed. */
                "If-Match"?: string;
            };
            path: {
                /** @description The id of the workflow. */
                workflowId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["WorkflowInput"];
            };
        };
        responses: {
            /** @description The workflow was saved or compared. */
            200: {
                headers: {
                    /** @description Version of the saved workflow, for `If-Match`. */
                    ETag?: string;
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WorkflowReplacement"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    "workflows.delete": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the workflow. */
                workflowId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The workflow was deleted. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Deleted"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    "workflows.getDocument": {
        parameters: {
            query?: {
                /** @description Version number. Default: the newest version. */
                version?: number;
                /** @description Return the version of this channel. Not together with `version`. */
                channel?: string;
            };
            header?: never;
            path: {
                /** @description The id or the slug of the workflow. */
                workflowId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The document. */
            200: {
                headers: {
                    /** @description Version of the document, for `If-Match`. */
                    ETag?: string;
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WorkflowDocument"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    "workflows.listVersions": {
        parameters: {
            query?: {
                /** @description Maximum number of results to return. */
                limit?: number;
                /** @description Number of results to skip. */
                offset?: number;
            };
            header?: never;
            path: {
                /** @description The id of the workflow. */
                workflowId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of versions. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WorkflowVersionPage"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    "workflows.setSlug": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the workflow. */
                workflowId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["WorkflowsSetSlugRequest"];
            };
        };
        responses: {
            /** @description The slug was set. */
            200: {
                headers: {
                    /** @description Newest version, for `If-Match`. */
                    ETag?: string;
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Workflow"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    "workflows.deleteSlug": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the workflow. */
                workflowId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The workflow has no slug. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Deleted"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    "channels.list": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the workflow. */
                workflowId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description All channels. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ChannelList"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    "channels.get": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the workflow. */
                workflowId: string;
                /** @description Name of a channel, such as `live` or `staging`: a-z, then a-z 0-9 -, at most 63. */
                name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The channel. */
            200: {
                headers: {
                    /** @description The version, for `If-Match`. */
                    ETag?: string;
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Channel"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    "channels.move": {
        parameters: {
            query?: never;
            header?: {
                /** @description The ETag of the channel that you changed. */
                "If-Match"?: string;
            };
            path: {
                /** @description The id of the workflow. */
                workflowId: string;
                /** @description Name of a channel, such as `live` or `staging`: a-z, then a-z 0-9 -, at most 63. */
                name: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ChannelsMoveRequest"];
            };
        };
        responses: {
            /** @description The channel points to the version. */
            200: {
                headers: {
                    /** @description The version, for `If-Match`. */
                    ETag?: string;
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Channel"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    "channels.delete": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the workflow. */
                workflowId: string;
                /** @description Name of a channel, such as `live` or `staging`: a-z, then a-z 0-9 -, at most 63. */
                name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The channel was deleted. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Deleted"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    "channels.rollBack": {
        parameters: {
            query?: never;
            header?: {
                /** @description A retry with the same key and body within 24 hours returns the first response. A different body with the same key is rejected. */
                "Idempotency-Key"?: string;
                /** @description The ETag of the channel that you changed. */
                "If-Match"?: string;
            };
            path: {
                /** @description The id of the workflow. */
                workflowId: string;
                /** @description Name of a channel, such as `live` or `staging`: a-z, then a-z 0-9 -, at most 63. */
                name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The channel points to the earlier version. */
            200: {
                headers: {
                    /** @description The version, for `If-Match`. */
                    ETag?: string;
                    /** @description `true` if this is the first response to the same `Idempotency-Key`, again. */
                    "Idempotent-Replayed"?: string;
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Channel"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    "channels.listMoves": {
        parameters: {
            query?: {
                /** @description Maximum number of results to return. */
                limit?: number;
                /** @description Number of results to skip. */
                offset?: number;
            };
            header?: never;
            path: {
                /** @description The id of the workflow. */
                workflowId: string;
                /** @description Name of a channel, such as `live` or `staging`: a-z, then a-z 0-9 -, at most 63. */
                name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of moves. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ChannelMovePage"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    "drafts.list": {
        parameters: {
            query?: {
                /** @description Maximum number of results to return. */
                limit?: number;
                /** @description Number of results to skip. */
                offset?: number;
                /** @description Return only the draft of this workflow. */
                workflowId?: string;
                /** @description Return only drafts of this project. */
                projectId?: string;
                /** @description Return only items whose name contains this text. Case-insensitive. */
                search?: string;
                /** @description Include the output of the most recent completed execution of each workflow. */
                include?: "lastOutput";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of drafts. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DraftPage"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    "drafts.create": {
        parameters: {
            query?: never;
            header?: {
                /** @description A retry with the same key and body within 24 hours returns the first response. A different body with the same key is rejected. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["DraftsCreateRequest"];
            };
        };
        responses: {
            /** @description The draft was created. */
            201: {
                headers: {
                    /** @description URL of the draft. */
                    Location?: string;
                    /** @description Revision of the draft, for `If-Match`. */
                    ETag?: string;
                    /** @description `true` if this is the first response to the same `Idempotency-Key`, again. */
                    "Idempotent-Replayed"?: string;
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Draft"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    "drafts.get": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the workflow. Also an id that is reserved for an unpublished workflow. */
                workflowId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The draft. */
            200: {
                headers: {
                    /** @description Revision of the draft, for `If-Match`. */
                    ETag?: string;
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Draft"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    "drafts.save": {
        parameters: {
            query?: never;
            header?: {
                /** @description The ETag of the draft that you changed. */
                "If-Match"?: string;
            };
            path: {
                /** @description The id of the workflow. Also an id that is reserved for an unpublished workflow. */
                workflowId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["DraftsSaveRequest"];
            };
        };
        responses: {
            /** @description The draft was saved. */
            200: {
                headers: {
                    /** @description Revision of the draft, for `If-Match`. */
                    ETag?: string;
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Draft"];
                };
            };
            /** @description A new draft was created. */
            201: {
                headers: {
                    /** @description Revision of the draft, for `If-Match`. */
                    ETag?: string;
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Draft"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    "drafts.delete": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the workflow. Also an id that is reserved for an unpublished workflow. */
                workflowId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The draft was deleted. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Deleted"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    "drafts.publish": {
        parameters: {
            query?: never;
            header?: {
                /** @description A retry with the same key and body within 24 hours returns the first response. A different body with the same key is rejected. */
                "Idempotency-Key"?: string;
                /** @description The ETag of the draft that you changed. */
                "If-Match"?: string;
            };
            path: {
                /** @description The id of the workflow. Also an id that is reserved for an unpublished workflow. */
                workflowId: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["DraftsPublishRequest"];
            };
        };
        responses: {
            /** @description The draft was published. */
            200: {
                headers: {
                    /** @description The version, for `If-Match`. */
                    ETag?: string;
                    /** @description `true` if this is the first response to the same `Idempotency-Key`, again. */
                    "Idempotent-Replayed"?: string;
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Workflow"];
                };
            };
            /** @description The workflow was published for the first time. */
            201: {
                headers: {
                    /** @description URL of the workflow. */
                    Location?: string;
                    /** @description The version, for `If-Match`. */
                    ETag?: string;
                    /** @description `true` if this is the first response to the same `Idempotency-Key`, again. */
                    "Idempotent-Replayed"?: string;
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Workflow"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    "drafts.execute": {
        parameters: {
            query?: never;
            header?: {
                /** @description A retry with the same key and body within 24 hours returns the first response. A different body with the same key is rejected. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description The id of the workflow. Also an id that is reserved for an unpublished workflow. */
                workflowId: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["DraftsExecuteRequest"];
            };
        };
        responses: {
            /** @description The execution completed. */
            200: {
                headers: {
                    /** @description `true` if this is the first response to the same `Idempotency-Key`, again. */
                    "Idempotent-Replayed"?: string;
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CompletedExecution"];
                };
            };
            /** @description The execution was accepted and continues. Poll the URL in `Location`. */
            202: {
                headers: {
                    /** @description URL of the execution. */
                    Location?: string;
                    /** @description `true` if this is the first response to the same `Idempotency-Key`, again. */
                    "Idempotent-Replayed"?: string;
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AcceptedExecution"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalErrorOrWorkflowFailed"];
            503: components["responses"]["Unavailable"];
        };
    };
    "images.upload": {
        parameters: {
            query?: never;
            header?: {
                /** @description A retry with the same key and body within 24 hours returns the first response. A different body with the same key is rejected. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "multipart/form-data": components["schemas"]["ImagesUploadRequest"];
            };
        };
        responses: {
            /** @description The image was stored. */
            201: {
                headers: {
                    /** @description URL of the image in the API. */
                    Location?: string;
                    /** @description `true` if this is the first response to the same `Idempotency-Key`, again. */
                    "Idempotent-Replayed"?: string;
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Image"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    "images.list": {
        parameters: {
            query?: {
                /** @description Maximum number of results to return. */
                limit?: number;
                /** @description Number of results to skip. */
                offset?: number;
                /** @description Return only images of this project. */
                projectId?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of images. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ImagePage"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    "images.get": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the image. */
                imageId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The image. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Image"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    "images.update": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the image. */
                imageId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ImagesUpdateRequest"];
            };
        };
        responses: {
            /** @description The image was changed. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Image"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    "images.delete": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the image. */
                imageId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The image was deleted. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Deleted"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    "images.uses": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the image. */
                imageId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The workflows and brands that use the image. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ImageUses"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    "images.content": {
        parameters: {
            query?: {
                /** @description When the URL expires, in Unix seconds. */
                exp?: number;
                /** @description The id of a signing key. */
                kid?: string;
                /** @description The signature, as the last parameter: an HMAC-SHA-256 as base64url without padding. */
                sig?: string;
            };
            header?: never;
            path: {
                /** @description `<id>.<extension>` */
                file: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The bytes. */
            200: {
                headers: {
                    /** @description For `If-None-Match`. */
                    ETag?: string;
                    /** @description How long the response can be cached. */
                    "Cache-Control"?: string;
                    /** @description When the image was stored. */
                    "Last-Modified"?: string;
                    /** @description The name of the file. */
                    "Content-Disposition"?: string;
                    /** @description `bytes`: a request can have a `Range`. */
                    "Accept-Ranges"?: string;
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "image/*": string;
                    "application/pdf": string;
                };
            };
            /** @description The requested range. */
            206: {
                headers: {
                    /** @description For `If-None-Match`. */
                    ETag?: string;
                    /** @description How long the response can be cached. */
                    "Cache-Control"?: string;
                    /** @description When the image was stored. */
                    "Last-Modified"?: string;
                    /** @description The name of the file. */
                    "Content-Disposition"?: string;
                    /** @description `bytes`: a request can have a `Range`. */
                    "Accept-Ranges"?: string;
                    /** @description The range. */
                    "Content-Range"?: string;
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "image/*": string;
                    "application/pdf": string;
                };
            };
            /** @description Not modified: the `ETag` matches `If-None-Match`. */
            304: {
                headers: {
                    /** @description For `If-None-Match`. */
                    ETag?: string;
                    /** @description How long the response can be cached. */
                    "Cache-Control"?: string;
                    /** @description When the image was stored. */
                    "Last-Modified"?: string;
                    /** @description The name of the file. */
                    "Content-Disposition"?: string;
                    /** @description `bytes`: a request can have a `Range`. */
                    "Accept-Ranges"?: string;
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["PublicInvalidRequest"];
            403: components["responses"]["PublicForbidden"];
            404: components["responses"]["PublicNotFound"];
            /** @description The range is outside of the image. */
            416: {
                headers: {
                    /** @description For `If-None-Match`. */
                    ETag?: string;
                    /** @description How long the response can be cached. */
                    "Cache-Control"?: string;
                    /** @description When the image was stored. */
                    "Last-Modified"?: string;
                    /** @description The name of the file. */
                    "Content-Disposition"?: string;
                    /** @description `bytes`: a request can have a `Range`. */
                    "Accept-Ranges"?: string;
                    /** @description The size of the image. */
                    "Content-Range"?: string;
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            500: components["responses"]["PublicInternalError"];
            503: components["responses"]["PublicUnavailable"];
        };
    };
    "images.thumbnail": {
        parameters: {
            query?: {
                /** @description When the URL expires, in Unix seconds. */
                exp?: number;
                /** @description The id of a signing key. */
                kid?: string;
                /** @description The signature, as the last parameter: an HMAC-SHA-256 as base64url without padding. */
                sig?: string;
            };
            header?: never;
            path: {
                /** @description The id of the image. */
                imageId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The thumbnail. */
            200: {
                headers: {
                    /** @description For `If-None-Match`. */
                    ETag?: string;
                    /** @description How long the response can be cached. */
                    "Cache-Control"?: string;
                    /** @description When the image was stored. */
                    "Last-Modified"?: string;
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "image/webp": string;
                };
            };
            /** @description Not modified: the `ETag` matches `If-None-Match`. */
            304: {
                headers: {
                    /** @description For `If-None-Match`. */
                    ETag?: string;
                    /** @description How long the response can be cached. */
                    "Cache-Control"?: string;
                    /** @description When the image was stored. */
                    "Last-Modified"?: string;
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["PublicInvalidRequest"];
            403: components["responses"]["PublicForbidden"];
            404: components["responses"]["PublicNotFound"];
            500: components["responses"]["PublicInternalError"];
            503: components["responses"]["PublicUnavailable"];
        };
    };
    "delivery.get": {
        parameters: {
            query?: {
                /** @description The parameters of the workflow by name, or `w`, `h`, `fit`, `dpr` and `q` of an image. */
                parameters?: {
                    [key: string]: string;
                };
                /** @description When the URL expires, in Unix seconds. */
                exp?: number;
                /** @description The id of a signing key. */
                kid?: string;
                /** @description The signature, as the last parameter: an HMAC-SHA-256 as base64url without padding. */
                sig?: string;
            };
            header?: never;
            path: {
                /** @description `<slug>[@<version or channel>].<ext>`, or `<image id>.<ext>` */
                file: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The image. With the header `Tintype-Status`, it is the fallback image of the workflow: the execution is `pending`, has `failed`, was not started (`busy`), or the parameters are `invalid`. */
            200: {
                headers: {
                    /** @description For `If-None-Match`. */
                    ETag?: string;
                    /** @description How long the response can be cached. */
                    "Cache-Control"?: string;
                    /** @description For purging caches: the id of the workflow, and the id with its version; or the id of the image. */
                    "Cache-Tag"?: string;
                    /** @description How long CDNs can cache the response, if it is public. */
                    "CDN-Cache-Control"?: string;
                    /** @description `Accept`, if the extension is `auto`. */
                    Vary?: string;
                    /** @description Why the response is the fallback image: `pending`, `failed`, `busy` or `invalid`. */
                    "Tintype-Status"?: string;
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "image/*": string;
                };
            };
            /** @description The URL of the image below `IMAGES_URL`, if that is set. */
            302: {
                headers: {
                    /** @description For `If-None-Match`. */
                    ETag?: string;
                    /** @description How long the response can be cached. */
                    "Cache-Control"?: string;
                    /** @description For purging caches: the id of the workflow, and the id with its version; or the id of the image. */
                    "Cache-Tag"?: string;
                    /** @description The URL of the file. */
                    Location?: string;
                    /** @description How long CDNs can cache the response, if it is public. */
                    "CDN-Cache-Control"?: string;
                    /** @description `Accept`, if the extension is `auto`. */
                    Vary?: string;
                    /** @description Why the response is the fallback image: `pending`, `failed`, `busy` or `invalid`. */
                    "Tintype-Status"?: string;
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not modified: the `ETag` matches `If-None-Match`. */
            304: {
                headers: {
                    /** @description For `If-None-Match`. */
                    ETag?: string;
                    /** @description How long the response can be cached. */
                    "Cache-Control"?: string;
                    /** @description For purging caches: the id of the workflow, and the id with its version; or the id of the image. */
                    "Cache-Tag"?: string;
                    /** @description How long CDNs can cache the response, if it is public. */
                    "CDN-Cache-Control"?: string;
                    /** @description `Accept`, if the extension is `auto`. */
                    Vary?: string;
                    /** @description Why the response is the fallback image: `pending`, `failed`, `busy` or `invalid`. */
                    "Tintype-Status"?: string;
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["PublicInvalidRequest"];
            403: components["responses"]["PublicForbidden"];
            500: components["responses"]["PublicInternalError"];
            503: components["responses"]["PublicUnavailable"];
        };
    };
    "credentials.verify": {
        parameters: {
            query?: {
                /** @description Execute again, and compare the pixels. */
                reexecute?: "true" | "false";
            };
            header?: {
                /** @description A retry with the same key and body within 24 hours returns the first response. A different body with the same key is rejected. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "multipart/form-data": components["schemas"]["CredentialsVerifyRequest"];
            };
        };
        responses: {
            /** @description The facts in the file. */
            200: {
                headers: {
                    /** @description `true` if this is the first response to the same `Idempotency-Key`, again. */
                    "Idempotent-Replayed"?: string;
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["VerifiedFile"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    "fonts.list": {
        parameters: {
            query?: {
                /** @description Maximum number of results to return. */
                limit?: number;
                /** @description Number of results to skip. */
                offset?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of fonts. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FontPage"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    "fonts.upload": {
        parameters: {
            query?: never;
            header?: {
                /** @description A retry with the same key and body within 24 hours returns the first response. A different body with the same key is rejected. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "multipart/form-data": components["schemas"]["FontsUploadRequest"];
            };
        };
        responses: {
            /** @description The font was stored. */
            201: {
                headers: {
                    /** @description URL of the font. */
                    Location?: string;
                    /** @description `true` if this is the first response to the same `Idempotency-Key`, again. */
                    "Idempotent-Replayed"?: string;
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Font"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    "fonts.get": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the font. */
                fontId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The font. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Font"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    "fonts.delete": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the font. */
                fontId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The font was deleted. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Deleted"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    "projects.list": {
        parameters: {
            query?: {
                /** @description Maximum number of results to return. */
                limit?: number;
                /** @description Number of results to skip. */
                offset?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of projects. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ProjectPage"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    "projects.create": {
        parameters: {
            query?: never;
            header?: {
                /** @description A retry with the same key and body within 24 hours returns the first response. A different body with the same key is rejected. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ProjectsCreateRequest"];
            };
        };
        responses: {
            /** @description The project was created. */
            201: {
                headers: {
                    /** @description URL of the project. */
                    Location?: string;
                    /** @description `true` if this is the first response to the same `Idempotency-Key`, again. */
                    "Idempotent-Replayed"?: string;
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Project"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    "projects.get": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the project. */
                projectId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The project. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Project"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    "projects.update": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the project. */
                projectId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ProjectsUpdateRequest"];
            };
        };
        responses: {
            /** @description The project was updated. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Project"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    "brands.get": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The values. */
            200: {
                headers: {
                    /** @description Revision, for `If-Match`. */
                    ETag?: string;
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Brand"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    "brands.replace": {
        parameters: {
            query?: never;
            header?: {
                /** @description The ETag of the brand that you changed. */
                "If-Match"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["BrandsReplaceRequest"];
            };
        };
        responses: {
            /** @description The values were saved. */
            200: {
                headers: {
                    /** @description Revision, for `If-Match`. */
                    ETag?: string;
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Brand"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    "brands.getOfProject": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the project. */
                projectId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The values. */
            200: {
                headers: {
                    /** @description Revision, for `If-Match`. */
                    ETag?: string;
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ProjectBrand"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    "brands.replaceOfProject": {
        parameters: {
            query?: never;
            header?: {
                /** @description The ETag of the brand that you changed. */
                "If-Match"?: string;
            };
            path: {
                /** @description The id of the project. */
                projectId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["BrandsReplaceOfProjectRequest"];
            };
        };
        responses: {
            /** @description The values were saved. */
            200: {
                headers: {
                    /** @description Revision, for `If-Match`. */
                    ETag?: string;
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ProjectBrand"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    "operations.list": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description All operations. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Operations"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    "providers.list": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description All providers, in the order in which a default model is chosen. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Providers"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    "usage.get": {
        parameters: {
            query?: {
                /** @description First day, such as `2026-11-01`. Default: the first day of the month of `to`. */
                from?: string;
                /** @description Last day, such as `2026-11-21`. At most 366 days in total. Default: today. */
                to?: string;
                /** @description Return only usage of this workflow. */
                workflowId?: string;
                /** @description Return only usage of executions that this key started. */
                keyId?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The usage. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Usage"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    "keys.list": {
        parameters: {
            query?: {
                /** @description Maximum number of results to return. */
                limit?: number;
                /** @description Number of results to skip. */
                offset?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of keys. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiKeyPage"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    "keys.create": {
        parameters: {
            query?: never;
            header?: {
                /** @description A retry with the same key within 24 hours is rejected with the id of the created API key. The response cannot be replayed, because the API key is not stored. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["KeysCreateRequest"];
            };
        };
        responses: {
            /** @description The key was created. */
            201: {
                headers: {
                    /** @description URL of the key. */
                    Location?: string;
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NewApiKey"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    "keys.get": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the key, not the key itself. */
                keyId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The key. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiKey"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    "keys.revoke": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the key, not the key itself. */
                keyId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The revoked key. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiKey"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    "keys.rotate": {
        parameters: {
            query?: never;
            header?: {
                /** @description A retry with the same key within 24 hours is rejected with the id of the created API key. The response cannot be replayed, because the API key is not stored. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description The id of an active key, not the key itself. */
                keyId: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["KeysRotateRequest"];
            };
        };
        responses: {
            /** @description The new key, and the old key in `replaced`. */
            201: {
                headers: {
                    /** @description URL of the new key. */
                    Location?: string;
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RotatedApiKey"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    "webhookEndpoints.list": {
        parameters: {
            query?: {
                /** @description Maximum number of results to return. */
                limit?: number;
                /** @description Number of results to skip. */
                offset?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of endpoints. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookEndpointPage"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    "webhookEndpoints.create": {
        parameters: {
            query?: never;
            header?: {
                /** @description A retry with the same key and body within 24 hours returns the first response. A different body with the same key is rejected. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["WebhookEndpointInput"];
            };
        };
        responses: {
            /** @description The endpoint was created. */
            201: {
                headers: {
                    /** @description URL of the endpoint. */
                    Location?: string;
                    /** @description `true` if this is the first response to the same `Idempotency-Key`, again. */
                    "Idempotent-Replayed"?: string;
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NewWebhookEndpoint"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    "webhookEndpoints.get": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the webhook endpoint. */
                endpointId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The endpoint. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookEndpoint"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    "webhookEndpoints.replace": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the webhook endpoint. */
                endpointId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["WebhookEndpointInput"];
            };
        };
        responses: {
            /** @description The endpoint was saved. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookEndpoint"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    "webhookEndpoints.delete": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the webhook endpoint. */
                endpointId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The endpoint was deleted. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Deleted"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    "webhookEndpoints.getSecret": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the webhook endpoint. */
                endpointId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The secret. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookSecret"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    "webhookEndpoints.rotateSecret": {
        parameters: {
            query?: never;
            header?: {
                /** @description A retry with the same key and body within 24 hours returns the first response. A different body with the same key is rejected. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description The id of the webhook endpoint. */
                endpointId: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["WebhookEndpointsRotateSecretRequest"];
            };
        };
        responses: {
            /** @description The new secret. */
            200: {
                headers: {
                    /** @description `true` if this is the first response to the same `Idempotency-Key`, again. */
                    "Idempotent-Replayed"?: string;
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookSecret"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    "webhookEndpoints.test": {
        parameters: {
            query?: never;
            header?: {
                /** @description A retry with the same key and body within 24 hours returns the first response. A different body with the same key is rejected. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description The id of the webhook endpoint. */
                endpointId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The event is being sent. */
            202: {
                headers: {
                    /** @description `true` if this is the first response to the same `Idempotency-Key`, again. */
                    "Idempotent-Replayed"?: string;
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookDelivery"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    "webhookSecret.get": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The secret. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookSecret"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    "webhookSecret.rotate": {
        parameters: {
            query?: never;
            header?: {
                /** @description A retry with the same key and body within 24 hours returns the first response. A different body with the same key is rejected. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["WebhookSecretRotateRequest"];
            };
        };
        responses: {
            /** @description The new secret. */
            200: {
                headers: {
                    /** @description `true` if this is the first response to the same `Idempotency-Key`, again. */
                    "Idempotent-Replayed"?: string;
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookSecret"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    "webhookDeliveries.list": {
        parameters: {
            query?: {
                /** @description Maximum number of results to return. */
                limit?: number;
                /** @description Number of results to skip. */
                offset?: number;
                /** @description Return only deliveries to this endpoint. */
                endpointId?: string;
                /** @description Return only deliveries with this status. */
                status?: "pending" | "delivered" | "failed";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of deliveries. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookDeliveryPage"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    "webhookDeliveries.get": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the webhook delivery. */
                deliveryId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The delivery. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookDeliveryDetails"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    "webhookDeliveries.replay": {
        parameters: {
            query?: never;
            header?: {
                /** @description A retry with the same key and body within 24 hours returns the first response. A different body with the same key is rejected. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description The id of the webhook delivery. */
                deliveryId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The delivery is being sent again. */
            202: {
                headers: {
                    /** @description `true` if this is the first response to the same `Idempotency-Key`, again. */
                    "Idempotent-Replayed"?: string;
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookDelivery"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    "signingKeys.list": {
        parameters: {
            query?: {
                /** @description Maximum number of results to return. */
                limit?: number;
                /** @description Number of results to skip. */
                offset?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of signing keys. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SigningKeyPage"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    "signingKeys.create": {
        parameters: {
            query?: never;
            header?: {
                /** @description A retry with the same key within 24 hours is rejected with the id of the created API key. The response cannot be replayed, because the API key is not stored. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["SigningKeysCreateRequest"];
            };
        };
        responses: {
            /** @description The key was created. */
            201: {
                headers: {
                    /** @description URL of the key. */
                    Location?: string;
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NewSigningKey"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    "signingKeys.get": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the signing key: the `kid` of its URLs. */
                keyId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The key. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SigningKey"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    "signingKeys.update": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the signing key: the `kid` of its URLs. */
                keyId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SigningKeysUpdateRequest"];
            };
        };
        responses: {
            /** @description The updated key. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SigningKey"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    "signingKeys.revoke": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the signing key: the `kid` of its URLs. */
                keyId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The revoked key. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SigningKey"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    "signingKeys.rotate": {
        parameters: {
            query?: never;
            header?: {
                /** @description A retry with the same key within 24 hours is rejected with the id of the created API key. The response cannot be replayed, because the API key is not stored. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description The id of the signing key: the `kid` of its URLs. */
                keyId: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["SigningKeysRotateRequest"];
            };
        };
        responses: {
            /** @description The new key, and the old key in `replaced`. */
            201: {
                headers: {
                    /** @description URL of the new key. */
                    Location?: string;
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RotatedSigningKey"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    "signingKeys.sign": {
        parameters: {
            query?: never;
            header?: {
                /** @description A retry with the same key and body within 24 hours returns the first response. A different body with the same key is rejected. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description The id of the signing key: the `kid` of its URLs. */
                keyId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SigningKeysSignRequest"];
            };
        };
        responses: {
            /** @description The URL. */
            200: {
                headers: {
                    /** @description `true` if this is the first response to the same `Idempotency-Key`, again. */
                    "Idempotent-Replayed"?: string;
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SignedUrl"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    "session.get": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The account and the key. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Session"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    "session.create": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SessionCreateRequest"];
            };
        };
        responses: {
            /** @description The session was created. */
            201: {
                headers: {
                    /** @description The session: `tintype_session`, for the console. */
                    "Set-Cookie"?: string;
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Session"];
                };
            };
            400: components["responses"]["PublicInvalidRequest"];
            401: components["responses"]["PublicUnauthorized"];
            403: components["responses"]["PublicForbidden"];
            429: components["responses"]["PublicRateLimited"];
            500: components["responses"]["PublicInternalError"];
            503: components["responses"]["PublicUnavailable"];
        };
    };
    "session.delete": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The session was ended. */
            200: {
                headers: {
                    /** @description Deletes the cookie. */
                    "Set-Cookie"?: string;
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Deleted"];
                };
            };
            400: components["responses"]["PublicInvalidRequest"];
            403: components["responses"]["PublicForbidden"];
            500: components["responses"]["PublicInternalError"];
            503: components["responses"]["PublicUnavailable"];
        };
    };
    "service.openapi": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The OpenAPI document. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OpenApiDocument"];
                };
            };
            400: components["responses"]["PublicInvalidRequest"];
            500: components["responses"]["PublicInternalError"];
            503: components["responses"]["PublicUnavailable"];
        };
    };
    "service.docs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The HTML page. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "text/html": string;
                };
            };
            400: components["responses"]["PublicInvalidRequest"];
            500: components["responses"]["PublicInternalError"];
            503: components["responses"]["PublicUnavailable"];
        };
    };
    "service.docsFile": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                file: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The file. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "*/*": string;
                };
            };
            400: components["responses"]["PublicInvalidRequest"];
            404: components["responses"]["PublicNotFound"];
            500: components["responses"]["PublicInternalError"];
            503: components["responses"]["PublicUnavailable"];
        };
    };
    "service.live": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The process is running. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Health"];
                };
            };
            400: components["responses"]["PublicInvalidRequest"];
            500: components["responses"]["PublicInternalError"];
            503: components["responses"]["PublicUnavailable"];
        };
    };
    "service.ready": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The service is ready. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Health"];
                };
            };
            400: components["responses"]["PublicInvalidRequest"];
            500: components["responses"]["PublicInternalError"];
            503: components["responses"]["PublicUnavailable"];
        };
    };
    "service.securityTxt": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The contact. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "text/plain": string;
                };
            };
            400: components["responses"]["PublicInvalidRequest"];
            404: components["responses"]["PublicNotFound"];
            500: components["responses"]["PublicInternalError"];
            503: components["responses"]["PublicUnavailable"];
        };
    };
    "webhooks.executionCompleted": {
        parameters: {
            query?: never;
            header: {
                /** @description Id of the event: the same in each attempt and replay. Ignore an id that was processed before. */
                "webhook-id": string;
                /** @description Time of the attempt, in Unix seconds. */
                "webhook-timestamp": string;
                /** @description One or more signatures, separated by spaces: `v1,` and base64. */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ExecutionCompletedWebhook"];
            };
        };
        responses: {
            /** @description The event was received. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    "webhooks.executionFailed": {
        parameters: {
            query?: never;
            header: {
                /** @description Id of the event: the same in each attempt and replay. Ignore an id that was processed before. */
                "webhook-id": string;
                /** @description Time of the attempt, in Unix seconds. */
                "webhook-timestamp": string;
                /** @description One or more signatures, separated by spaces: `v1,` and base64. */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ExecutionFailedWebhook"];
            };
        };
        responses: {
            /** @description The event was received. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    "webhooks.batchCompleted": {
        parameters: {
            query?: never;
            header: {
                /** @description Id of the event: the same in each attempt and replay. Ignore an id that was processed before. */
                "webhook-id": string;
                /** @description Time of the attempt, in Unix seconds. */
                "webhook-timestamp": string;
                /** @description One or more signatures, separated by spaces: `v1,` and base64. */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["BatchCompletedWebhook"];
            };
        };
        responses: {
            /** @description The event was received. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    "webhooks.workflowPublished": {
        parameters: {
            query?: never;
            header: {
                /** @description Id of the event: the same in each attempt and replay. Ignore an id that was processed before. */
                "webhook-id": string;
                /** @description Time of the attempt, in Unix seconds. */
                "webhook-timestamp": string;
                /** @description One or more signatures, separated by spaces: `v1,` and base64. */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["WorkflowPublishedWebhook"];
            };
        };
        responses: {
            /** @description The event was received. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    "webhooks.budgetReached": {
        parameters: {
            query?: never;
            header: {
                /** @description Id of the event: the same in each attempt and replay. Ignore an id that was processed before. */
                "webhook-id": string;
                /** @description Time of the attempt, in Unix seconds. */
                "webhook-timestamp": string;
                /** @description One or more signatures, separated by spaces: `v1,` and base64. */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["BudgetReachedWebhook"];
            };
        };
        responses: {
            /** @description The event was received. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    "webhooks.keyExpiring": {
        parameters: {
            query?: never;
            header: {
                /** @description Id of the event: the same in each attempt and replay. Ignore an id that was processed before. */
                "webhook-id": string;
                /** @description Time of the attempt, in Unix seconds. */
                "webhook-timestamp": string;
                /** @description One or more signatures, separated by spaces: `v1,` and base64. */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["KeyExpiringWebhook"];
            };
        };
        responses: {
            /** @description The event was received. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    "webhooks.webhookDisabled": {
        parameters: {
            query?: never;
            header: {
                /** @description Id of the event: the same in each attempt and replay. Ignore an id that was processed before. */
                "webhook-id": string;
                /** @description Time of the attempt, in Unix seconds. */
                "webhook-timestamp": string;
                /** @description One or more signatures, separated by spaces: `v1,` and base64. */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["WebhookDisabledWebhook"];
            };
        };
        responses: {
            /** @description The event was received. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    "webhooks.webhookTest": {
        parameters: {
            query?: never;
            header: {
                /** @description Id of the event: the same in each attempt and replay. Ignore an id that was processed before. */
                "webhook-id": string;
                /** @description Time of the attempt, in Unix seconds. */
                "webhook-timestamp": string;
                /** @description One or more signatures, separated by spaces: `v1,` and base64. */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["TestWebhook"];
            };
        };
        responses: {
            /** @description The event was received. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
}
