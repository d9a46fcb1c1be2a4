# Mapcrate in a container, from the package that npm pack makes: not root, nothing written outside /data
# and /backups, one process.
FROM node:26-alpine AS package
WORKDIR /build
COPY package.json package-lock.json ./
# The runtime is in the image, so no install script is needed, and neither are those of npm pack.
RUN npm ci --ignore-scripts --include=dev
COPY . .
RUN node scripts/build-web.mjs
RUN node scripts/build-dist.ts
RUN npm pack --ignore-scripts --silent
RUN tar -xzf mapcrate-*.tgz
WORKDIR /build/package
RUN cp ../package-lock.json .
RUN npm ci --ignore-scripts --omit=dev

FROM node:26-alpine
ENV NODE_ENV=production NODE_OPTIONS=--max-semi-space-size=8 HOST=0.0.0.0 DATA_DIR=/data HEALTH_PORT=8083
COPY --from=package /build/package /app
RUN mkdir /data /backups && chown node:node /data /backups && \
    ln -s /app/bin/mapcrate-server.js /usr/local/bin/mapcrate-server
USER node
WORKDIR /data
VOLUME /data
EXPOSE 8080 8081
HEALTHCHECK --interval=10s --timeout=5s --start-period=30s CMD ["mapcrate-server", "health"]
CMD ["mapcrate-server", "serve"]
