# The node of the image is the node of the service: keep it at the version that package.json pins.
FROM node:24.21.0-bookworm-slim AS console
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
COPY console/package.json console/
# What builds the console, and nothing of the service. Of all this stage, the image gets console/dist.
RUN npm ci --ignore-scripts --no-update-notifier --workspace console
COPY scripts/build-console.ts scripts/build-stamp.ts scripts/build-workspace.ts scripts/
COPY console console
COPY docs/pictures docs/pictures
COPY examples/workflows examples/workflows
COPY shared shared
RUN node scripts/build-console.ts

# The documentation: what its pages link to is part of it, so the build fails if a file is missing here.
FROM node:24.21.0-bookworm-slim AS site
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
COPY site/package.json site/
RUN npm ci --ignore-scripts --no-update-notifier --workspace site
COPY .env.example ARCHITECTURE.md CHANGELOG.md README.md SECURITY.md ./
COPY console/public console/public
COPY deploy deploy
COPY docs docs
COPY examples examples
COPY fakes/README.md fakes/
COPY scripts/build-site.ts scripts/build-stamp.ts scripts/build-workspace.ts scripts/
COPY site site
COPY test/golden test/golden
RUN node scripts/build-site.ts

# The program as a bundle, which starts in half the time.
FROM node:24.21.0-bookworm-slim AS bundle
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
RUN npm ci --ignore-scripts --no-update-notifier
COPY scripts/build-bundle.ts scripts/
COPY shared shared
COPY src src
RUN node scripts/build-bundle.ts

FROM node:24.21.0-bookworm-slim AS build
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
COPY fakes/package.json fakes/
COPY scripts/trim-packages.js scripts/
# No script of a package runs. Of the packages stays what is loaded, without the Node that clones use.
RUN npm ci --omit=dev --ignore-scripts --no-update-notifier \
 && rm -r node_modules/node-linux-* node_modules/.bin/node \
 && node scripts/trim-packages.js \
 && rm -r scripts
COPY LICENSE ./
COPY bin bin
COPY examples examples
COPY --from=bundle /app/dist dist
COPY --from=console /app/console/dist console/dist
COPY --from=site /app/site/dist site/dist
# Fake providers, to try workflows without an account: the command `tintype-fakes`.
COPY fakes fakes
# Starts once, as the user that it will run as: the image is not made if that fails, and the modules that this compiled are
# kept, so that a container starts sooner although it cannot write beside its code.
RUN mkdir -p node_modules/.cache/tintype && chown -R 1000:1000 node_modules/.cache
USER 1000:1000
RUN DATA_DIR=/tmp/once node bin/tintype.js serve >/tmp/once.log 2>&1 & service=$!; tries=0; \
    until node -e "fetch('http://127.0.0.1:8080/health/ready').then((answer) => process.exit(answer.ok ? 0 : 1), () => process.exit(1))"; do \
      tries=$((tries + 1)); if [ $tries -ge 60 ]; then cat /tmp/once.log; exit 1; fi; sleep 0.5; \
    done; \
    kill $service && wait $service
USER root
RUN chmod -R a+rX .

FROM node:24.21.0-bookworm-slim
LABEL org.opencontainers.image.title="Tintype" \
      org.opencontainers.image.description="Saved image workflows over HTTP" \
      org.opencontainers.image.licenses="MIT" \
      org.opencontainers.image.base.name="docker.io/library/node:24.21.0-bookworm-slim"
WORKDIR /app
COPY --from=build /app /app
# `docker exec CONTAINER tintype accounts list` works. What the service writes is under DATA_DIR and /tmp, nothing else.
RUN ln -s /app/bin/tintype.js /usr/local/bin/tintype && ln -s /app/fakes/bin/tintype-fakes.js /usr/local/bin/tintype-fakes \
 && install -d -o 1000 -g 1000 /data
ENV NODE_ENV=production \
    HOST=0.0.0.0 \
    PORT=8080 \
    DATA_DIR=/data \
    npm_config_cache=/tmp/npm \
    npm_config_update_notifier=false
# A number, so that Kubernetes can see that it is not root.
USER 1000:1000
VOLUME ["/data"]
EXPOSE 8080
STOPSIGNAL SIGTERM
# For `serve`; a worker listens on no port, so its container turns this off.
HEALTHCHECK --interval=15s --timeout=5s --start-period=60s --retries=3 \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/health/ready`).then((answer) => process.exit(answer.ok ? 0 : 1), () => process.exit(1))"]
# The launcher becomes the service, which is process 1: it hears SIGTERM once it is ready and reaps what it starts itself. With
# `docker run --init` (`init: true`) it also ends at once while it starts, and what `docker exec` leaves behind is reaped.
ENTRYPOINT ["tintype"]
CMD ["serve"]
