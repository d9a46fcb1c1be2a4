# Mapcrate in a container: not root, nothing written outside /data, one process.
FROM node:26-alpine AS base
WORKDIR /app
COPY package.json package-lock.json ./

# The runtime is in the image, so no install script is needed.
FROM base AS pages
RUN npm ci --ignore-scripts --include=dev
COPY . .
RUN node scripts/build-web.mjs

FROM base AS packages
RUN npm ci --ignore-scripts --omit=dev

FROM node:26-alpine
ENV NODE_ENV=production HOST=0.0.0.0 DATA_DIR=/data HEALTH_PORT=8083
WORKDIR /app
COPY --from=packages /app/node_modules node_modules
COPY package.json LICENSE ./
COPY src src
COPY bin bin
COPY migrations migrations
COPY scripts/compile-cache.mjs scripts/
COPY --from=pages /app/build/web build/web
# The file system is read-only later: what is compiled at the first start is kept here.
RUN mkdir /data && chown node:node /data build && ln -s /app/bin/mapcrate-server.js /usr/local/bin/mapcrate-server
USER node
RUN DATA_DIR=/tmp/first-start DRAIN_SECONDS=0 timeout -s TERM 15 node --import ./scripts/compile-cache.mjs src/main/serve.ts; \
    rm -r /tmp/first-start && test -d build/compile-cache
VOLUME /data
EXPOSE 8080 8081
HEALTHCHECK --interval=10s --timeout=5s --start-period=30s \
  CMD ["node", "--import", "./scripts/compile-cache.mjs", "src/cli/mapcrate-server.ts", "health"]
CMD ["node", "--max-semi-space-size=8", "--import", "./scripts/compile-cache.mjs", "src/main/serve.ts"]
