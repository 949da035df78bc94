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
         * @description Synchronous by default: returns 200 with the output. If the execution takes longer than the service waits, returns 202 and the execution continues: poll it. With `async: true`, returns 202 as soon as the execution is stored.
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
         * @description The body is the workflow document, with the optional additional field `projectId`. Default: the project "Default".
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
         * @description The body is a document, or `{ "document": ..., "parameters": ... }` to validate parameter values as well. Returns all issues and the plan of an execution. With `workflowId` and `variations`, the plan is that of an execution of the draft with these `variations`.
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
         * @description Required permission: `workflows:read`.
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
         * @description Executions of the workflow and their outputs are kept.
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
         * @description Returns the newest version, or the version in `version`.
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
         * @description Reserves an id for the workflow. The workflow does not exist until you publish the draft. The document is validated when you publish it.
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
         * @description Accepts PNG, JPEG, WebP, AVIF, GIF, TIFF and SVG. The format is detected from the content. The image is fully decoded to validate it.
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
        put?: never;
        post?: never;
        /**
         * Delete an image
         * @description The URL of the image returns 404 afterwards, and executions of workflows that use it fail. `GET /storage/images/{imageId}/uses` lists these workflows.
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
         * List workflows that use an image
         * @description Returns the workflows whose newest version or draft contains the id of the image: the newest workflows first, then drafts. Check it before you delete an image: executions of these workflows fail without it. Earlier versions, and values that callers pass as parameters, are not searched.
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
         * @description Public: anyone who has the URL can download the image. The id cannot be guessed.
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
         * @description Returns a WebP image of at most 512 x 512 pixels for lists and galleries, for every format: an SVG is drawn, an animation shows its first frame. Other images that are smaller keep their size. Public like the image: anyone who has the id can request it. The first request renders the thumbnail, and it is stored for some days after the last one.
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
        get?: never;
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
         * @description Required permission: `projects:write`.
         */
        post: operations["projects.create"];
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
         * @description Includes revoked and expired keys.
         *
         *     Required permission: `all`.
         */
        get: operations["keys.list"];
        put?: never;
        /**
         * Create an API key
         * @description The response is the only one with the full key. An account can have at most 100 active keys. A key cannot expire later than the key that creates it.
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
        get?: never;
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
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        Error: {
            error: {
                /** @enum {unknown} */
                code: "forbidden" | "internal_error" | "invalid_request" | "method_not_allowed" | "not_found" | "rate_limited" | "unauthorized" | "unavailable" | "workflow_failed";
                /** @description Text for people, which can change in any release. Branch on `code` and `details.reason`, never on `message`. */
                message: string;
                details: {
                    requestId: string;
                    /**
                     * Format: uri
                     * @description The documentation of the code, or of the reason if there is one. Missing with `DOCS=false`.
                     */
                    docs?: string;
                    /** @description All issues of an `invalid_request`. */
                    issues?: {
                        path: string;
                        message: string;
                    }[];
                    permission?: string | null;
                    retryAfterSeconds?: number;
                    limit?: number;
                    executionId?: string;
                    node?: string;
                    operation?: string;
                    /** @enum {unknown} */
                    reason?: "cancelled" | "input_invalid" | "input_not_found" | "internal" | "limit_exceeded" | "provider_not_configured" | "provider_rate_limited" | "provider_refused" | "provider_unavailable" | "timeout" | "worker_lost";
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
                     * @enum {unknown}
                     */
                    billed?: "no" | "yes" | "unknown";
                } & {
                    [key: string]: unknown;
                };
            };
        };
        AcceptedExecution: {
            executionId: string;
            /** @enum {unknown} */
            status: "pending" | "running";
        };
        ApiKey: {
            id: string;
            name: string;
            /** @description The first 12 characters of the key. */
            prefix: string;
            permissions: ("workflows:read" | "workflows:execute" | "workflows:write" | "storage:read" | "storage:write" | "projects:read" | "projects:write" | "all")[];
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
        CompletedExecution: {
            executionId: string;
            /** @constant */
            status: "completed";
            output: {
                url: string;
                width: number;
                height: number;
                /** @enum {unknown} */
                format: "png" | "jpeg" | "webp" | "avif" | "gif" | "tiff" | "svg" | "pdf" | "psd";
                imageId?: string;
                /**
                 * @description Whether a generative AI model made the pixels. `generated`: all of them. `composite`: a part of them, or it edited the image. Absent if no known model did. The file has the corresponding mark in its metadata (IPTC digital source type).
                 * @enum {unknown}
                 */
                origin?: "generated" | "composite";
            };
            /** @description Problems of the steps that did not stop the execution, such as characters that no font has. Absent if there are none. */
            warnings?: {
                node: string;
                message: string;
            }[];
            /** @description Milliseconds from the accepted request to the stored output. */
            duration: number;
            /** @description Cost of the AI model calls. Absent if there were none. */
            cost?: {
                /** @description US dollars. */
                usd: number;
                /** @description Number of calls with unknown cost. `usd` includes their maximum cost, if it is known. */
                unknown?: number;
            };
        };
        CredentialManifest: {
            /**
             * @description `trusted`: unchanged since a trusted signer signed it. `valid`: unchanged, but the signer is unknown. `invalid`: changed, or not signed correctly. Of an ingredient: when it was used.
             * @enum {unknown}
             */
            state: "trusted" | "valid" | "invalid";
            problems: {
                /** @description A status code of C2PA, such as `assertion.dataHash.mismatch`, or one that starts with `tintype.`. */
                code: string;
                message: string;
            }[];
            title?: string;
            signer: {
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
            } | null;
            /** @description The program that wrote it, such as `Tintype 1.0.0`. */
            claimGenerator?: string;
            actions: {
                /** @description Such as `c2pa.created`, `c2pa.opened`, `c2pa.placed`, `c2pa.edited`. */
                action: string;
                /** @description URI of the IPTC vocabulary. */
                digitalSourceType?: string;
                /** @description The model or program that did it. */
                softwareAgent?: string;
                description?: string;
                when?: string;
            }[];
            ingredients: {
                title: string;
                /** @description `parentOf`: it was changed. `componentOf`: it is a part. */
                relationship: string;
                mediaType?: string;
                /** @description Null if it had no credentials when it was used. */
                credentials: components["schemas"]["CredentialManifest"] | null;
            }[];
            /** @description Facts that Tintype recorded: label to data. If a manifest is in the file several times, only its first report has them. */
            assertions: {
                [key: string]: unknown;
            };
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
        Execution: {
            executionId: string;
            workflowId: string;
            /** @enum {unknown} */
            status: "pending" | "running" | "completed" | "failed";
            output?: {
                url: string;
                width: number;
                height: number;
                /** @enum {unknown} */
                format: "png" | "jpeg" | "webp" | "avif" | "gif" | "tiff" | "svg" | "pdf" | "psd";
                imageId?: string;
                /**
                 * @description Whether a generative AI model made the pixels. `generated`: all of them. `composite`: a part of them, or it edited the image. Absent if no known model did. The file has the corresponding mark in its metadata (IPTC digital source type).
                 * @enum {unknown}
                 */
                origin?: "generated" | "composite";
            };
            /** @description Problems of the steps that did not stop the execution, such as characters that no font has. Absent if there are none. */
            warnings?: {
                node: string;
                message: string;
            }[];
            error?: {
                code: string;
                message: string;
                details: {
                    [key: string]: unknown;
                };
            };
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
            /**
             * @description Previews of the step results are stored.
             * @constant
             */
            previews?: true;
            /** @description The failed execution that this execution resumes. */
            resumedFrom?: string;
            /**
             * @description The execution ran a draft. `workflowVersion` is absent.
             * @constant
             */
            draft?: true;
            /** @description The last node that was executed. */
            node?: string;
            /** @description The variations of the request, by node. */
            variations?: {
                [key: string]: string;
            };
            /** @description Cost of the AI model calls. Absent if there were none. */
            cost?: {
                /** @description US dollars. */
                usd: number;
                /** @description Number of calls with unknown cost. `usd` includes their maximum cost, if it is known. */
                unknown?: number;
            };
        };
        Font: {
            id: string;
            /** @description Name of the font family. The files of a family differ in weight and style. */
            family: string;
            /** @enum {unknown} */
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
        Image: {
            id: string;
            url: string;
            /** @description File name. */
            name: string;
            /** @description Bytes. */
            size: number;
            /** @enum {unknown} */
            format: "png" | "jpeg" | "webp" | "avif" | "gif" | "tiff" | "svg" | "pdf" | "psd";
            width: number;
            height: number;
            /**
             * @description Whether a generative AI model made the pixels. `generated`: all of them. `composite`: a part of them, or it edited the image. Absent if no known model did. The file has the corresponding mark in its metadata (IPTC digital source type).
             * @enum {unknown}
             */
            origin?: "generated" | "composite";
            /**
             * @description The state of the Content Credentials of the file when it was stored. `trusted`: not changed since it was signed by a certificate that this service trusts. `valid`: not changed, but the signer is unknown. `invalid`: changed, or not signed correctly. Absent without credentials.
             * @enum {unknown}
             */
            credentials?: "trusted" | "valid" | "invalid";
            /**
             * Format: date-time
             * @description ISO 8601, UTC.
             */
            createdAt: string;
            projectId?: string;
        };
        /** @description With `include=lastOutput`: the output of the most recent completed execution. Absent if the image was deleted. */
        LastOutput: {
            executionId: string;
            url: string;
            width: number;
            height: number;
            /** @enum {unknown} */
            format: "png" | "jpeg" | "webp" | "avif" | "gif" | "tiff" | "svg" | "pdf" | "psd";
            /**
             * Format: date-time
             * @description ISO 8601, UTC.
             */
            completedAt: string;
        };
        /** @description A parameter of the workflow: a number, or a string, which can be an image id or URL. */
        Parameter: {
            /** @description Name of the parameter in templates and requests. */
            name: string;
            /** @description Whether each execution must pass a value. */
            required?: boolean;
            description?: string;
            /** @constant */
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
        } | {
            /** @description Name of the parameter in templates and requests. */
            name: string;
            /** @description Whether each execution must pass a value. */
            required?: boolean;
            description?: string;
            /** @constant */
            type: "number";
            default?: number;
            /** @description Minimum value. */
            minimum?: number;
            /** @description Maximum value. */
            maximum?: number;
        };
        Project: {
            id: string;
            name: string;
            description: string;
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
        Session: {
            account: {
                id: string;
                name: string;
                /** @enum {unknown} */
                plan: "free" | "starter" | "pro" | "enterprise";
            };
            key: {
                id: string;
                name: string;
                /** @description The first characters of the key. */
                prefix: string;
                permissions: ("workflows:read" | "workflows:execute" | "workflows:write" | "storage:read" | "storage:write" | "projects:read" | "projects:write" | "all")[];
                /**
                 * Format: date-time
                 * @description ISO 8601, UTC.
                 */
                expiresAt?: string;
            };
            /**
             * Format: uri
             * @description The documentation of the service. Missing with `DOCS=false`.
             */
            docsUrl?: string;
        };
        Step: {
            node: string;
            operation: string;
            /** @enum {unknown} */
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
            /**
             * @description Whether a generative AI model made the pixels. `generated`: all of them. `composite`: a part of them, or it edited the image. Absent if no known model did. The file has the corresponding mark in its metadata (IPTC digital source type).
             * @enum {unknown}
             */
            origin?: "generated" | "composite";
            /**
             * @description Source of the result, if the step did not run. `cache`: the step cache; also if a later step was cached and this result was not needed. `resumed`: the execution that this execution resumes.
             * @enum {unknown}
             */
            servedFrom?: "cache" | "resumed";
            /** @description AI model calls of the step in their order, including earlier attempts. */
            calls?: {
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
            }[];
            /** @description Identifies the work of the step: its settings and all that it depends on. Only for executions with `previews: true`. Compare it with `POST /workflows/validate` to find the steps that a change affects. */
            fingerprint?: string;
            /** @description Problems that did not stop the execution, such as characters that no font has, or a source whose Content Credentials are invalid. */
            warnings?: string[];
            /** @description Preview of the result, if the execution was started with `previews: true`. */
            preview?: {
                url: string;
                width: number;
                height: number;
            };
            error?: {
                message: string;
                details: {
                    [key: string]: unknown;
                };
            };
        };
        Workflow: {
            id: string;
            name: string;
            description: string;
            projectId: string;
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
            /** @description The newest version, which executions run. */
            version?: number;
            warnings?: {
                path: string;
                message: string;
            }[];
        };
        WorkflowDocument: {
            name: string;
            description?: string;
            parameters?: components["schemas"]["Parameter"][];
            nodes: {
                [key: string]: components["schemas"]["WorkflowNode"];
            };
            output: {
                /** @description The id of a node: a-z, then a-z 0-9 _ -, at most 64. */
                node: string;
                /** @description Default: `webp` for an animation, `png` if the image has transparency or `lossless` is true, otherwise `jpeg`. jpeg, avif and tiff encode the first frame. Can be a template. */
                format?: unknown;
                /** @description File name of the output image. Can be a template. */
                name?: unknown;
                /** @description Quality of lossy compression. No effect on lossless formats. Default: 80, avif 50. Can be a template. */
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
                /** @description Pixels per inch for printing. Pixels stay unchanged. Can be a template. */
                density?: unknown;
            };
            /** @description Examples for comparing versions. Executions ignore them. */
            examples?: components["schemas"]["WorkflowExample"][];
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
        WorkflowNode: {
            /** @description The id of an operation from `GET /operations`. */
            type: string;
            /** @description Image inputs: socket name to node id, or to a list of node ids if the socket accepts several. */
            inputs?: {
                [key: string]: string | string[];
            };
            /** @description Params of the operation. Each value is a literal or a template. */
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
        /** @description The current state of the execution and its steps. The `id` is that of the last event that the snapshot includes. */
        ExecutionSnapshotEvent: {
            execution: components["schemas"]["Execution"];
            steps: components["schemas"]["Step"][];
        };
        /** @description The new state of a step. */
        ExecutionStepEvent: {
            node: string;
            operation: string;
            /** @enum {unknown} */
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
            /**
             * @description Whether a generative AI model made the pixels. `generated`: all of them. `composite`: a part of them, or it edited the image. Absent if no known model did. The file has the corresponding mark in its metadata (IPTC digital source type).
             * @enum {unknown}
             */
            origin?: "generated" | "composite";
            /**
             * @description Source of the result, if the step did not run. `cache`: the step cache; also if a later step was cached and this result was not needed. `resumed`: the execution that this execution resumes.
             * @enum {unknown}
             */
            servedFrom?: "cache" | "resumed";
            /** @description AI model calls of the step in their order, including earlier attempts. */
            calls?: {
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
            }[];
            /** @description Identifies the work of the step: its settings and all that it depends on. Only for executions with `previews: true`. Compare it with `POST /workflows/validate` to find the steps that a change affects. */
            fingerprint?: string;
            /** @description Problems that did not stop the execution, such as characters that no font has, or a source whose Content Credentials are invalid. */
            warnings?: string[];
            /** @description Preview of the result, if the execution was started with `previews: true`. */
            preview?: {
                url: string;
                width: number;
                height: number;
            };
            error?: {
                message: string;
                details: {
                    [key: string]: unknown;
                };
            };
        };
        /** @description The status of the execution changed. */
        ExecutionStatusEvent: {
            executionId: string;
            /**
             * @description With `pending` or `running`, the execution restarts: discard the steps that you received. No event follows `completed` or `failed`.
             * @enum {unknown}
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
            output?: {
                url: string;
                width: number;
                height: number;
                /** @enum {unknown} */
                format: "png" | "jpeg" | "webp" | "avif" | "gif" | "tiff" | "svg" | "pdf" | "psd";
                imageId?: string;
                /**
                 * @description Whether a generative AI model made the pixels. `generated`: all of them. `composite`: a part of them, or it edited the image. Absent if no known model did. The file has the corresponding mark in its metadata (IPTC digital source type).
                 * @enum {unknown}
                 */
                origin?: "generated" | "composite";
            };
            error?: {
                code: string;
                message: string;
                details: {
                    [key: string]: unknown;
                };
            };
            /** @description Milliseconds from the accepted request to the end of the execution. */
            duration?: number;
            /** @description Cost of the AI model calls. Absent if there were none. */
            cost?: {
                /** @description US dollars. */
                usd: number;
                /** @description Number of calls with unknown cost. `usd` includes their maximum cost, if it is known. */
                unknown?: number;
            };
        };
        Operation_image: Record<string, never>;
        Operation_canvas: Record<string, never>;
        Operation_gradient: Record<string, never>;
        Operation_noise: Record<string, never>;
        Operation_shape: Record<string, never>;
        Operation_svg: Record<string, never>;
        Operation_qr: Record<string, never>;
        Operation_barcode: Record<string, never>;
        Operation_chart: Record<string, never>;
        Operation_generate: Record<string, never>;
        Operation_edit: Record<string, never>;
        Operation_inpaint: Record<string, never>;
        Operation_describe: Record<string, never>;
        Operation_write: Record<string, never>;
        Operation_judge: Record<string, never>;
        Operation_resize: Record<string, never>;
        Operation_crop: Record<string, never>;
        "Operation_smart-crop": Record<string, never>;
        Operation_rotate: Record<string, never>;
        Operation_flip: Record<string, never>;
        Operation_extend: Record<string, never>;
        Operation_perspective: Record<string, never>;
        "Operation_thumbnail-sheet": Record<string, never>;
        Operation_tile: Record<string, never>;
        Operation_trim: Record<string, never>;
        Operation_round: Record<string, never>;
        Operation_adjust: Record<string, never>;
        "Operation_auto-enhance": Record<string, never>;
        Operation_levels: Record<string, never>;
        Operation_curves: Record<string, never>;
        Operation_temperature: Record<string, never>;
        Operation_normalize: Record<string, never>;
        Operation_equalize: Record<string, never>;
        Operation_grayscale: Record<string, never>;
        Operation_invert: Record<string, never>;
        Operation_tint: Record<string, never>;
        Operation_duotone: Record<string, never>;
        "Operation_gradient-map": Record<string, never>;
        Operation_lut: Record<string, never>;
        Operation_threshold: Record<string, never>;
        Operation_posterize: Record<string, never>;
        Operation_blur: Record<string, never>;
        Operation_sharpen: Record<string, never>;
        Operation_upscale: Record<string, never>;
        "Operation_remove-background": Record<string, never>;
        "Operation_drop-shadow": Record<string, never>;
        Operation_outline: Record<string, never>;
        Operation_glow: Record<string, never>;
        Operation_vignette: Record<string, never>;
        Operation_pixelate: Record<string, never>;
        Operation_grain: Record<string, never>;
        Operation_median: Record<string, never>;
        Operation_denoise: Record<string, never>;
        Operation_edges: Record<string, never>;
        Operation_composite: Record<string, never>;
        Operation_mask: Record<string, never>;
        Operation_grid: Record<string, never>;
        Operation_montage: Record<string, never>;
        Operation_stack: Record<string, never>;
        Operation_choose: Record<string, never>;
        Operation_watermark: Record<string, never>;
        Operation_diff: Record<string, never>;
        "Operation_before-after": Record<string, never>;
        Operation_text: Record<string, never>;
        Operation_info: Record<string, never>;
        Operation_palette: Record<string, never>;
        Operation_histogram: Record<string, never>;
        Operation_blurhash: Record<string, never>;
        Operation_phash: Record<string, never>;
        Operation_similarity: Record<string, never>;
        Operation_faces: Record<string, never>;
        Operation_ocr: Record<string, never>;
        Operation_frames: Record<string, never>;
        Operation_animate: Record<string, never>;
    };
    responses: {
        /** @description `invalid_request`: The body, a field, a query parameter or an upload is invalid. `details.issues` lists all issues. */
        InvalidRequest: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    error?: {
                        /** @enum {unknown} */
                        code?: "invalid_request";
                    };
                };
            };
        };
        /** @description `unauthorized`: The `Authorization` header is missing or malformed, the API key is unknown, expired or revoked, or the session of the console has ended. */
        Unauthorized: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    error?: {
                        /** @enum {unknown} */
                        code?: "unauthorized";
                    };
                };
            };
        };
        /** @description `forbidden`: The API key is valid but lacks the permission in `details.permission`, the account is on the Free plan, or a page of another origin sent the request with the session of the console. */
        Forbidden: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    error?: {
                        /** @enum {unknown} */
                        code?: "forbidden";
                    };
                };
            };
        };
        /** @description `rate_limited`: A limit was reached: requests per minute, waiting executions or open event streams of the account, or sign-ins or requests with a wrong key from this address. `details.limit` is the limit. */
        RateLimited: {
            headers: {
                /** @description Seconds to wait before retrying. */
                "Retry-After"?: number;
                /** @description Requests allowed per minute. */
                "X-RateLimit-Limit"?: number;
                /** @description Requests left in this minute. */
                "X-RateLimit-Remaining"?: number;
                /** @description End of this minute, as a Unix timestamp. */
                "X-RateLimit-Reset"?: number;
                /** @description Requests left, and seconds until the reset: `"requests";r=299;t=42`. */
                RateLimit?: string;
                /** @description The limit and its window in seconds: `"requests";q=300;w=60`. */
                "RateLimit-Policy"?: string;
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    error?: {
                        /** @enum {unknown} */
                        code?: "rate_limited";
                    };
                };
            };
        };
        /**
         * @description `internal_error`: An unexpected error of the service. The log has the cause under `details.requestId`.
         *
         *     `workflow_failed`: `details.reason` is the reason. `details.node` and `details.operation` are the failed step.
         */
        InternalErrorOrWorkflowFailed: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    error?: {
                        /** @enum {unknown} */
                        code?: "internal_error" | "workflow_failed";
                    };
                };
            };
        };
        /** @description `unavailable`: The service is shutting down, has reached its limit of waiting executions or running comparisons, or cannot reach its database or image storage. Also returned while the image process is not running, and if a thumbnail is not ready in time. */
        Unavailable: {
            headers: {
                /** @description Seconds to wait before retrying. */
                "Retry-After"?: number;
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    error?: {
                        /** @enum {unknown} */
                        code?: "unavailable";
                    };
                };
            };
        };
        /** @description `not_found`: The id or the path is unknown, was deleted, or belongs to another account. */
        NotFound: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    error?: {
                        /** @enum {unknown} */
                        code?: "not_found";
                    };
                };
            };
        };
        /** @description `internal_error`: An unexpected error of the service. The log has the cause under `details.requestId`. */
        InternalError: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    error?: {
                        /** @enum {unknown} */
                        code?: "internal_error";
                    };
                };
            };
        };
    };
    parameters: never;
    requestBodies: never;
    headers: never;
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
                "application/json": {
                    /** @description The id of the workflow. */
                    workflowId: string;
                    /** @description Values by parameter name. */
                    parameters?: {
                        [key: string]: unknown;
                    };
                    /** @description Store a preview of each step result, available during and after the execution. Default: false. */
                    previews?: boolean;
                    /** @description Return an execution id immediately instead of waiting for the output. Default: false. */
                    async?: boolean;
                };
            };
        };
        responses: {
            /** @description The execution completed. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CompletedExecution"];
                };
            };
            /** @description The execution was accepted and continues. Poll the URL in `Location`. */
            202: {
                headers: {
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
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        executions: components["schemas"]["Execution"][];
                        /** @description Total number of matching results. */
                        total: number;
                        /** @description Whether more results follow this page. */
                        hasMore: boolean;
                    };
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
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        executionId: string;
                        steps: components["schemas"]["Step"][];
                    };
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
                    [name: string]: unknown;
                };
                content: {
                    "text/event-stream": string;
                };
            };
            /** @description The execution has ended, and you received its last event. Do not reconnect. */
            204: {
                headers: {
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
                    [name: string]: unknown;
                };
                content: {
                    "image/webp": unknown;
                };
            };
            /** @description Not modified: the `ETag` matches `If-None-Match`. */
            304: {
                headers: {
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
        requestBody: {
            content: {
                "application/json": {
                    /** @description Parameters to change, by name. */
                    parameters?: {
                        [key: string]: unknown;
                    };
                    /** @description Return an execution id immediately instead of waiting for the output. Default: false. */
                    async?: boolean;
                };
            };
        };
        responses: {
            /** @description The execution completed. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CompletedExecution"];
                };
            };
            /** @description The execution was accepted and continues. Poll the URL in `Location`. */
            202: {
                headers: {
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
                /** @description Include the output of the most recent completed execution of each workflow. */
                include?: "lastOutput";
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
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        workflows: {
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
                            lastOutput?: components["schemas"]["LastOutput"];
                        }[];
                        /** @description Total number of matching results. */
                        total: number;
                        /** @description Whether more results follow this page. */
                        hasMore: boolean;
                    };
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
                "application/json": {
                    name: string;
                    description?: string;
                    parameters?: components["schemas"]["Parameter"][];
                    nodes: {
                        [key: string]: components["schemas"]["WorkflowNode"];
                    };
                    output: {
                        /** @description The id of a node: a-z, then a-z 0-9 _ -, at most 64. */
                        node: string;
                        /** @description Default: `webp` for an animation, `png` if the image has transparency or `lossless` is true, otherwise `jpeg`. jpeg, avif and tiff encode the first frame. Can be a template. */
                        format?: unknown;
                        /** @description File name of the output image. Can be a template. */
                        name?: unknown;
                        /** @description Quality of lossy compression. No effect on lossless formats. Default: 80, avif 50. Can be a template. */
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
                        /** @description Pixels per inch for printing. Pixels stay unchanged. Can be a template. */
                        density?: unknown;
                    };
                    /** @description Examples for comparing versions. Executions ignore them. */
                    examples?: components["schemas"]["WorkflowExample"][];
                    /** @description Positions of nodes in the console. Has no effect on executions. */
                    layout?: unknown;
                    /** @description The project of the workflow. Default: the project "Default" for a new workflow, otherwise the current project. */
                    projectId?: string;
                };
            };
        };
        responses: {
            /** @description The workflow was saved as version 1. `Location` is its URL. */
            201: {
                headers: {
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
                "application/json": components["schemas"]["WorkflowDocument"] | {
                    document: components["schemas"]["WorkflowDocument"];
                    parameters?: {
                        [key: string]: unknown;
                    };
                    /** @description The workflow whose results `variations` reuses. */
                    workflowId?: string;
                    /** @description Reuse random results, such as those of AI models without a seed, instead of calling the models again. A node whose settings and inputs are unchanged reuses the result that an earlier execution of this workflow with `variations` created. The object maps node ids to variations, any text: a new text requests a new result, and an earlier text returns its result. A node that is not listed has its own id as its variation. Results are kept in the step cache. Default: random results are not reused. */
                    variations?: {
                        [key: string]: string;
                    };
                };
            };
        };
        responses: {
            /** @description The issues and the plan. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        valid: boolean;
                        issues: {
                            path: string;
                            message: string;
                        }[];
                        warnings: {
                            path: string;
                            message: string;
                        }[];
                        steps: {
                            node: string;
                            operation: string;
                            /**
                             * @description `decide`: known only after other nodes have run. `unneeded`: no other node uses the result.
                             * @enum {unknown}
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
                            cost?: {
                                minUsd: number;
                                maxUsd: number;
                            } | null;
                            /** @description Identifies the work of the step: its settings and all that it depends on. Compare it with the steps of an execution with `previews: true`. Absent for `unneeded`. */
                            fingerprint?: string;
                        }[];
                        /** @description Milliseconds from start to stored output, estimated from recent executions of the account. Null if an operation has not run yet. */
                        expectedDuration: number | null;
                        /** @description Estimated cost of AI model calls in US dollars. Null if a price is unknown. */
                        cost: {
                            minUsd: number;
                            maxUsd: number;
                        } | null;
                        /** @description Resolved output settings. Null if they are not known yet. */
                        output: {
                            [key: string]: unknown;
                        } | null;
                    };
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
    "workflows.get": {
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
            /** @description The workflow. `ETag` is its newest version. */
            200: {
                headers: {
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
                "application/json": {
                    name: string;
                    description?: string;
                    parameters?: components["schemas"]["Parameter"][];
                    nodes: {
                        [key: string]: components["schemas"]["WorkflowNode"];
                    };
                    output: {
                        /** @description The id of a node: a-z, then a-z 0-9 _ -, at most 64. */
                        node: string;
                        /** @description Default: `webp` for an animation, `png` if the image has transparency or `lossless` is true, otherwise `jpeg`. jpeg, avif and tiff encode the first frame. Can be a template. */
                        format?: unknown;
                        /** @description File name of the output image. Can be a template. */
                        name?: unknown;
                        /** @description Quality of lossy compression. No effect on lossless formats. Default: 80, avif 50. Can be a template. */
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
                        /** @description Pixels per inch for printing. Pixels stay unchanged. Can be a template. */
                        density?: unknown;
                    };
                    /** @description Examples for comparing versions. Executions ignore them. */
                    examples?: components["schemas"]["WorkflowExample"][];
                    /** @description Positions of nodes in the console. Has no effect on executions. */
                    layout?: unknown;
                    /** @description The project of the workflow. Default: the project "Default" for a new workflow, otherwise the current project. */
                    projectId?: string;
                };
            };
        };
        responses: {
            /** @description The workflow was saved or compared. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        id: string;
                        name: string;
                        description: string;
                        projectId: string;
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
                        /** @description The newest version, which executions run. */
                        version?: number;
                        warnings?: {
                            path: string;
                            message: string;
                        }[];
                        /** @description With `compare=true`: the differences between the current and the new document. Nothing was saved. */
                        comparison?: {
                            examples: {
                                name: string;
                                /**
                                 * @description `same`: equal bytes. `encoded`: the same pixels in another format or quality. `different`: other pixels. `resized`: another size or number of frames. `failed`: at least one execution failed; its error replaces the image.
                                 * @enum {unknown}
                                 */
                                result: "same" | "encoded" | "different" | "resized" | "failed";
                                before: {
                                    width: number;
                                    height: number;
                                    /** @enum {unknown} */
                                    format: "png" | "jpeg" | "webp" | "avif" | "gif" | "tiff" | "svg" | "pdf" | "psd";
                                    /** @description Bytes. */
                                    size: number;
                                } | {
                                    error: {
                                        code: string;
                                        message: string;
                                        details: {
                                            [key: string]: unknown;
                                        };
                                    };
                                };
                                after: {
                                    width: number;
                                    height: number;
                                    /** @enum {unknown} */
                                    format: "png" | "jpeg" | "webp" | "avif" | "gif" | "tiff" | "svg" | "pdf" | "psd";
                                    /** @description Bytes. */
                                    size: number;
                                } | {
                                    error: {
                                        code: string;
                                        message: string;
                                        details: {
                                            [key: string]: unknown;
                                        };
                                    };
                                };
                                /** @description Share of pixels that differ, 0 to 1, before encoding. */
                                differing: number | null;
                                /** @description Largest difference of a channel, 0 to 255. */
                                maxDifference: number | null;
                                /** @description Peak signal-to-noise ratio in dB. Null if all pixels are equal or the sizes differ. */
                                psnr: number | null;
                            }[];
                        };
                    };
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
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        deleted: boolean;
                    };
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
            /** @description The document. `ETag` is its version, for `If-Match`. */
            200: {
                headers: {
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
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        versions: {
                            version: number;
                            /**
                             * Format: date-time
                             * @description ISO 8601, UTC.
                             */
                            createdAt: string;
                            /** @description The note of the publisher. */
                            note?: string;
                        }[];
                        /** @description Total number of matching results. */
                        total: number;
                        /** @description Whether more results follow this page. */
                        hasMore: boolean;
                    };
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
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        drafts: {
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
                        }[];
                        /** @description Total number of matching results. */
                        total: number;
                        /** @description Whether more results follow this page. */
                        hasMore: boolean;
                    };
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
        requestBody: {
            content: {
                "application/json": {
                    /** @description The workflow document: any JSON object. It is validated when it is executed or published. */
                    document?: {
                        [key: string]: unknown;
                    };
                    /** @description The project of the workflow. Default: the project "Default". */
                    projectId?: string;
                };
            };
        };
        responses: {
            /** @description The draft was created. `Location` is its URL. */
            201: {
                headers: {
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
            /** @description The draft. `ETag` is its revision, for `If-Match`. */
            200: {
                headers: {
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
                "application/json": {
                    /** @description The workflow document: any JSON object. It is validated when it is executed or published. */
                    document: {
                        [key: string]: unknown;
                    };
                };
            };
        };
        responses: {
            /** @description The draft was saved. `ETag` is the new revision. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Draft"];
                };
            };
            /** @description A new draft was created. */
            201: {
                headers: {
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
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        deleted: boolean;
                    };
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
        requestBody: {
            content: {
                "application/json": {
                    /** @description A note for the list of versions. */
                    note?: string;
                    /** @description Publish even if the workflow was saved after the draft was created. Default: false. */
                    overwrite?: boolean;
                };
            };
        };
        responses: {
            /** @description The draft was published. `ETag` is the version. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Workflow"];
                };
            };
            /** @description The workflow was published for the first time. `Location` is its URL. */
            201: {
                headers: {
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
        requestBody: {
            content: {
                "application/json": {
                    /** @description Values by parameter name. */
                    parameters?: {
                        [key: string]: unknown;
                    };
                    /** @description Execute up to this node. Its image becomes the output, in the default format. */
                    node?: string;
                    /** @description Store a preview of each step result, available during and after the execution. Default: false. */
                    previews?: boolean;
                    /** @description Reuse random results, such as those of AI models without a seed, instead of calling the models again. A node whose settings and inputs are unchanged reuses the result that an earlier execution of this workflow with `variations` created. The object maps node ids to variations, any text: a new text requests a new result, and an earlier text returns its result. A node that is not listed has its own id as its variation. Results are kept in the step cache. Default: random results are not reused. */
                    variations?: {
                        [key: string]: string;
                    };
                    /** @description Return an execution id immediately instead of waiting for the output. Default: false. */
                    async?: boolean;
                };
            };
        };
        responses: {
            /** @description The execution completed. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CompletedExecution"];
                };
            };
            /** @description The execution was accepted and continues. Poll the URL in `Location`. */
            202: {
                headers: {
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
                "multipart/form-data": {
                    /** @description The content of the file. */
                    file: string;
                    /** @description The project of the image. */
                    projectId?: string;
                    /** @description File name. Default: the name of the uploaded file. */
                    name?: string;
                };
            };
        };
        responses: {
            /** @description The image was stored. `Location` is its URL. */
            201: {
                headers: {
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
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        images: {
                            id: string;
                            url: string;
                            name: string;
                            size: number;
                            /**
                             * Format: date-time
                             * @description ISO 8601, UTC.
                             */
                            createdAt: string;
                        }[];
                        /** @description Total number of matching results. */
                        total: number;
                        /** @description Whether more results follow this page. */
                        hasMore: boolean;
                    };
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
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        deleted: boolean;
                    };
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
            /** @description The workflows that use the image. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        workflows: {
                            workflowId: string;
                            /** @description Name of the workflow, or of a draft that was never published. */
                            name: string;
                            /** @description The newest version, if it names the image. */
                            version?: number;
                            /** @description Whether the draft of the workflow names the image. */
                            draft: boolean;
                        }[];
                        /** @description Whether other workflows may use the image: only the newest 1000 workflows and 1000 drafts are searched, at most 16777216 bytes of each, until 20 of them are found. */
                        hasMore: boolean;
                    };
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
            query?: never;
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
                    [name: string]: unknown;
                };
                content: {
                    "image/*": unknown;
                };
            };
            /** @description The requested range. */
            206: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not modified: the `ETag` matches `If-None-Match`. */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["InvalidRequest"];
            404: components["responses"]["NotFound"];
            /** @description The range is outside of the image. */
            416: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    "images.thumbnail": {
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
            /** @description The thumbnail. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "image/webp": unknown;
                };
            };
            /** @description Not modified: the `ETag` matches `If-None-Match`. */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["InvalidRequest"];
            404: components["responses"]["NotFound"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
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
                "multipart/form-data": {
                    /** @description The content of the file. */
                    file: string;
                };
            };
        };
        responses: {
            /** @description The facts in the file. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {unknown} */
                        format: "png" | "jpeg" | "webp" | "avif" | "gif" | "tiff" | "svg" | "pdf" | "psd";
                        /** @description Bytes. */
                        size: number;
                        /** @description Hash of the bytes, in hex. */
                        sha256: string;
                        /** @description Null if the file has no Content Credentials. */
                        credentials: {
                            /**
                             * @description `trusted`: unchanged since a trusted signer signed it. `valid`: unchanged, but the signer is unknown. `invalid`: changed, or not signed correctly. Of an ingredient: when it was used.
                             * @enum {unknown}
                             */
                            state: "trusted" | "valid" | "invalid";
                            problems: {
                                /** @description A status code of C2PA, such as `assertion.dataHash.mismatch`, or one that starts with `tintype.`. */
                                code: string;
                                message: string;
                            }[];
                            title?: string;
                            signer: {
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
                            } | null;
                            /** @description The program that wrote it, such as `Tintype 1.0.0`. */
                            claimGenerator?: string;
                            actions: {
                                /** @description Such as `c2pa.created`, `c2pa.opened`, `c2pa.placed`, `c2pa.edited`. */
                                action: string;
                                /** @description URI of the IPTC vocabulary. */
                                digitalSourceType?: string;
                                /** @description The model or program that did it. */
                                softwareAgent?: string;
                                description?: string;
                                when?: string;
                            }[];
                            ingredients: {
                                title: string;
                                /** @description `parentOf`: it was changed. `componentOf`: it is a part. */
                                relationship: string;
                                mediaType?: string;
                                /** @description Null if it had no credentials when it was used. */
                                credentials: components["schemas"]["CredentialManifest"] | null;
                            }[];
                            /** @description Facts that Tintype recorded: label to data. If a manifest is in the file several times, only its first report has them. */
                            assertions: {
                                [key: string]: unknown;
                            };
                            /** @description Actions, ingredients or facts were left out, because there are too many. */
                            isShortened: boolean;
                        } | null;
                        /** @description With `reexecute=true`. Null if the file has no facts of an execution. */
                        reexecution?: {
                            /**
                             * @description `equal`: the output has the same pixels. `partial`: the output depends on an AI model, and all steps that could be compared have the same pixels. `different`: the pixels of the output or of a step differ. `impossible`: see the message.
                             * @enum {unknown}
                             */
                            result: "equal" | "partial" | "different" | "impossible";
                            /** @description One or more sentences. */
                            message: string;
                            executionId?: string;
                            workflowId?: string;
                            /** @description Missing for a draft. */
                            workflowVersion?: number;
                            /** @description In the order of work. */
                            steps: {
                                node: string;
                                operation: string;
                                /**
                                 * @description `unknown`: its pixels were not recorded. `skipped`: it was not executed again.
                                 * @enum {unknown}
                                 */
                                result: "equal" | "different" | "unknown" | "skipped";
                                message?: string;
                            }[];
                            firstDifference?: {
                                node: string;
                                operation: string;
                                message: string;
                            };
                            /** @description The file and the new output. */
                            output?: {
                                sameSize: boolean;
                                /** @description Share of the pixels, 0 to 1. */
                                differing: number | null;
                                /** @description The largest difference of a channel, 0 to 255. */
                                maxDifference: number | null;
                            };
                        } | null;
                    };
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
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        fonts: components["schemas"]["Font"][];
                        /** @description Total number of matching results. */
                        total: number;
                        /** @description Whether more results follow this page. */
                        hasMore: boolean;
                    };
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
                "multipart/form-data": {
                    /** @description The content of the file. */
                    file: string;
                    /** @description Name of the font family. Default: the name in the file. */
                    family?: string;
                };
            };
        };
        responses: {
            /** @description The font was stored. */
            201: {
                headers: {
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
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        deleted: boolean;
                    };
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
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        projects: components["schemas"]["Project"][];
                        /** @description Total number of matching results. */
                        total: number;
                        /** @description Whether more results follow this page. */
                        hasMore: boolean;
                    };
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
                "application/json": {
                    name: string;
                    description?: string;
                };
            };
        };
        responses: {
            /** @description The project was created. */
            201: {
                headers: {
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
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        operations: {
                            /** @description The value of `type` in a node. */
                            id: string;
                            version: number;
                            title: string;
                            summary: string;
                            /** @description Synonyms and tasks for a search, such as "overlay" and "merge" for `composite`. */
                            keywords: string[];
                            /** @enum {unknown} */
                            group: "source" | "ai" | "geometry" | "colour" | "filter" | "combine" | "text" | "analyse" | "animation";
                            inputs: {
                                name: string;
                                description: string;
                                required: boolean;
                                many: boolean;
                            }[];
                            /** @description JSON Schema of the params. */
                            params: unknown;
                            outputs: {
                                /** @description Description of the output image. Null if the operation has no output image. */
                                image: string | null;
                                values: {
                                    [key: string]: unknown;
                                };
                            };
                            /**
                             * @description Effect on transparency. `kept`: each pixel keeps its alpha. `moved`: alpha moves with the pixels. `made`: the operation sets alpha.
                             * @enum {unknown}
                             */
                            alpha: "kept" | "moved" | "made";
                            /**
                             * @description Effect on animations. `each`: processes each frame separately. `whole`: processes all frames together. `first`: uses the first frame only. `none`: has no image input.
                             * @enum {unknown}
                             */
                            frames: "each" | "whole" | "first" | "none";
                            /** @description The capability that the AI model needs, as in `GET /providers`. Null if the operation uses no AI model. */
                            asks: ("generate" | "edit" | "inpaint" | "remove-background" | "upscale" | "describe" | "write" | "judge") | null;
                            /** @description Whether the same inputs and params always produce the same result. False if this depends on a param such as a seed. */
                            deterministic: boolean;
                            examples: {
                                name: string;
                                params: {
                                    [key: string]: unknown;
                                };
                            }[];
                        }[];
                    };
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
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        providers: {
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
                            models: {
                                /** @description `provider/model`. A name that ends in `*` matches all models with this prefix. */
                                model: string;
                                /** @description Features by capability. */
                                can: {
                                    [key: string]: {
                                        sizes?: {
                                            listed: string[];
                                        } | {
                                            free: {
                                                sideMin: number;
                                                sideMax: number;
                                                /** @description Width and height must be multiples of this number. */
                                                step?: number;
                                                pixelsMax?: number;
                                            };
                                        };
                                        aspectRatios?: string[];
                                        seed?: boolean;
                                        transparency?: boolean;
                                        /** @description Maximum number of input images, excluding the mask. */
                                        imagesMax?: number;
                                        scales?: number[];
                                        /** @description Whether the model accepts a prompt. */
                                        prompt?: boolean;
                                        /** @description US dollars. Null if unknown. The `...Max` fields limit the amount that is reserved from a budget. */
                                        price: {
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
                                        } | null;
                                    };
                                };
                                defaultFor: ("generate" | "edit" | "inpaint" | "remove-background" | "upscale" | "describe" | "write" | "judge")[];
                                /** @description Reason why the model is unavailable although its provider is configured, such as a model that is not installed. */
                                problem: string | null;
                            }[];
                        }[];
                        /** @description Models to try, in this order, if a node names no model. */
                        defaults: {
                            generate: string[];
                            edit: string[];
                            inpaint: string[];
                            "remove-background": string[];
                            upscale: string[];
                            describe: string[];
                            write: string[];
                            judge: string[];
                        };
                    };
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
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description First day. */
                        from: string;
                        /** @description Last day. */
                        to: string;
                        totals: {
                            /** @description Number of successful AI model calls. */
                            calls: number;
                            /** @description Number of failed AI model calls. */
                            failures: number;
                            /** @description US dollars. Includes the maximum cost of calls with unknown cost, if it is known. */
                            costUsd: number;
                            /** @description Number of calls with unknown cost. */
                            unknownCosts: number;
                        };
                        months: {
                            month: string;
                            /** @description Number of successful AI model calls. */
                            calls: number;
                            /** @description Number of failed AI model calls. */
                            failures: number;
                            /** @description US dollars. Includes the maximum cost of calls with unknown cost, if it is known. */
                            costUsd: number;
                            /** @description Number of calls with unknown cost. */
                            unknownCosts: number;
                        }[];
                        days: {
                            day: string;
                            /** @description Number of successful AI model calls. */
                            calls: number;
                            /** @description Number of failed AI model calls. */
                            failures: number;
                            /** @description US dollars. Includes the maximum cost of calls with unknown cost, if it is known. */
                            costUsd: number;
                            /** @description Number of calls with unknown cost. */
                            unknownCosts: number;
                        }[];
                        workflows: {
                            workflowId: string;
                            /** @description Number of successful AI model calls. */
                            calls: number;
                            /** @description Number of failed AI model calls. */
                            failures: number;
                            /** @description US dollars. Includes the maximum cost of calls with unknown cost, if it is known. */
                            costUsd: number;
                            /** @description Number of calls with unknown cost. */
                            unknownCosts: number;
                        }[];
                        keys: {
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
                        }[];
                        models: {
                            model: string;
                            /** @description Number of successful AI model calls. */
                            calls: number;
                            /** @description Number of failed AI model calls. */
                            failures: number;
                            /** @description US dollars. Includes the maximum cost of calls with unknown cost, if it is known. */
                            costUsd: number;
                            /** @description Number of calls with unknown cost. */
                            unknownCosts: number;
                        }[];
                        /** @description Budget of the account in the current month (UTC). */
                        budget: {
                            month: string;
                            /** @description Budget of the month. Null if unlimited. */
                            monthUsd: number | null;
                            spentUsd: number;
                            /** @description Reserved for calls that have not ended. */
                            reservedUsd: number;
                        };
                        /** @description Activity of the entire account. Requests count on the day (UTC) of the response, executions on the day on which they ended. Absent if `workflowId` or `keyId` is set. The number of requests may be some seconds behind. */
                        activity?: {
                            totals: {
                                /** @description Number of requests with a key of the account. */
                                requests: number;
                                /** @description Number of requests with status 4xx or 503. */
                                refused: number;
                                /** @description Number of executions that ended: `completed` plus `failed`. */
                                executions: number;
                                completed: number;
                                failed: number;
                                /** @description Number of failed executions by `details.reason`, most frequent first. */
                                failures: {
                                    reason: string;
                                    count: number;
                                }[];
                                /** @description Milliseconds from the accepted request to the stored output of completed executions, accurate to 1 %. Null if none completed. */
                                duration: {
                                    median: number;
                                    /** @description 95th percentile. */
                                    p95: number;
                                } | null;
                            };
                            /** @description All days of the range, oldest first. */
                            days: {
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
                                failures: {
                                    reason: string;
                                    count: number;
                                }[];
                                /** @description Milliseconds from the accepted request to the stored output of completed executions, accurate to 1 %. Null if none completed. */
                                duration: {
                                    median: number;
                                    /** @description 95th percentile. */
                                    p95: number;
                                } | null;
                            }[];
                        };
                    };
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
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        keys: components["schemas"]["ApiKey"][];
                        /** @description Total number of matching results. */
                        total: number;
                        /** @description Whether more results follow this page. */
                        hasMore: boolean;
                    };
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
        requestBody: {
            content: {
                "application/json": {
                    name?: string;
                    /** @description Default: `all`. */
                    permissions?: ("workflows:read" | "workflows:execute" | "workflows:write" | "storage:read" | "storage:write" | "projects:read" | "projects:write" | "all")[];
                    /** @description Days (24 hours each) until the key expires. Default: never. */
                    expiresInDays?: number;
                };
            };
        };
        responses: {
            /** @description The key was created. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        id: string;
                        name: string;
                        /** @description The first 12 characters of the key. */
                        prefix: string;
                        permissions: ("workflows:read" | "workflows:execute" | "workflows:write" | "storage:read" | "storage:write" | "projects:read" | "projects:write" | "all")[];
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
        requestBody: {
            content: {
                "application/json": {
                    /** @description Seconds until the old key is revoked. Default: 86400 (one day). */
                    overlapSeconds?: number;
                };
            };
        };
        responses: {
            /** @description The new key, and the old key in `replaced`. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        id: string;
                        name: string;
                        /** @description The first 12 characters of the key. */
                        prefix: string;
                        permissions: ("workflows:read" | "workflows:execute" | "workflows:write" | "storage:read" | "storage:write" | "projects:read" | "projects:write" | "all")[];
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
                "application/json": {
                    /** @description An API key. */
                    key: string;
                };
            };
        };
        responses: {
            /** @description The session was created. */
            201: {
                headers: {
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
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        deleted: boolean;
                    };
                };
            };
            400: components["responses"]["InvalidRequest"];
            403: components["responses"]["Forbidden"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
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
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        openapi: string;
                    } & {
                        [key: string]: unknown;
                    };
                };
            };
            400: components["responses"]["InvalidRequest"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
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
                    [name: string]: unknown;
                };
                content: {
                    "text/html": unknown;
                };
            };
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
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
                    [name: string]: unknown;
                };
                content: {
                    "*/*": unknown;
                };
            };
            400: components["responses"]["InvalidRequest"];
            404: components["responses"]["NotFound"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
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
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        status: "ok";
                    };
                };
            };
            400: components["responses"]["InvalidRequest"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
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
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        status: "ok";
                    };
                };
            };
            400: components["responses"]["InvalidRequest"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
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
                    [name: string]: unknown;
                };
                content: {
                    "text/plain": unknown;
                };
            };
            404: components["responses"]["NotFound"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
}
