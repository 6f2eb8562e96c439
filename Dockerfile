# prover and harness in one image: docker build -t chiasmus . && docker run --rm chiasmus prover --help
# Isolation by bubblewrap needs user namespaces, which most container runtimes restrict: docs/guide/github.md, The runner.
FROM golang:1.26 AS build
WORKDIR /src
COPY go.mod go.sum ./
RUN go mod download
COPY . .
RUN CGO_ENABLED=0 go build -trimpath -ldflags='-s -w' -o /out/ ./prover/cmd/prover \
	./harness/cmd/harness ./harness/cmd/harness-fleet-server

FROM debian:13-slim
# The harness checks revisions out with git and isolates them with bubblewrap.
RUN apt-get update && apt-get install -y --no-install-recommends bubblewrap ca-certificates git \
	&& rm -rf /var/lib/apt/lists/* && useradd --create-home chiasmus
COPY --from=build /out/ /usr/local/bin/
USER chiasmus
WORKDIR /home/chiasmus
CMD ["prover", "--help"]
