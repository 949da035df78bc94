# syntax=docker/dockerfile:1
# The node of the image is the node of the service: keep it at the version that package.json pins.
# The npm package is the same on every platform, so it is built once.
FROM --platform=$BUILDPLATFORM node:24.21.0-bookworm-slim AS package
WORKDIR /source
COPY package.json package-lock.json .npmrc ./
COPY client/package.json client/
COPY console/package.json console/
COPY fakes/package.json fakes/
COPY site/package.json site/
RUN npm ci --ignore-scripts --no-update-notifier
COPY . .
RUN mkdir /packed && npm pack --no-update-notifier --pack-destination /packed \
 && cp scripts/install-image.sh scripts/trim-packages.js /packed/

FROM node:24.21.0-bookworm-slim
LABEL org.opencontainers.image.title="Tintype" \
      org.opencontainers.image.description="Saved image workflows over HTTP" \
      org.opencontainers.image.licenses="MIT" \
      org.opencontainers.image.base.name="docker.io/library/node:24.21.0-bookworm-slim"
# Fake providers, to try workflows without an account.
COPY fakes /app/fakes
RUN --mount=type=bind,from=package,source=/packed,target=/packed --mount=type=tmpfs,target=/root/.npm \
    /packed/install-image.sh /packed/tintype-*.tgz / \
 && ln -s /app/fakes/bin/tintype-fakes.js /usr/local/bin/tintype-fakes
ENV NODE_ENV=production \
    HOST=0.0.0.0 \
    PORT=8080 \
    DATA_DIR=/data \
    npm_config_cache=/tmp/npm \
    npm_config_update_notifier=false
# A number, so that Kubernetes can see that it is not root.
USER 1000:1000
# Starts once: the image is not made if that fails, and the modules that this compiled are kept, so that a container starts sooner
# although it can't write next to its code.
RUN --mount=type=tmpfs,target=/tmp \
    DATA_DIR=/tmp/once tintype >/tmp/once.log 2>&1 & service=$!; tries=0; \
    until node -e "fetch('http://127.0.0.1:8080/health/ready').then((answer) => process.exit(answer.ok ? 0 : 1), () => process.exit(1))"; do \
      tries=$((tries + 1)); if [ $tries -ge 60 ]; then cat /tmp/once.log; exit 1; fi; sleep 0.5; \
    done; \
    kill $service && wait $service
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
