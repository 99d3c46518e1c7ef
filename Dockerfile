# The single executable on Debian's slim base, and nothing else.
#
#   docker build -t workgate --build-arg WORKGATE_COMMIT="$(git describe --always --dirty --abbrev=12 --exclude='*')" .
#
# Both images can be replaced; the first needs Node 20 or later with npm, and makes a smaller executable where it has
# binutils. What npm needs to know of a registry of your own: --secret id=npmrc,src=$HOME/.npmrc

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
# A user with a name, which PostgreSQL wants. A new volume takes over to whom the folder belongs.
RUN groupadd --gid 10001 workgate \
  && useradd --uid 10001 --gid workgate --home-dir /data --no-create-home --shell /usr/sbin/nologin workgate \
  && install -d -o workgate -g workgate -m 750 /data
COPY --from=build /build/dist/workgate /usr/local/bin/workgate
ENV HOST=0.0.0.0
# By number, so that it can be seen from outside that it is not root.
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
