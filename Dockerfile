# syntax=docker/dockerfile:1.7
# Builds the folder of `npm run build`, and runs it with production dependencies only, as an unprivileged user.
#   docker build --build-arg COMMIT=$(git rev-parse HEAD) -t foyer .

FROM node:24.21.0-bookworm-slim AS build
WORKDIR /src
COPY package.json package-lock.json ./
RUN npm ci --no-audit --no-fund
COPY . .
ARG COMMIT=""
ENV COMMIT=${COMMIT}
RUN npm run build

FROM node:24.21.0-bookworm-slim AS dependencies
WORKDIR /app
COPY --from=build /src/build/package.json /src/build/package-lock.json /src/build/.npmrc ./
RUN npm ci --omit=dev --no-audit --no-fund

FROM node:24.21.0-bookworm-slim
# glibc keeps freed memory in two arenas instead of eight per core, and returns large blocks at once.
ENV NODE_ENV=production MALLOC_ARENA_MAX=2 MALLOC_MMAP_THRESHOLD_=262144 MALLOC_TRIM_THRESHOLD_=131072
WORKDIR /app
COPY --from=dependencies --chown=root:root /app/node_modules ./node_modules
COPY --from=build --chown=root:root /src/build ./
# The only writable folder, used only if AUTH_SECRET or DATABASE_URL is not set.
RUN mkdir /data && chown node:node /data
ENV DATA_DIR=/data
USER node
EXPOSE 3000
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=10s --timeout=5s --start-period=60s --retries=3 \
  CMD ["node", "-e", "fetch('http://127.0.0.1:'+(process.env.PORT||3000)+'/api/health').then((r)=>process.exit(r.ok?0:1),()=>process.exit(1))"]
CMD ["node", "server/start.mjs"]
