# Builds an image of the single executable on Debian's slim base, and nothing else.
#
#   docker build -t workgate --build-arg WORKGATE_COMMIT="$(git describe --always --dirty --abbrev=12 --exclude='*')" .
#
# Both base images can be replaced. BUILD_IMAGE needs Node 20 or later with npm; with binutils it builds a smaller
# executable. To use your own npm registry, pass its configuration: --secret id=npmrc,src=$HOME/.npmrc

ARG BUILD_IMAGE=docker.io/library/node:24-trixie
ARG BASE_IMAGE=docker.io/library/debian:trixie-slim

FROM ${BUILD_IMAGE} AS build
WORKDIR /build
COPY package.json package-lock.json .npmrc ./
RUN --mount=type=secret,id=npmrc,target=/root/.npmrc npm ci
COPY . .
ARG WORKGATE_COMMIT=
RUN --mount=type=secret,id=npmrc,target=/root/.npmrc npm run -s build:binary

FROM ${BASE_IMAGE}
# PostgreSQL requires a user with a name. A new volume inherits the owner of the folder.
RUN groupadd --gid 10001 workgate \
  && useradd --uid 10001 --gid workgate --home-dir /data --no-create-home --shell /usr/sbin/nologin workgate \
  && install -d -o workgate -g workgate -m 750 /data
COPY --from=build /build/dist/workgate /usr/local/bin/workgate
ENV HOST=0.0.0.0
# A numeric id shows that the user is not root, even to tools that do not read /etc/passwd in the image.
USER 10001:10001
WORKDIR /data
VOLUME /data
EXPOSE 8080
HEALTHCHECK --interval=30s --timeout=5s --start-period=60s CMD ["workgate", "health"]
ENTRYPOINT ["workgate"]
ARG WORKGATE_COMMIT=
LABEL org.opencontainers.image.title="Workgate" \
  org.opencontainers.image.description="A key-authenticated, project-scoped HTTP API over project data" \
  org.opencontainers.image.licenses="MIT" \
  org.opencontainers.image.version="0.1.0" \
  org.opencontainers.image.revision="${WORKGATE_COMMIT}"
