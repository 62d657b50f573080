# Builds with Docker, Podman and Buildah: docker build -t host-console .
# The base can be any Debian-like image with Node 24 and npm.
ARG NODE_IMAGE=node:24-bookworm-slim

FROM ${NODE_IMAGE} AS build
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
RUN npm ci --ignore-scripts
COPY vite.config.ts tsconfig.base.json ./
COPY src src
RUN npm run build
# The optional packages are Node itself and tools that build. TypeScript is a peer of tRPC, for its types alone.
RUN npm ci --ignore-scripts --omit=dev --omit=optional && rm -r node_modules/typescript
RUN mkdir /data && chown 1000:1000 /data

FROM ${NODE_IMAGE}
ENV NODE_ENV=production HOST=0.0.0.0 PORT=3000 DATA_DIR=/data
WORKDIR /app
COPY package.json mikro-orm.config.ts ./
COPY --from=build /app/node_modules node_modules
COPY --from=build /app/dist dist
COPY scripts/admin.ts scripts/
COPY src/shared src/shared
COPY src/server src/server
COPY --from=build --chown=1000:1000 /data /data
# The user "node" of the official image, as a number for Kubernetes' runAsNonRoot.
USER 1000:1000
VOLUME /data
EXPOSE 3000
# Liveness: a restart does not repair a database. The start period leaves time for a migration.
HEALTHCHECK --interval=30s --timeout=5s --start-period=10m --retries=3 \
  CMD ["node", "-e", "fetch('http://127.0.0.1:' + process.env.PORT + '/healthz').then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
# As npm start. Without these bounds V8 keeps 150 MB of garbage on a machine with much memory.
CMD ["node", "--max-semi-space-size=16", "--max-old-space-size=1536", "src/server/main.ts"]
